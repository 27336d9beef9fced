import * as z from 'zod/mini'
import { done, owedThing } from '../../shared/answers.ts'
import { type Access, endpoint, formCall } from '../../shared/endpoint.ts'
import { isoDate } from '../../shared/iso-date.ts'
import { stepReason } from '../../shared/machine.ts'
import { cents, signedCents } from '../../shared/money.ts'
import { MAX_DAYS, MAX_INSTALLMENTS, rhythms } from './rules.ts'
import { arrangementStates } from './states.ts'
import { basis, companyId, rowId as id } from '../../shared/body-parts.ts'

const resident = { audience: 'citizen' } as const
/** What they do by themselves alone: nobody does it in their place. */
const byThemselves = { access: resident, whileImpersonating: 'refused' } as const
const audience = ['municipality', 'platform'] as const
const look: Access = { audience, privilege: ['transaction_management', 'view'] }
const change: Access = { audience: 'municipality', privilege: ['transaction_management', 'update'] }
const kind = z.string().check(z.regex(/^[a-z_]{2,30}$/, 'Choose an account.'))

const amount = cents.check(z.minimum(1, 'Enter an amount, such as 25.00.'), z.maximum(1_000_000_000))
const terms = {
  totalCents: amount,
  /** Null: all installments are alike. */
  firstCents: z.nullable(amount),
  count: z.int({ error: 'Enter how many installments.' }).check(
    z.minimum(2, 'Enter 2 or more installments.'),
    // How many there may be the rules say, in one sentence: a town's own limit is less than what any plan may have.
    z.maximum(Number.MAX_SAFE_INTEGER, 'Enter a smaller number of installments.'),
  ),
  firstOn: isoDate,
  every: z.enum(Object.keys(rhythms) as [keyof typeof rhythms], { error: 'Choose how often.' }),
}
export const termsForm = z.object(terms)
export const askForm = z.object({
  ...terms,
  agree: z.boolean().check(z.refine((agreed) => agreed, { error: 'The plan begins once you agree to it.' })),
})

const limits = {
  byResidents: z.boolean(),
  mostInstallments: z
    .int({ error: 'Enter 2 to 36.' })
    .check(z.minimum(2, 'Enter 2 to 36.'), z.maximum(MAX_INSTALLMENTS, 'Enter 2 to 36.')),
  longestDays: z
    .int({ error: 'Enter 14 to 1095 days.' })
    .check(z.minimum(14, 'Enter 14 to 1095 days.'), z.maximum(MAX_DAYS, 'Enter 14 to 1095 days.')),
  leastFirstPercent: z
    .int({ error: 'Enter 0 to 90 percent.' })
    .check(z.minimum(0, 'Enter 0 to 90 percent.'), z.maximum(90, 'Enter 0 to 90 percent.')),
  leastCents: cents.check(z.minimum(0), z.maximum(1_000_000_000)),
  graceDays: z
    .int({ error: 'Enter 0 to 60 days.' })
    .check(z.minimum(0, 'Enter 0 to 60 days.'), z.maximum(60, 'Enter 0 to 60 days.')),
  words: z.string().check(z.trim(), z.maxLength(3000, 'Use at most 3000 characters.')),
}
export const rulesForm = z.object(limits)

const installment = z.object({ no: z.int(), dueOn: isoDate, cents, openCents: cents })

/** A plan, for whoever pays by it and for staff. */
const plan = z.object({
  id: z.number(),
  kind: z.string(),
  payableId: z.number(),
  reference: z.string(),
  name: z.string(),
  state: arrangementStates.state,
  totalCents: cents,
  paidCents: cents,
  remainingCents: cents,
  /** What should have been paid by today. */
  overdueCents: cents,
  graceDays: z.int(),
  installments: z.array(installment),
  next: z.nullable(installment),
  madeBy: z.string(),
  madeAt: z.string(),
  can: z.object({ agree: z.boolean(), sign: z.boolean(), decline: z.boolean(), end: z.boolean() }),
})

