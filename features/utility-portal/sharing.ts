import * as z from 'zod/mini'
import { done } from '../../shared/answers.ts'
import { EMAIL_WRONG, newEmail } from '../../shared/email.ts'
import { type Access, endpoint } from '../../shared/endpoint.ts'
import { cents } from '../../shared/money.ts'
import { oneUse, shutoffFact, yearAmounts } from './contract.ts'
import { shareStates } from './states.ts'

/** What can be shared of an account, and how each is called. */
export const shareKinds = { history: 'History of use', watch: 'Watch over the account' } as const
export type ShareKind = keyof typeof shareKinds

export const SHARE_CODE = 'Enter the code that you were given: 12 letters and digits.'
export const NO_OFFER =
  'No offer matches this code. It may be too old, taken back, or made to another email than yours.'
export const OWN_OFFER = 'This is your own offer. The other one has to accept it.'

const citizen: Access = { audience: 'citizen' }
const id = z.int().check(z.minimum(1), z.maximum(Number.MAX_SAFE_INTEGER))
const kind = z.enum(Object.keys(shareKinds) as [ShareKind])
const code = z.string().check(z.trim(), z.maxLength(40, SHARE_CODE), z.regex(/^[\dA-Za-z -]{8,40}$/, SHARE_CODE))
export const shareCodeForm = z.object({ code })

/** What exactly is seen, as both are told before they agree. */
const terms = { kind, withAmounts: z.boolean(), address: z.string(), until: z.string() }

const share = z.object({
  id: z.number(),
  ...terms,
  state: shareStates.state,
  offeredAt: z.string(),
  acceptedAt: z.nullable(z.string()),
  /** To whom it was mailed, for who offered it; else ''. */
  toEmail: z.string(),
  isTooOld: z.boolean(),
})

export const returnShares = endpoint({
  path: 'return/utility/shares',
  summary: 'What the caller shares of utility accounts, and what others share with them',
  access: citizen,
  body: z.object({}),
  answer: z.object({
    given: z.array(share),
    got: z.array(share),
    accounts: z.array(z.object({ id: z.number(), name: z.string() })),
  }),
})

export const offerForm = z.object({
  accountId: id,
  kind,
  withAmounts: z.boolean(),
  toEmail: z.string().check(
    z.trim(),
    z.refine((text) => text === '' || newEmail.safeParse(text).success, { error: EMAIL_WRONG }),
  ),
})

/** The code is answered once. With an email it is mailed, and who has that email alone may accept. */
export const offerShare = endpoint({
  path: 'offer/utility/share',
  summary: "Offers somebody the history of an account's use, or to watch over it",
  access: citizen,
  whileImpersonating: 'refused',
  body: offerForm,
  answer: z.extend(done, { code: z.string() }),
})

export const lookAtShare = endpoint({
  path: 'return/utility/share/offer',
  summary: 'What exactly an offer would show, before it is accepted',
  access: citizen,
  body: shareCodeForm,
  answer: z.object(terms),
})

export const acceptShare = endpoint({
  path: 'accept/utility/share',
  summary: 'Accepts what somebody offered to share',
  access: citizen,
  whileImpersonating: 'refused',
  body: shareCodeForm,
  answer: z.extend(done, { shareId: z.number() }),
})

export const endShare = endpoint({
  path: 'end/utility/share',
  summary: 'Ends what the caller shares, or what is shared with them',
  access: citizen,
  whileImpersonating: 'refused',
  body: z.object({ shareId: id }),
  answer: done,
})

/** What both agreed that is seen, and nothing else. */
export const returnShared = endpoint({
  path: 'return/utility/shared',
  summary: 'What somebody shares with the caller',
  access: citizen,
  body: z.object({ shareId: id }),
  answer: z.object({
    ...terms,
    uses: z.array(oneUse),
    /** In cents; empty unless that was agreed. */
    billed: yearAmounts,
    /** Of what is watched over alone. */
    watched: z.nullable(z.object({ pastDueCents: cents, shutoff: shutoffFact })),
  }),
})
