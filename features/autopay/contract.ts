import * as z from 'zod/mini'
import { done, openItem } from '../../shared/responses.ts'
import { endpoint, formCall } from '../../shared/endpoint.ts'
import { isoDate } from '../../shared/iso-date.ts'
import { stepReason } from '../../shared/machine.ts'
import { cents } from '../../shared/money.ts'
import { chargeStates, LAST_DAY, MAX_DAYS_BEFORE, timings } from './rules.ts'
import { autopayStates } from './states.ts'
import { companyId, rowId as id } from '../../shared/body-parts.ts'
import { paymentFields } from '../../shared/payment-fields.ts'

const resident = { audience: 'citizen' } as const
/** Access rule for calls that residents make only for themselves. Impersonators can't make these calls. */
const byThemselves = { access: resident, whileImpersonating: 'refused' } as const

/** Saved card or bank account, with details that its owner recognizes. Never contains the full number. */
const method = z.object({
  id: z.number(),
  method: z.union([z.literal(1), z.literal(2)]),
  methodLabel: z.string(),
  bankName: z.string(),
  /** Last day of a card, for example `2028-08-31`. */
  expiresOn: z.nullable(z.string()),
  expired: z.boolean(),
  isDefault: z.boolean(),
  /** Reason that AutoPay can't charge the method. Empty if it can. */
  unusable: z.enum(['', 'details', 'revoked', 'elsewhere']),
  /** Accounts that AutoPay pays with this method. */
  pays: z.array(z.string()),
})

export const paymentMethods = endpoint({
  path: 'return/payment/methods',
  summary: "Returns the caller's saved payment methods",
  access: resident,
  body: z.object({}),
  response: z.object({
    methods: z.array(method),
    /** Bank accounts that await confirmation of their small deposits. `setup` is the input of `finishPaymentMethod`. */
    toConfirm: z.array(z.object({ setup: z.string(), since: z.string() })),
    gateway: paymentFields,
    /** Authorization text for a saved payment method. */
    mandate: z.string(),
  }),
})

export const makeDefaultMethod = endpoint({
  path: 'default/payment/method',
  summary: "Sets the caller's default payment method",
  ...byThemselves,
  body: z.object({ id }),
  response: done,
})

/**
 * Removes a saved method. Fails with 409 `used_by_autopay` if AutoPay uses the method, unless `endAutopay` ends AutoPay
 * too.
 */
export const removePaymentMethod = endpoint({
  path: 'remove/payment/method',
  summary: 'Removes a saved payment method of the caller',
  ...byThemselves,
  body: z.object({ id, endAutopay: z._default(z.boolean(), false) }),
  response: done,
})

const terms = {
  methodId: z.int({ error: 'Choose a card or bank account.' }).check(z.minimum(1, 'Choose a card or bank account.')),
  timing: z.enum(Object.keys(timings) as [keyof typeof timings], { error: 'Choose a payment day.' }),
  daysBefore: z
    .int({ error: 'Enter a number of days.' })
    .check(
      z.minimum(0, 'Enter a number of days from 1 to 20.'),
      z.maximum(MAX_DAYS_BEFORE, 'Enter a number of days from 1 to 20.'),
    ),
  dayOfMonth: z
    .int({ error: 'Enter a day of the month.' })
    .check(z.minimum(0, 'Enter a day from 1 to 28.'), z.maximum(LAST_DAY, 'Enter a day from 1 to 28.')),
  /** True if `capCents` limits the charges. If false, every amount is paid and `capCents` is ignored. */
  limited: z.boolean(),
  capCents: z.nullable(cents),
}

export const autopayForm = z
  .object({
    ...terms,
    agree: z.boolean().check(z.refine((agreed) => agreed, { error: 'Agree to the authorization to turn on AutoPay.' })),
  })
  .check(
    z.refine(({ timing, daysBefore }) => timing !== 'before' || daysBefore > 0, {
      error: 'Enter a number of days from 1 to 20.',
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
  /** Amount charged. A planned charge never exceeds the amount due now. */
  cents,
  state: z.enum(Object.keys(chargeStates) as [keyof typeof chargeStates]),
  /** Reason why the charge failed or was not made, as a sentence. */
  reason: z.string(),
})

const enrollment = z.object({
  id: z.number(),
  state: autopayStates.state,
  methodId: z.number(),
  timing: terms.timing,
  daysBefore: z.number(),
  dayOfMonth: z.number(),
  capCents: z.nullable(cents),
  /** Terms in words: method, day and limit. */
  terms: z.string(),
  skipNext: z.boolean(),
  /** Reason that staff gave for the pause. Null if staff did not pause AutoPay. */
  halted: z.nullable(z.string()),
  can: z.record(autopayStates.button, z.boolean()),
  next: z.nullable(charge),
  last: z.nullable(charge),
})

export const myAutopay = endpoint({
  path: 'return/autopay',
  summary: "Returns the AutoPay enrollments of the caller's accounts",
  access: resident,
  body: z.object({}),
  response: z.object({
    enabled: z.boolean(),
    noticeDays: z.number(),
    mandate: z.object({ version: z.number(), text: z.string() }),
    maxCents: cents,
    items: z.array(
      z.extend(openItem, {
        dueDate: z.nullable(isoDate),
        /** Next AutoPay charges: the next arrangement installment, and other amounts due. */
        coming: z.array(z.object({ isInstallment: z.boolean(), cents, dueOn: isoDate })),
        /** Fee by payment method. `ofCents` is the amount for which the fee is calculated. */
        fee: z.object({ ofCents: cents, cardCents: cents, echeckCents: cents }),
        autopay: z.nullable(enrollment),
      }),
    ),
  }),
})

/** Enrolls an account or changes its terms. Each change needs a new authorization, which is saved. */
export const saveAutopay = formCall({
  path: 'save/autopay',
  summary: 'Enrolls an account in AutoPay or changes its terms',
  ...byThemselves,
  body: z.object({
    kind: z.string().check(z.regex(/^[a-z_]{2,30}$/, 'Choose an account.')),
    itemId: id,
    /** Version of the authorization text that the resident read. The call fails with 409 if the text has changed. */
    mandate: z.int(),
    form: autopayForm,
  }),
})

export const transitionAutopay = endpoint({
  path: 'transition/autopay',
  summary: "Pauses, resumes or ends the caller's AutoPay for an account",
  ...byThemselves,
  body: z.object({ id, event: autopayStates.button }),
  response: done,
})

/**
 * Lets staff pause or end an enrollment. Staff enter a reason, which the resident receives. Only the resident can
 * resume a paused enrollment.
 */
export const endAutopayByStaff = formCall({
  path: 'muni/transition/autopay',
  summary: "Pauses or ends a resident's AutoPay with a reason",
  access: { audience: 'municipality', privilege: ['payments', 'update'] },
  whileImpersonating: 'refused',
  body: z.object({
    companyId,
    id,
    event: z.enum(['halt', 'stop']),
    reason: stepReason,
  }),
})

export const skipAutopay = endpoint({
  path: 'skip/autopay',
  summary: 'Skips the next AutoPay charge or restores it',
  ...byThemselves,
  body: z.object({ id, skip: z.boolean() }),
  response: done,
})
