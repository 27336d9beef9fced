import * as z from 'zod/mini'
import { done } from '../../shared/responses.ts'
import { EMAIL_INVALID, newEmail } from '../../shared/email.ts'
import { type Access, downloadCall, endpoint, formCall } from '../../shared/endpoint.ts'
import { isoDate } from '../../shared/iso-date.ts'
import { cents, parseCents, signedCents } from '../../shared/money.ts'
import { intoCart } from '../payments/contract.ts'
import { MAX_IN_CART } from '../payments/rules.ts'
import { orderStatusLabels } from '../payments/states.ts'
import { accountNumber, AMOUNT_REQUIRED } from '../utility-accounts/contract.ts'
import { isLinkCode } from '../utility-accounts/rules.ts'
import { usageKinds } from './rules.ts'
import { shareStates } from './states.ts'
import { basis, companyId, rowId as id } from '../../shared/body-parts.ts'
import { triedFact } from '../outages/contract-attempts.ts'
import { VISIBLE_LINE } from '../../shared/visible.ts'
import { cleaned } from '../../shared/typed.ts'

export const CODE_REQUIRED = 'Enter the link code from your letter or bill: 8 to 12 letters and digits.'
export const NO_ACCOUNT = 'No account matches your entries. Check them against your latest bill and try again.'
export const ALREADY_LINKED = 'You already linked this account.'
export const NICKNAME_TOO_LONG = 'Use no more than 40 characters.'
export const NICKNAME_CHARS = 'Remove the characters < and > and any hidden or unprintable characters.'
export const LIMIT_INVALID = 'Enter a number above zero, such as 8 or 6.5, or leave this field empty.'
export const DAY_INVALID = 'Choose a date, or leave this field empty.'
export const AWAY_NEEDS_BOTH = 'Enter both the first and the last day.'
export const AWAY_IN_ORDER = 'The last day must not be before the first day.'
export const CONFIRM_FIRST =
  'Confirm your email address before you turn on paperless billing. Open the link in the confirmation email that we sent you.'
export const NOTHING_CHOSEN = 'Choose at least one account to pay.'

const citizen: Access = { audience: 'citizen' }
const ofAccount = { accountId: id }
const day = z.string()

/** Scheduled or completed shutoff. Null if none. */
export const shutoffFact = z.nullable(
  z.object({
    state: z.enum(['scheduled', 'off']),
    on: day,
    /** Amount to pay, in cents. Null for the entire past due amount. */
    amountCents: z.nullable(cents),
    reason: z.string(),
    /** Payment attempt during a provider outage, in the weeks before the shutoff. Null if none. */
    tried: triedFact,
  }),
)

/** Utility account as the list shows it. */
const account = z.object({
  id: z.number(),
  /** Id of the person who linked the account (spec 2.19). The call that unlinks the account requires it. */
  userId: z.number(),
  number: z.string(),
  nickname: z.string(),
  customer: z.string(),
  address: z.string(),
  /** Amount due in cents. Negative for a credit. */
  owedCents: signedCents,
  /** Pending payments, in cents. */
  pendingCents: cents,
  /** Past due part of the amount due, in cents. */
  pastDueCents: cents,
  /** Due date of the latest bill. */
  dueDate: z.nullable(day),
  paperless: z.boolean(),
  shutoff: shutoffFact,
  /** AutoPay enrollment of the caller. Null if it never existed or ended long ago. */
  autopay: z.nullable(
    z.object({
      state: z.enum(['active', 'paused', 'ended', 'removed']),
      /** Expiration date of the enrollment's card, if it expires soon. Otherwise null. */
      expiresOn: z.nullable(day),
    }),
  ),
  /** Last day on which the person lived at the service address. Null if they have not moved out. */
  leftOn: z.nullable(day),
  can: z.object({ pay: z.boolean(), unlink: z.boolean() }),
})

export const linkedAccounts = endpoint({
  path: 'return/utility/accounts',
  summary: "Returns the caller's linked utility accounts with their amounts due",
  access: citizen,
  body: z.object({}),
  response: z.object({ accounts: z.array(account) }),
})

/**
 * Lists the account numbers that the caller linked, as defined in spec 7.3. Returns 404 for the id of another person.
 */
export const accountNumbers = endpoint({
  path: 'return/utility/account/numbers',
  summary: "Returns the numbers of the caller's linked utility accounts",
  access: citizen,
  body: z.object({ userId: z.optional(z.nullable(z.union([z.number(), z.string()]))) }),
  response: z.object({ accountNumber: z.array(z.string()) }),
})

