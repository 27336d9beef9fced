import * as z from 'zod/mini'
import { done } from '../../shared/answers.ts'
import { EMAIL_WRONG, newEmail } from '../../shared/email.ts'
import { type Access, endpoint } from '../../shared/endpoint.ts'
import { isoDate } from '../../shared/iso-date.ts'
import { cents, parseCents, signedCents } from '../../shared/money.ts'
import { intoCart } from '../payments/contract.ts'
import { MOST_IN_CART } from '../payments/rules.ts'
import { orderStatusLabels } from '../payments/states.ts'
import { ACCOUNT_REQUIRED, AMOUNT_REQUIRED } from '../utility-accounts/contract.ts'
import { isLinkCode } from '../utility-accounts/rules.ts'
import { readKinds } from './rules.ts'

export const CODE_REQUIRED = 'Enter the link code from your bill: 8 to 12 letters and digits.'
export const NO_ACCOUNT = 'No account matches what you entered. Check it against your newest bill and try again.'
export const ALREADY_LINKED = 'You have linked this account already.'
export const NICKNAME_TOO_LONG = 'Please use at most 40 characters.'
export const NICKNAME_LETTERS = 'Please leave out < and > and characters that can not be seen.'
export const LIMIT_WRONG = 'Enter a number above zero, such as 8 or 6.5, or leave it empty.'
export const DAY_WRONG = 'Choose a day of the calendar, or leave it empty.'
export const AWAY_NEEDS_BOTH = 'Enter both days, the first and the last.'
export const AWAY_IN_ORDER = 'The last day is before the first.'
export const CONFIRM_FIRST =
  'Open the link in the mail that confirms your email first. Then your bills can come there without paper.'
export const NOTHING_CHOSEN = 'Choose at least one account to pay.'

const citizen: Access = { audience: 'citizen' }
const id = z.int().check(z.minimum(1), z.maximum(Number.MAX_SAFE_INTEGER))
const ofAccount = { accountId: id }
const day = z.string()

/** An account as its list has it. */
const account = z.object({
  id: z.number(),
  /** Whose link it is (specification 2.19): an account can be unlinked where that is somebody. */
  userId: z.number(),
  number: z.string(),
  nickname: z.string(),
  customer: z.string(),
  address: z.string(),
  /** Negative is a credit. */
  owedCents: signedCents,
  /** What payments that are under way will take off. */
  pendingCents: cents,
  /** What of it should have been paid by now. */
  pastDueCents: cents,
  /** Of the newest bill. */
  dueDate: z.nullable(day),
  paperless: z.boolean(),
  can: z.object({ pay: z.boolean(), unlink: z.boolean() }),
})

export const linkedAccounts = endpoint({
  path: 'return/utility/accounts',
  summary: "The caller's linked utility accounts, with what is owed on each",
  access: citizen,
  body: z.object({}),
  answer: z.object({ accounts: z.array(account) }),
})

/** Specification 7.3. Another person's id is 404. */
export const accountNumbers = endpoint({
  path: 'return/utility/account/numbers',
  summary: "The numbers of the caller's linked utility accounts",
  access: citizen,
  body: z.object({ userId: z.optional(z.nullable(z.union([z.number(), z.string()]))) }),
  answer: z.object({ accountNumber: z.array(z.string()) }),
})

const nickname = z
  .string()
  .check(z.trim(), z.maxLength(40, NICKNAME_TOO_LONG), z.regex(/^[^\p{C}<>]*$/u, NICKNAME_LETTERS))

/** By what somebody shows that an account is theirs: each is known to who gets the town's letters alone. */
export const linkForm = z
  .object({
    accountNumber: z
      .string()
      .check(
        z.trim(),
        z.minLength(1, ACCOUNT_REQUIRED),
        z.maxLength(40, ACCOUNT_REQUIRED),
        z.regex(/^[\dA-Za-z -]+$/, ACCOUNT_REQUIRED),
      ),
    proof: z.enum(['amount', 'code']),
    amount: z._default(z.string().check(z.trim(), z.maxLength(20, AMOUNT_REQUIRED)), ''),
    code: z._default(z.string().check(z.trim(), z.maxLength(20, CODE_REQUIRED)), ''),
    nickname: z._default(nickname, ''),
  })
  .check(
    z.refine(({ proof, amount }) => proof !== 'amount' || parseCents(amount) !== null, {
      path: ['amount'],
      error: AMOUNT_REQUIRED,
    }),
    z.refine(({ proof, code }) => proof !== 'code' || isLinkCode(code), { path: ['code'], error: CODE_REQUIRED }),
  )

/** Whatever is wrong, it says only that no account matches. */
export const linkAccount = endpoint({
  path: 'link/utility/account',
  idempotent: 'offered',
  summary: 'Links a utility account to the caller, by its number and a proof',
  access: citizen,
  body: linkForm,
  answer: z.extend(done, { accountId: z.number() }),
})

export const unlinkAccount = endpoint({
  path: 'unlink/utility/account',
  idempotent: 'offered',
  summary: "Takes a utility account from the caller's list",
  access: citizen,
  body: z.object(ofAccount),
  answer: done,
})

const dayOrNone = z
  .string()
  .check(z.refine((text) => text === '' || isoDate.safeParse(text).success, { error: DAY_WRONG }))