/** Accounts of the caller with the plan that is open on each, and what may be agreed on where there is none. */
export const myArrangements = endpoint({
  path: 'return/arrangements',
  summary: "Payment arrangements on the caller's accounts",
  access: resident,
  body: z.object({}),
  answer: z.object({
    today: isoDate,
    limits: z.object(limits),
    words: z.object({ version: z.number(), text: z.string() }),
    things: z.array(
      z.extend(owedThing, {
        plan: z.nullable(plan),
        /** True if AutoPay of the account is on: it takes the installments. */
        autopay: z.boolean(),
        can: z.object({ ask: z.boolean() }),
      }),
    ),
  }),
})

/** A resident begins a plan within the town's limits: it counts at once. */
export const askArrangement = formCall({
  path: 'ask/arrangement',
  summary: 'Begins a payment arrangement within the limits of the town',
  ...byThemselves,
  body: z.object({
    kind,
    thingId: id,
    /** The version of the words that were read. Others by now are shown first (409). */
    words: z.int(),
    form: askForm,
  }),
})

/** Agrees to what staff proposed. */
export const agreeArrangement = endpoint({
  path: 'agree/arrangement',
  summary: 'Agrees to a payment arrangement that staff proposed',
  ...byThemselves,
  body: z.object({ id, words: z.int() }),
  answer: done,
})

export const declineArrangement = endpoint({
  path: 'decline/arrangement',
  summary: 'Declines a payment arrangement that staff proposed',
  ...byThemselves,
  body: z.object({ id }),
  answer: done,
})

/** Staff propose a plan for whatever can be paid; its residents are told, and agree to it or not. */
export const proposeArrangement = formCall({
  path: 'muni/propose/arrangement',
  summary: 'Proposes a payment arrangement',
  access: change,
  whileImpersonating: 'refused',
  body: z.object({ companyId, kind, thingId: id, form: termsForm }),
  answer: z.extend(done, { id: z.number() }),
})

export const moveArrangement = endpoint({
  path: 'muni/move/arrangement',
  summary: 'Notes that a payment arrangement was agreed on paper, or ends it',
  access: change,
  whileImpersonating: 'refused',
  body: z.object({ companyId, id, event: z.enum(['sign', 'end']), reason: stepReason }),
  answer: done,
})

export const returnArrangement = endpoint({
  path: 'muni/return/arrangement',
  summary: 'One payment arrangement with its installments and what was agreed to',
  access: look,
  personal: true,
  body: z.object({ companyId, id }),
  answer: z.object({
    plan,
    agreed: z.nullable(
      z.object({
        at: z.string(),
        by: z.string(),
        address: z.string(),
        device: z.string(),
        version: z.number(),
        text: z.string(),
      }),
    ),
    history: z.array(z.object({ at: z.string(), by: z.string(), state: arrangementStates.state, reason: z.string() })),
  }),
})

/** The plan that is open on a thing, for the screens that show what is owed on it; and what is owed. */
export const arrangementOf = endpoint({
  path: 'muni/return/arrangement/of',
  summary: 'The payment arrangement that is open on an account',
  access: look,
  personal: true,
  body: z.object({ companyId, kind, thingId: id }),
  answer: z.object({
    today: isoDate,
    plan: z.nullable(plan),
    reference: z.string(),
    name: z.string(),
    owedCents: signedCents,
    can: z.object({ propose: z.boolean() }),
  }),
})

export const arrangementRules = endpoint({
  path: 'muni/return/arrangement/rules',
  summary: 'What the town allows residents to agree on',
  access: look,
  body: z.object({ companyId }),
  answer: z.object({ rules: z.object(limits), usualWords: z.string(), can: z.object({ edit: z.boolean() }) }),
})

export const saveArrangementRules = endpoint({
  path: 'muni/save/arrangement/rules',
  summary: 'Saves what the town allows residents to agree on',
  access: { audience, privilege: ['transaction_management', 'update'] },
  whileImpersonating: 'refused',
  body: z.extend(rulesForm, { companyId, basis }),
  answer: done,
})