const nickname = z.string().check(z.trim(), z.maxLength(40, NICKNAME_TOO_LONG), z.regex(VISIBLE_LINE, NICKNAME_CHARS))

/**
 * Form that links an account. The amount of a recent bill or a link code proves that the person receives the account's
 * mail.
 */
export const linkForm = z
  .object({
    accountNumber,
    proof: z.enum(['amount', 'code']),
    amount: z._default(z.string().check(cleaned(), z.maxLength(20, AMOUNT_REQUIRED)), ''),
    code: z._default(z.string().check(cleaned(), z.maxLength(20, CODE_REQUIRED)), ''),
    nickname: z._default(nickname, ''),
  })
  .check(
    z.refine(({ proof, amount }) => proof !== 'amount' || parseCents(amount) !== null, {
      path: ['amount'],
      error: AMOUNT_REQUIRED,
    }),
    z.refine(({ proof, code }) => proof !== 'code' || isLinkCode(code), { path: ['code'], error: CODE_REQUIRED }),
  )

/** Links an account. Every mismatch returns the same message, so that callers cannot guess accounts. */
export const linkAccount = formCall({
  path: 'link/utility/account',
  summary: 'Links a utility account to the caller by number and proof',
  access: citizen,
  whileImpersonating: 'refused',
  body: linkForm,
  response: z.extend(done, { accountId: z.number() }),
})

export const unlinkAccount = formCall({
  path: 'unlink/utility/account',
  summary: "Removes a utility account from the caller's linked accounts",
  access: citizen,
  whileImpersonating: 'refused',
  body: z.object(ofAccount),
})

const dayOrNone = z
  .string()
  .check(z.refine((text) => text === '' || isoDate.safeParse(text).success, { error: DAY_INVALID }))

/** Form for the settings of a linked account: nickname, paperless billing and notifications. */
export const settingsForm = z
  .object({
    nickname,
    paperless: z.boolean(),
    usageLimit: z.string().check(
      cleaned(),
      z.regex(/^(?:\d{1,7}(?:\.\d{1,3})?)?$/, LIMIT_INVALID),
      z.refine((text) => text === '' || Number(text) > 0 || !/^[\d.]+$/.test(text), { error: LIMIT_INVALID }),
    ),
    awayFrom: dayOrNone,
    awayUntil: dayOrNone,
    alsoTo: z.string().check(
      cleaned(),
      z.refine((text) => text === '' || newEmail.safeParse(text).success, { error: EMAIL_INVALID }),
    ),
  })
  .check(
    z.refine(({ awayFrom, awayUntil }) => (awayFrom === '') === (awayUntil === ''), {
      path: ['awayUntil'],
      error: AWAY_NEEDS_BOTH,
    }),
    z.refine(({ awayFrom, awayUntil }) => awayFrom === '' || awayUntil === '' || awayFrom <= awayUntil, {
      path: ['awayUntil'],
      error: AWAY_IN_ORDER,
    }),
  )
export type AccountSettings = z.output<typeof settingsForm>

export const saveAccount = formCall({
  path: 'save/utility/account',
  summary: 'Saves the nickname and notification settings of a linked account',
  access: citizen,
  body: z.object({ ...ofAccount, settings: settingsForm, basis }),
})

export const openPayment = endpoint({
  path: 'open/utility/payment',
  summary: 'Opens a checkout for the amounts due of linked accounts',
  access: citizen,
  whileImpersonating: 'refused',
  body: z.object({
    accountIds: z
      .array(id)
      .check(z.minLength(1, NOTHING_CHOSEN), z.maxLength(MAX_IN_CART, 'Pay up to 20 accounts at a time.')),
    cart: intoCart,
  }),
  response: z.object({ token: z.string() }),
})

