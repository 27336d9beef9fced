import * as z from 'zod/mini'
import { done, openItem } from '../../shared/responses.ts'
import { type Access, endpoint, formCall } from '../../shared/endpoint.ts'
import { isoDate } from '../../shared/iso-date.ts'
import { stepReason } from '../../shared/machine.ts'
import { cents, signedCents } from '../../shared/money.ts'
import { MAX_DAYS, MAX_INSTALLMENTS, rhythms } from './rules.ts'
import { arrangementStates } from './states.ts'
import { basis, companyId, rowId as id } from '../../shared/body-parts.ts'

const resident = { audience: 'citizen' } as const
/** Access rule for calls that only residents may make, not impersonators. */
const byThemselves = { access: resident, whileImpersonating: 'refused' } as const
const audience = ['municipality', 'platform'] as const
const viewAccess: Access = { audience, privilege: ['payments', 'view'] }
const change: Access = { audience: 'municipality', privilege: ['payments', 'update'] }
const kind = z.string().check(z.regex(/^[a-z_]{2,30}$/, 'Choose an account.'))

const amount = cents.check(z.minimum(1, 'Enter an amount, such as 25.00.'), z.maximum(1_000_000_000))
const terms = {
  totalCents: amount,
  /** Amount of the first installment. Null if all installments are equal. */
  firstCents: z.nullable(amount),
  count: z.int({ error: 'Enter the number of installments.' }).check(
    z.minimum(2, 'Enter 2 or more installments.'),
    // The rules check the company's limit, which is lower than the general maximum.
    z.maximum(Number.MAX_SAFE_INTEGER, 'Enter a smaller number of installments.'),
  ),
  firstOn: isoDate,
  every: z.enum(Object.keys(rhythms) as [keyof typeof rhythms], { error: 'Choose a frequency.' }),
}
export const termsForm = z.object(terms)
export const arrangementForm = z.object({
  ...terms,
  agree: z.boolean().check(z.refine((agreed) => agreed, { error: 'Agree to the terms to start the arrangement.' })),
})

const limits = {
  byResidents: z.boolean(),
  maxInstallments: z
    .int({ error: 'Enter a number from 2 to 36.' })
    .check(z.minimum(2, 'Enter a number from 2 to 36.'), z.maximum(MAX_INSTALLMENTS, 'Enter a number from 2 to 36.')),
  maxDays: z
    .int({ error: 'Enter a number of days from 14 to 1095.' })
    .check(
      z.minimum(14, 'Enter a number of days from 14 to 1095.'),
      z.maximum(MAX_DAYS, 'Enter a number of days from 14 to 1095.'),
    ),
  minFirstPercent: z
    .int({ error: 'Enter a percentage from 0 to 90.' })
    .check(z.minimum(0, 'Enter a percentage from 0 to 90.'), z.maximum(90, 'Enter a percentage from 0 to 90.')),
  minCents: cents.check(z.minimum(0), z.maximum(1_000_000_000)),
  graceDays: z
    .int({ error: 'Enter a number of days from 0 to 60.' })
    .check(z.minimum(0, 'Enter a number of days from 0 to 60.'), z.maximum(60, 'Enter a number of days from 0 to 60.')),
  terms: z.string().check(z.trim(), z.maxLength(3000, 'Use no more than 3000 characters.')),
}
export const rulesForm = z.object(limits)

const installment = z.object({ no: z.int(), dueOn: isoDate, cents, openCents: cents })

/** Payment arrangement, as the payer and staff see it. */
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
  /** Unpaid part of the installments due by today. */
  overdueCents: cents,
  graceDays: z.int(),
  installments: z.array(installment),
  next: z.nullable(installment),
  madeBy: z.string(),
  madeAt: z.string(),
  can: z.object({ agree: z.boolean(), sign: z.boolean(), decline: z.boolean(), end: z.boolean() }),
})

/** Accounts of the resident, each with its open arrangement or the terms for a new one. */
export const myArrangements = endpoint({
  path: 'return/arrangements',
  summary: "Returns the caller's accounts with their payment arrangements",
  access: resident,
  body: z.object({}),
  response: z.object({
    today: isoDate,
    limits: z.object(limits),
    currentTerms: z.object({ version: z.number(), text: z.string() }),
    items: z.array(
      z.extend(openItem, {
        plan: z.nullable(plan),
        /** True if AutoPay is on for the account. AutoPay then charges the installments. */
        autopay: z.boolean(),
        can: z.object({ canRequest: z.boolean() }),
      }),
    ),
  }),
})

/** Creates an arrangement for a resident within the company's limits. It is active immediately. */
export const requestArrangement = formCall({
  path: 'request/arrangement',
  summary: "Creates a payment arrangement within the company's limits",
  ...byThemselves,
  body: z.object({
    kind,
    itemId: id,
    /** Version of the text that the resident read. The call fails with 409 if the text has changed. */
    termsVersion: z.int(),
    form: arrangementForm,
  }),
})

/** Accepts an arrangement that staff proposed. */
export const agreeArrangement = endpoint({
  path: 'agree/arrangement',
  summary: 'Accepts a payment arrangement proposed by staff',
  ...byThemselves,
  body: z.object({ id, termsVersion: z.int() }),
  response: done,
})

export const declineArrangement = endpoint({
  path: 'decline/arrangement',
  summary: 'Declines a payment arrangement proposed by staff',
  ...byThemselves,
  body: z.object({ id }),
  response: done,
})

/** Lets staff propose an arrangement for an open item. The portal notifies the residents, who accept or decline. */
export const proposeArrangement = formCall({
  path: 'muni/propose/arrangement',
  summary: 'Proposes a payment arrangement to residents',
  access: change,
  whileImpersonating: 'refused',
  body: z.object({ companyId, kind, itemId: id, form: termsForm }),
  response: z.extend(done, { id: z.number() }),
})

export const transitionArrangement = endpoint({
  path: 'muni/transition/arrangement',
  summary: 'Records an agreement to a payment arrangement or ends the arrangement',
  access: change,
  whileImpersonating: 'refused',
  body: z.object({ companyId, id, event: z.enum(['sign', 'end']), reason: stepReason }),
  response: done,
})

export const returnArrangement = endpoint({
  path: 'muni/return/arrangement',
  summary: 'Returns a payment arrangement with its installments, agreement and history',
  access: viewAccess,
  personal: true,
  body: z.object({ companyId, id }),
  response: z.object({
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

/** Open arrangement and amount due of an open item, for staff screens. */
export const arrangementOf = endpoint({
  path: 'muni/return/arrangement/of',
  summary: 'Returns the open payment arrangement and amount due of an item',
  access: viewAccess,
  personal: true,
  body: z.object({ companyId, kind, itemId: id }),
  response: z.object({
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
  summary: "Returns the company's rules for payment arrangements",
  access: viewAccess,
  body: z.object({ companyId }),
  response: z.object({ rules: z.object(limits), defaultTerms: z.string(), can: z.object({ edit: z.boolean() }) }),
})

export const saveArrangementRules = endpoint({
  path: 'muni/save/arrangement/rules',
  summary: "Saves the company's rules for payment arrangements",
  access: { audience, privilege: ['payments', 'update'] },
  whileImpersonating: 'refused',
  body: z.extend(rulesForm, { companyId, basis }),
  response: done,
})