/** What somebody wants of an account: how it is called, paper or not, and what they want to be told. */
export const settingsForm = z
  .object({
    nickname,
    paperless: z.boolean(),
    usageLimit: z.string().check(
      z.trim(),
      z.regex(/^(?:\d{1,7}(?:\.\d{1,3})?)?$/, LIMIT_WRONG),
      z.refine((text) => text === '' || Number(text) > 0 || !/^[\d.]+$/.test(text), { error: LIMIT_WRONG }),
    ),
    awayFrom: dayOrNone,
    awayUntil: dayOrNone,
    alsoTo: z.string().check(
      z.trim(),
      z.refine((text) => text === '' || newEmail.safeParse(text).success, { error: EMAIL_WRONG }),
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

export const saveAccount = endpoint({
  path: 'save/utility/account',
  idempotent: 'offered',
  summary: 'Saves what the caller calls a linked account, and what they want to be told of it',
  access: citizen,
  body: z.object({ ...ofAccount, settings: settingsForm, basis: z.optional(z.record(z.string(), z.unknown())) }),
  answer: done,
})

export const openPayment = endpoint({
  path: 'open/utility/payment',
  summary: 'Opens one checkout for what is owed on one or several linked accounts',
  access: citizen,
  whileImpersonating: 'refused',
  body: z.object({
    accountIds: z
      .array(id)
      .check(z.minLength(1, NOTHING_CHOSEN), z.maxLength(MOST_IN_CART, 'Pay at most 20 accounts at once.')),
    cart: intoCart,
  }),
  answer: z.object({ token: z.string() }),
})

/** As the import takes them; whatever else is asked for is no bill. */
const billNumber = z.string().check(z.regex(/^[\w./#-]{1,40}$/, 'This is not the number of a bill.'))

const bill = z.object({
  number: z.string(),
  date: day,
  dueDate: day,
  periodStart: day,
  periodEnd: day,
  days: z.int(),
  amountCents: signedCents,
})

const payment = z.object({
  id: z.number(),
  receipt: z.string(),
  at: z.string(),
  /** What of it went to this account. */
  amountCents: signedCents,
  totalCents: signedCents,
  /** Empty where somebody else paid with it. */
  means: z.string(),
  status: z.int().check(z.refine((status) => status in orderStatusLabels)),
  can: z.object({ print: z.boolean() }),
})

/** One account with its bills and payments of a year. */
export const showAccount = endpoint({
  path: 'return/utility/account',
  summary: 'One linked utility account, with its bills and payments of a year',
  access: citizen,
  body: z.object({ ...ofAccount, year: z.optional(z.int().check(z.minimum(1900), z.maximum(2199))) }),
  answer: z.object({
    account,
    settings: settingsForm,
    /** What a meter of it counts in; empty where nothing is measured. */
    unit: z.string(),
    year: z.int(),
    /** Years with bills or payments, the newest first. */
    years: z.array(z.int()),
    bills: z.array(bill),
    payments: z.array(payment),
  }),
})

/** Why a bill comes to more or less than the one before: the amounts of all reasons are the difference together. */
const comparison = z.object({
  beforeNumber: z.string(),
  beforeCents: signedCents,
  differenceCents: signedCents,
  reasons: z.array(z.object({ kind: z.string(), cents: signedCents, text: z.string() })),
})

export const showBill = endpoint({
  path: 'return/utility/bill',
  summary: 'A bill of a linked account as it is printed, and why it is higher or lower than the one before',
  access: citizen,
  body: z.object({ ...ofAccount, billNumber }),
  answer: z.object({
    bill,
    account: z.object({ id: z.number(), number: z.string(), customer: z.string(), address: z.string() }),
    lines: z.array(z.object({ text: z.string(), note: z.string(), amountCents: signedCents })),
    /** What was received for it before it was sent. */
    paidElsewhereCents: cents,
    comparison: z.nullable(comparison),
  }),
})

export const printBill = endpoint({
  path: 'print/utility/bill',
  summary: 'A bill of a linked account as PDF',
  access: citizen,
  answers: 'download',
  body: z.object({ ...ofAccount, billNumber }),
  answer: z.object({ url: z.string() }),
})

export const printReceipt = endpoint({
  path: 'print/utility/receipt',
  summary: 'The receipt of a successful payment for a linked account as PDF',
  access: citizen,
  answers: 'download',
  body: z.object({ ...ofAccount, paymentId: id }),
  answer: z.object({ url: z.string() }),
})

const month = { month: z.string(), before: z.number(), value: z.number() }
const amounts = z.array(z.object({ ...month, days: z.int(), daysBefore: z.int() }))

/** Twelve months of an account beside the twelve before them, with the days that each is of. */
export const accountYear = endpoint({
  path: 'return/utility/year',
  summary: 'A year of billing, payments and use of a linked account, beside the year before',
  access: citizen,
  body: z.object(ofAccount),
  answer: z.object({
    /** In cents. */
    billed: amounts,
    /** In cents, by the day on which it was received; what was paid elsewhere stands in the month of its bill. */
    paid: amounts,
    uses: z.array(
      z.object({
        service: z.string(),
        unit: z.string(),
        /** From readings of the meter, or from the quantities of the bills. */
        source: z.enum(['reads', 'bills']),
        months: amounts,
        /** Each reading or bill, the newest first. */
        periods: z.array(
          z.object({
            until: day,
            days: z.int(),
            used: z.number(),
            /** Of all meters together; null where it comes from a bill. */
            reading: z.nullable(z.number()),
            kind: z.enum(readKinds),
          }),
        ),
      }),
    ),
    /** What stands out in the newest use, and what to do about it. */
    hint: z.nullable(z.object({ title: z.string(), text: z.string() })),
    /** About the newest bill. */
    newest: z.nullable(z.object({ number: z.string(), amountCents: signedCents, comparison: z.nullable(comparison) })),
  }),
})