/** Bill number with the same pattern as in the import. Other text cannot be a bill number. */
const billNumber = z
  .string()
  .check(z.regex(/^[\w./#-]{1,40}$/, 'This is not a bill number. Open the bill from your account page.'))

const bill = z.object({
  number: z.string(),
  date: day,
  dueDate: day,
  periodStart: day,
  periodEnd: day,
  days: z.int(),
  amountCents: signedCents,
})

/** Adjustment to the balance between two bills. Negative for a credit. */
const adjustment = z.object({ number: z.string(), date: day, amountCents: signedCents, reason: z.string() })

const payment = z.object({
  id: z.number(),
  receipt: z.string(),
  at: z.string(),
  /** Part of the payment that is for this account, in cents. */
  amountCents: signedCents,
  totalCents: signedCents,
  /** Payment method. Empty if the details are hidden, for example because another person paid. */
  methodLabel: z.string(),
  status: z.int().check(z.refine((status) => status in orderStatusLabels)),
  can: z.object({ print: z.boolean() }),
})

/** Loads an account with the bills and payments of one year. */
export const showAccount = endpoint({
  path: 'return/utility/account',
  summary: 'Returns a linked utility account with one year of bills',
  access: citizen,
  body: z.object({ ...ofAccount, year: z.optional(z.int().check(z.minimum(1900), z.maximum(2199))) }),
  response: z.object({
    account,
    settings: settingsForm,
    /** Unit of the account's meters. Empty if the account has no measured usage. */
    unit: z.string(),
    year: z.int(),
    /** Years with bills or payments, newest first. */
    years: z.array(z.int()),
    bills: z.array(bill),
    adjustments: z.array(adjustment),
    payments: z.array(payment),
  }),
})

/** Comparison of a bill with the previous bill. The amounts of the reasons add up to the difference. */
const comparison = z.object({
  beforeNumber: z.string(),
  beforeCents: signedCents,
  differenceCents: signedCents,
  reasons: z.array(z.object({ kind: z.string(), cents: signedCents, text: z.string() })),
  /** Adjustments to the balance since the previous bill. This bill's amount does not include them. */
  adjustments: z.array(adjustment),
})

export const showBill = endpoint({
  path: 'return/utility/bill',
  summary: 'Returns a bill of a linked account with a usage comparison',
  access: citizen,
  body: z.object({ ...ofAccount, billNumber }),
  response: z.object({
    bill,
    account: z.object({ id: z.number(), number: z.string(), customer: z.string(), address: z.string() }),
    lines: z.array(z.object({ text: z.string(), note: z.string(), amountCents: signedCents })),
    /** True if the PDF was created by the billing system and not by the portal. */
    isOfBillingSystem: z.boolean(),
    /** Amount received for this bill outside the portal, in cents. */
    paidElsewhereCents: cents,
    comparison: z.nullable(comparison),
  }),
})

export const printBill = downloadCall({
  path: 'print/utility/bill',
  summary: 'Downloads a bill of a linked account as PDF',
  access: citizen,
  body: z.object({ ...ofAccount, billNumber }),
})

export const printReceipt = downloadCall({
  path: 'print/utility/receipt',
  whenOff: 'finish',
  summary: 'Downloads a payment receipt for a linked account as PDF',
  access: citizen,
  body: z.object({ ...ofAccount, paymentId: id }),
})

const month = { month: z.string(), before: z.number(), value: z.number() }
export const yearAmounts = z.array(z.object({ ...month, days: z.int(), daysBefore: z.int() }))

/** Monthly usage of one service over a year, with the previous year for comparison. */
export const oneUse = z.object({
  service: z.string(),
  unit: z.string(),
  /** Source of the usage: meter readings, or quantities on the bills. */
  source: z.enum(['reads', 'bills']),
  months: yearAmounts,
  /** Readings or bills, newest first. */
  periods: z.array(
    z.object({
      until: day,
      days: z.int(),
      used: z.number(),
      /** Total reading of all meters. Null if the figures come from a bill. */
      reading: z.nullable(z.number()),
      kind: z.enum(usageKinds),
    }),
  ),
})

/**
 * Loads the amounts of an account for twelve months and for the twelve months before, with the number of days that each
 * amount covers.
 */
export const accountYear = endpoint({
  path: 'return/utility/year',
  summary: 'Returns twelve months of a linked account beside the previous twelve',
  access: citizen,
  body: z.object(ofAccount),
  response: z.object({
    /** Billed amounts, in cents. */
    billed: yearAmounts,
    /**
     * Payments in cents, by the month in which the portal received them. A payment made elsewhere counts in the month
     * of its bill.
     */
    paid: yearAmounts,
    uses: z.array(oneUse),
    /** Advice about an unusual change in the latest usage. Null if the usage is normal. */
    hint: z.nullable(z.object({ title: z.string(), text: z.string() })),
    /** Latest bill. Null if the account has none. */
    newest: z.nullable(z.object({ number: z.string(), amountCents: signedCents, comparison: z.nullable(comparison) })),
  }),
})

/**
 * Access rule for the calls that print link codes for customers. Only staff who may change utility accounts have
 * access.
 */
const staff: Access = { audience: 'municipality', privilege: ['customers', 'update'] }
const byCompany = { companyId }

export const MAX_LENGTH = 200

export const printLinkMailings = downloadCall({
  path: 'muni/print/link/codes',
  summary: 'Creates link codes for utility accounts and downloads letters as PDF',
  access: staff,
  whileImpersonating: 'refused',
  body: z.object({
    ...byCompany,
    accountIds: z
      .array(id)
      .check(
        z.minLength(1, 'Choose at least one account.'),
        z.maxLength(MAX_LENGTH, 'Print up to 200 letters at a time.'),
      ),
  }),
})

/** Stream of events about created and used link codes, for staff screens that show the account. */
export const linkCodeEvents = endpoint({
  path: 'muni/live/link/codes',
  method: 'GET',
  summary: 'Streams an event for each created or used link code',
  access: { audience: 'municipality', privilege: ['customers', 'view'] },
  responseType: 'events',
  body: z.object({}),
  response: z.object({ topic: z.string(), id: z.number() }),
})

export const printCustomerBill = downloadCall({
  path: 'muni/print/utility/bill',
  summary: "Downloads an account's newest bill as PDF with a payment link",
  access: staff,
  whileImpersonating: 'refused',
  body: z.object({ ...byCompany, ...ofAccount, withCode: z.boolean() }),
})

/** Parts of an account that can be shared, with their labels. */
export const shareKinds = { history: 'Usage history', watch: 'Account status' } as const
export type ShareKind = keyof typeof shareKinds

export const SHARE_CODE = 'Enter the code that you received: 12 letters and digits.'
export const NO_OFFER =
  'No offer matches this code. The offer may have expired, been withdrawn or been sent to another email address.'
export const OWN_OFFER = 'This is your own offer. The other person must accept it.'

const shareKind = z.enum(Object.keys(shareKinds) as [ShareKind])
const shareCode = z.string().check(cleaned(), z.maxLength(40, SHARE_CODE), z.regex(/^[\dA-Za-z -]{8,40}$/, SHARE_CODE))
export const shareCodeForm = z.object({ code: shareCode })

/** Description of the shared data. Both people see the same terms before they agree. */
const terms = { kind: shareKind, withAmounts: z.boolean(), address: z.string(), until: z.string() }

const share = z.object({
  id: z.number(),
  ...terms,
  state: shareStates.state,
  offeredAt: z.string(),
  acceptedAt: z.nullable(z.string()),
  /** Email that the offer was sent to. Only the person who made the offer sees it. Otherwise empty. */
  toEmail: z.string(),
  isTooOld: z.boolean(),
})

export const returnShares = endpoint({
  path: 'return/utility/shares',
  summary: "Returns the caller's outgoing and incoming utility account shares",
  access: citizen,
  body: z.object({}),
  response: z.object({
    outgoing: z.array(share),
    got: z.array(share),
    accounts: z.array(z.object({ id: z.number(), name: z.string() })),
  }),
})

export const offerForm = z.object({
  accountId: id,
  kind: shareKind,
  withAmounts: z.boolean(),
  toEmail: z.string().check(
    cleaned(),
    z.refine((text) => text === '' || newEmail.safeParse(text).success, { error: EMAIL_INVALID }),
  ),
})

/**
 * Creates an offer and returns its code, which is shown only once. If the offer names an email address, the portal
 * sends the offer there, and only the owner of that address may accept it.
 */
export const offerShare = endpoint({
  path: 'offer/utility/share',
  summary: "Creates an offer to share a utility account's history or status",
  access: citizen,
  whileImpersonating: 'refused',
  body: offerForm,
  response: z.extend(done, { code: z.string() }),
})

export const previewShare = endpoint({
  path: 'return/utility/share/offer',
  summary: 'Returns the terms of an offered share',
  access: citizen,
  body: shareCodeForm,
  response: z.object(terms),
})

export const acceptShare = endpoint({
  path: 'accept/utility/share',
  summary: 'Accepts an offered share',
  access: citizen,
  whileImpersonating: 'refused',
  body: shareCodeForm,
  response: z.extend(done, { shareId: z.number() }),
})

export const endShare = endpoint({
  path: 'end/utility/share',
  summary: 'Ends an outgoing or incoming share of the caller',
  access: citizen,
  whileImpersonating: 'refused',
  body: z.object({ shareId: id }),
  response: done,
})

/** Loads the data of a share. It contains only what both people agreed to. */
export const returnShared = endpoint({
  path: 'return/utility/shared',
  summary: 'Returns the utility account data shared with the caller',
  access: citizen,
  body: z.object({ shareId: id }),
  response: z.object({
    ...terms,
    uses: z.array(oneUse),
    /** Billed amounts in cents. Empty unless amounts are shared. */
    billed: yearAmounts,
    /** Past due amount and shutoff. Null unless the share has the kind `watch`. */
    watched: z.nullable(z.object({ pastDueCents: cents, shutoff: shutoffFact })),
  }),
})
