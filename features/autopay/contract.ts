import * as z from 'zod/mini'
import { done, owedThing } from '../../shared/answers.ts'
import { endpoint, formCall } from '../../shared/endpoint.ts'
import { isoDate } from '../../shared/iso-date.ts'
import { stepReason } from '../../shared/machine.ts'
import { cents } from '../../shared/money.ts'
import { chargeStates, LAST_DAY, MAX_DAYS_BEFORE, timings } from './rules.ts'
import { autopayStates } from './states.ts'
import { companyId, rowId as id } from '../../shared/body-parts.ts'
import { paymentFields } from '../../shared/payment-fields.ts'

const resident = { audience: 'citizen' } as const
/** What they do by themselves alone: nobody does it in their place. */
const byThemselves = { access: resident, whileImpersonating: 'refused' } as const

/** A card or bank account that is kept: what its owner knows it by, and never its number. */
const method = z.object({
  id: z.number(),
  method: z.union([z.literal(1), z.literal(2)]),
  means: z.string(),
  bankName: z.string(),
  /** `2028-08-31`: the last day of a card. */
  expiresOn: z.nullable(z.string()),
  expired: z.boolean(),
  isDefault: z.boolean(),
  /** Why it is not charged any more; empty where it is. */
  unusable: z.enum(['', 'details', 'revoked', 'elsewhere']),
  /** The accounts that it pays by AutoPay. */
  pays: z.array(z.string()),
})

export const paymentMethods = endpoint({
  path: 'return/payment/methods',
  summary: "The caller's cards and bank accounts that the payment service keeps",
  access: resident,
  body: z.object({}),
  answer: z.object({
    methods: z.array(method),
    /** Bank accounts that are kept once the small deposits on them were named; `setup`: for `finishPaymentMethod`. */
    toConfirm: z.array(z.object({ setup: z.string(), since: z.string() })),
    gateway: paymentFields,
    /** What one agrees to who has one kept. */
    mandate: z.string(),
  }),
})

export const makeDefaultMethod = endpoint({
  path: 'default/payment/method',
  summary: 'Which card or bank account is offered first',
  ...byThemselves,
  body: z.object({ id }),
  answer: done,
})

/** Where AutoPay pays by it, it is kept (409 `used_by_autopay`) unless that shall end with it. */
export const removePaymentMethod = endpoint({
  path: 'remove/payment/method',
  summary: 'Has a card or bank account forgotten by the payment service',
  ...byThemselves,
  body: z.object({ id, endAutopay: z._default(z.boolean(), false) }),
  answer: done,
})

const terms = {
  methodId: z.int({ error: 'Choose a card or bank account.' }).check(z.minimum(1, 'Choose a card or bank account.')),
  timing: z.enum(Object.keys(timings) as [keyof typeof timings], { error: 'Choose when it is paid.' }),
  daysBefore: z
    .int({ error: 'Enter a number of days.' })
    .check(z.minimum(0, 'Enter 1 to 20 days.'), z.maximum(MAX_DAYS_BEFORE, 'Enter 1 to 20 days.')),
  dayOfMonth: z
    .int({ error: 'Enter a day of the month.' })
    .check(z.minimum(0, 'Enter a day from 1 to 28.'), z.maximum(LAST_DAY, 'Enter a day from 1 to 28.')),
  /** Without it every amount is paid, whatever stands in `capCents`. */
  limited: z.boolean(),
  capCents: z.nullable(cents),
}

export const autopayForm = z
  .object({
    ...terms,
    agree: z.boolean().check(z.refine((agreed) => agreed, { error: 'AutoPay begins once you agree to it.' })),
  })
  .check(
    z.refine(({ timing, daysBefore }) => timing !== 'before' || daysBefore > 0, {
      error: 'Enter 1 to 20 days.',
      path: ['daysBefore'],
    }),
    z.refine(({ timing, dayOfMonth }) => timing !== 'day' || dayOfMonth > 0, {
      error: 'Enter a day from 1 to 28.',
      path: ['dayOfMonth'],
    }),
    z.refine(({ limited, capCents }) => !limited || (capCents ?? 0) > 0, {
      error: 'Enter an amount above zero, such as 200.00.',
      path: ['capCents'],
    }),
  )

const charge = z.object({
  id: z.number(),
  bill: z.string(),
  dueDate: isoDate,
  on: isoDate,
  /** What is taken, or was: of one that is planned no more than is to be paid by now. */
  cents,
  state: z.enum(Object.keys(chargeStates) as [keyof typeof chargeStates]),
  /** Why it failed or was not made, in a sentence. */
  reason: z.string(),
})

const enrolment = z.object({
  id: z.number(),
  state: autopayStates.state,
  methodId: z.number(),
  timing: terms.timing,
  daysBefore: z.number(),
  dayOfMonth: z.number(),
  capCents: z.nullable(cents),
  /** In words: by what, when, up to how much. */
  terms: z.string(),
  /** The next bill is left out. */
  skipNext: z.boolean(),
  /** Why staff paused it; null where they did not. */
  halted: z.nullable(z.string()),
  can: z.record(autopayStates.button, z.boolean()),
  next: z.nullable(charge),
  last: z.nullable(charge),
})

export const myAutopay = endpoint({
  path: 'return/autopay',
  summary: "AutoPay on the caller's accounts",
  access: resident,
  body: z.object({}),
  answer: z.object({
    /** The town has AutoPay. */
    enabled: z.boolean(),
    noticeDays: z.number(),
    mandate: z.object({ version: z.number(), text: z.string() }),
    maxCents: cents,
    things: z.array(
      z.extend(owedThing, {
        dueDate: z.nullable(isoDate),
        /** What AutoPay takes next: the next installment of a payment arrangement, and what is due beside it. */
        coming: z.array(z.object({ isInstallment: z.boolean(), cents, dueOn: isoDate })),
        /** What is charged on top of an amount as it is owed now, by either way. */
        fee: z.object({ ofCents: cents, cardCents: cents, echeckCents: cents }),
        autopay: z.nullable(enrolment),
      }),
    ),
  }),
})

/** Enrols an account, or changes how it is paid: each is agreed to anew, and what was agreed to is kept. */
export const saveAutopay = formCall({
  path: 'save/autopay',
  summary: 'Turns AutoPay on for an account, or changes it',
  ...byThemselves,
  body: z.object({
    kind: z.string().check(z.regex(/^[a-z_]{2,30}$/, 'Choose an account.')),
    thingId: id,
    /** The version of the words that were read. Others by now are shown first (409). */
    mandate: z.int(),
    form: autopayForm,
  }),
})

export const moveAutopay = endpoint({
  path: 'move/autopay',
  summary: 'Pauses, resumes or ends AutoPay of an account',
  ...byThemselves,
  body: z.object({ id, event: autopayStates.button }),
  answer: done,
})

/** Staff pause or end an enrolment and say why, which its resident is told. Resuming is the resident's alone. */
export const stopAutopay = formCall({
  path: 'muni/move/autopay',
  summary: 'Pauses or ends AutoPay of a resident, with a reason',
  access: { audience: 'municipality', privilege: ['transaction_management', 'update'] },
  whileImpersonating: 'refused',
  body: z.object({
    companyId,
    id,
    event: z.enum(['halt', 'stop']),
    reason: stepReason,
  }),
})

/** Leaves the next bill out, or takes that back. */
export const skipAutopay = endpoint({
  path: 'skip/autopay',
  summary: 'Leaves the next bill out of AutoPay',
  ...byThemselves,
  body: z.object({ id, skip: z.boolean() }),
  answer: done,
})
