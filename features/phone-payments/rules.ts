/**
 * State machine of the Pay by Phone dialog, without a telephone. It turns keypad input into spoken messages and into
 * questions for the portal.
 */
import { formatDate } from '../../shared/dates.ts'
import { formatCents } from '../../shared/money.ts'
import { say } from '../../shared/messages.ts'
import { type Limits, type Method, type AmountDue, payTypeOf, type Quote, lineRefusal } from '../payments/rules.ts'

export const PIN_DIGITS = 6

/** True if a PIN is easy to guess: one repeated digit, or consecutive digits. */
export const isEasyPin = (pin: string): boolean =>
  /^(\d)\1*$/.test(pin) || '01234567890'.includes(pin) || '09876543210'.includes(pin)

export interface PhonePayable {
  kind: string
  id: number
  /** Account number as staff and bills show it. */
  reference: string
}

/** Saved card or bank account of the caller. */
export interface PhoneMethod {
  id: number
  method: Method
  methodLabel: string
}

/** Amount due and payment options of an identified caller. */
export interface Open extends AmountDue {
  payable: PhonePayable
  person: number
  methods: readonly PhoneMethod[]
  limits: Limits
  /** Next installment of the payment arrangement. Null if none exists or it cannot be paid separately. */
  installment?: { cents: number; on: string } | null
}

export const outcomes = {
  talking: 'In progress',
  paid: 'Paid',
  processing: 'Processing',
  declined: 'Declined',
  left: 'Ended without payment',
  refused: 'Rejected',
  unknown: 'Not yet known',
} as const
export type Outcome = keyof typeof outcomes

export type Stage =
  | { at: 'account' }
  | { at: 'pin'; payable: PhonePayable }
  | { at: 'amount' | 'typing'; open: Open }
  | { at: 'method'; open: Open; cents: number }
  | { at: 'confirm'; open: Open; cents: number; chosenMethod: PhoneMethod; quote: SpokenQuote }
  | { at: 'paying'; open: Open; cents: number; receipt: string; pauses: number }
  | { at: 'ended'; outcome: Exclude<Outcome, 'talking'> }

/**
 * Message to the caller and the expected input: one key, several keys that end with #, a pause, or the end of the call.
 */
export interface CallStep {
  /** Number of invalid inputs in a row. */
  misses: number
  stage: Stage
  text: readonly string[]
  expects: 'key' | 'keys' | 'moment' | 'end'
}

/** Quote for the caller. `hasSeparateFee` is set if the fee is charged separately. */
export type SpokenQuote = Quote & { hasSeparateFee?: true }

/** Question that only the portal can answer. The answer goes to `requestPin`, `proven`, `quoted` or `reportPayment`. */
export type Question =
  | { query: 'find'; digits: string }
  | { query: 'prove'; payable: PhonePayable; pin: string }
  | { query: 'quote'; open: Open; cents: number; chosenMethod: PhoneMethod }
  | { query: 'pay'; open: Open; cents: number; chosenMethod: PhoneMethod; quote: SpokenQuote }
  | { query: 'look'; stage: Extract<Stage, { at: 'paying' }> }

const MAX_MISSES = 3
/**
 * Maximum number of pauses while the caller waits for the result of the payment. After that, the portal emails the
 * result.
 */
const MAX_MOMENTS = 6

const digitsOf = (reference: string) => [...reference].join(' ')

/** Returns the prompt of a stage. */
function promptOf(stage: Stage): string {
  switch (stage.at) {
    case 'account':
      return say`Enter your account number, then press pound.`
    case 'pin':
      return say`Enter your ${PIN_DIGITS}-digit PIN, then press pound.`
    case 'amount':
      return [
        stage.open.inFull
          ? say`To pay the full amount, press 1.`
          : say`To pay the full amount, press 1. To pay another amount, press 2.`,
        installmentPrompt(stage.open),
      ]
        .join(' ')
        .trim()
    case 'typing':
      return say`Enter the amount in dollars and cents, then press pound. For 25 dollars, press 2, 5, star, 0, 0.`
    case 'method':
      return stage.open.methods.map(({ methodLabel }, n) => say`To pay with ${methodLabel}, press ${n + 1}.`).join(' ')
    case 'confirm': {
      const { open, cents, chosenMethod, quote } = stage
      const account = digitsOf(open.payable.reference)
      const feeCents = formatCents(quote.feeCents)
      const feeText = quote.hasSeparateFee
        ? say`A service fee of ${feeCents} will be added as a separate charge on your statement.`
        : say`A fee of ${feeCents} will be added.`
      const fee = quote.feeCents > 0 ? ` ${feeText}` : ''
      return `${say`You will pay ${formatCents(cents)} on account ${account} with ${chosenMethod.methodLabel}.`}${fee} ${say`The total is ${formatCents(quote.totalCents)}. To pay, press 1. To end without paying, press 2.`}`
    }
    case 'paying':
      return say`One moment, please.`
    case 'ended':
      return say`Goodbye.`
  }
}

/**
 * Keys 1 and 2 mean the same on every call, so that callers can learn the menu by heart. The installment therefore has
 * key 3.
 */
const installmentPrompt = ({ installment }: Open): string =>
  installment
    ? say`To pay the installment of ${formatCents(installment.cents)} that is due on ${formatDate(installment.on)}, press 3.`
    : ''

const EXPECTS: Record<Stage['at'], CallStep['expects']> = {
  account: 'keys',
  pin: 'keys',
  amount: 'key',
  typing: 'keys',
  method: 'key',
  confirm: 'key',
  paying: 'moment',
  ended: 'end',
}

const stepAt = (stage: Stage, ...before: string[]): CallStep => ({
  misses: 0,
  stage,
  text: [...before, promptOf(stage)],
  expects: EXPECTS[stage.at],
})

export const end = (outcome: Exclude<Outcome, 'talking'>, ...before: string[]): CallStep =>
  stepAt({ at: 'ended', outcome }, ...before)

/** Repeats the prompt, and ends the call after too many consecutive invalid inputs. */
function miss({ stage, misses }: CallStep, why: string): CallStep {
  if (misses + 1 >= MAX_MISSES) return end('left', say`Nothing was paid. Please call again, or pay online.`)
  return { ...stepAt(stage, why), misses: misses + 1 }
}

export const greet = (companyName: string): CallStep =>
  stepAt({ at: 'account' }, say`Welcome to ${companyName}. You can pay your bill here.`)

export const notOffered = (companyName: string): CallStep =>
  end('refused', say`${companyName} does not take payments by phone. Please pay online or at the office.`)

/**
 * Handles the caller's input and returns the next message or question. If the caller pressed no key, `keyed` is empty.
 */
export function hear(step: CallStep, keyed: string): CallStep | Question {
  const { stage } = step
  const digits = keyed.replaceAll(/[^\d*]/g, '')
  switch (stage.at) {
    case 'account':
      return /^\d{1,30}$/.test(digits) ? { query: 'find', digits } : miss(step, NOT_HEARD())
    case 'pin':
      return new RegExp(`^\\d{${PIN_DIGITS}}$`).test(digits)
        ? { query: 'prove', payable: stage.payable, pin: digits }
        : miss(step, NOT_HEARD())
    case 'amount':
      if (digits === '1') return chosen(stage.open, stage.open.owedCents)
      if (digits === '3' && stage.open.installment) return chosen(stage.open, stage.open.installment.cents)
      return digits === '2' && !stage.open.inFull ? stepAt({ at: 'typing', open: stage.open }) : miss(step, NOT_HEARD())
    case 'typing':
      return typed(step, stage.open, digits)
    case 'method': {
      const chosenMethod = stage.open.methods[Number(digits) - 1]
      return chosenMethod && digits.length === 1
        ? { query: 'quote', open: stage.open, cents: stage.cents, chosenMethod }
        : miss(step, NOT_HEARD())
    }
    case 'confirm': {
      const { open, cents, chosenMethod, quote } = stage
      if (digits === '1') return { query: 'pay', open, cents, chosenMethod, quote }
      return digits === '2' ? end('left', say`Nothing was paid.`) : miss(step, NOT_HEARD())
    }
    case 'paying':
      return { query: 'look', stage }
    case 'ended':
      return { ...step, text: [promptOf(stage)] }
  }
}

const NOT_HEARD = () => say`We did not understand your entry.`

/** Parses an amount. `25*00` and `2500` both mean $25.00. */
function centsOf(digits: string): number | null {
  const [, dollars = '', cents = ''] = /^(\d{1,7})\*(\d{2})$/.exec(digits) ?? []
  if (cents !== '') return Number(dollars) * 100 + Number(cents)
  return /^\d{1,9}$/.test(digits) ? Number(digits) : null
}

function typed(step: CallStep, open: Open, digits: string): CallStep | Question {
  const cents = centsOf(digits)
  if (cents === null) return miss(step, NOT_HEARD())
  const payType = payTypeOf(cents, open.owedCents)
  const against = lineRefusal({ ...open, payType, billCents: cents }, open.limits)
  return against ? miss(step, against) : chosen(open, cents)
}

const chosen = (open: Open, cents: number): CallStep | Question =>
  open.methods.length === 1 && open.methods[0]
    ? { query: 'quote', open, cents, chosenMethod: open.methods[0] }
    : stepAt({ at: 'method', open, cents })

/** Requests the PIN, whether or not the account exists. */
export const requestPin = ({ misses }: CallStep, payable: PhonePayable): CallStep => ({
  ...stepAt({ at: 'pin', payable }),
  misses,
})

export type Proof = Open | 'invalid' | 'locked'

/**
 * Applies the result of the caller check. A wrong account number and a wrong PIN lead to the same message, so callers
 * learn nothing about accounts.
 */
export function proven(step: CallStep, proof: Proof): CallStep {
  if (proof === 'locked')
    return end('refused', say`You made too many incorrect attempts. Please call again in an hour, or pay online.`)
  if (proof === 'invalid')
    return step.misses + 1 >= MAX_MISSES
      ? end('refused', say`The information that you entered does not match our records. Please pay online.`)
      : {
          ...stepAt({ at: 'account' }, say`The information that you entered does not match our records.`),
          misses: step.misses + 1,
        }
  const { owedCents, payable, methods, limits } = proof
  const account = digitsOf(payable.reference)
  if (owedCents <= 0) return end('left', say`No amount is due on account ${account}.`)
  const owed = say`You owe ${formatCents(owedCents)} on account ${account}.`
  if (methods.length === 0)
    return end(
      'left',
      owed,
      say`You have no saved card or bank account. Add one online, under Settings, and call again.`,
    )
  // The amount due exceeds the maximum of one payment, so the caller must enter a smaller amount.
  if (owedCents > limits.maxCents && !proof.inFull) return stepAt({ at: 'typing', open: proof }, owed)
  return stepAt({ at: 'amount', open: proof }, owed)
}

export const quoted = (
  { open, cents, chosenMethod }: Extract<Question, { query: 'quote' }>,
  quote: SpokenQuote,
): CallStep => stepAt({ at: 'confirm', open, cents, chosenMethod, quote })

/**
 * Ends the call if no payment started, for example because the amount due changed or the payment method was removed.
 */
export const paymentNotStarted = (why: string): CallStep => end('left', why, say`Please call again.`)

export const paymentStarted = ({ open, cents }: Extract<Question, { query: 'pay' }>, receipt: string): CallStep =>
  stepAt({ at: 'paying', open, cents, receipt, pauses: 0 })

export type PhoneResult = 'paid' | 'processing' | 'declined' | 'working'

/**
 * Announces the result of a payment to the caller. After the last pause, the caller hears that the result comes by
 * email.
 */
export function reportPayment(stage: Extract<Stage, { at: 'paying' }>, became: PhoneResult): CallStep {
  const number = digitsOf(stage.receipt)
  switch (became) {
    case 'paid':
      return end(
        'paid',
        say`Thank you. Your payment is complete. Your confirmation number is ${number}. We will email you the receipt.`,
      )
    case 'processing':
      return end(
        'processing',
        say`Thank you. We requested the payment from your bank, which takes a few days. Your confirmation number is ${number}.`,
      )
    case 'declined': {
      if (stage.open.methods.length < 2) return end('declined', say`The payment was declined. Nothing was paid.`)
      const { open, cents } = stage
      return stepAt({ at: 'method', open, cents }, say`The payment was declined. Nothing was paid.`)
    }
    case 'working':
      return stage.pauses + 1 < MAX_MOMENTS
        ? stepAt({ ...stage, pauses: stage.pauses + 1 })
        : end(
            'unknown',
            say`We do not know yet whether your payment went through. Please do not pay again. We will email you the result. Your confirmation number is ${number}.`,
          )
  }
}

/** Returns the outcome of a call for its database row. While the call continues, the outcome is 'talking'. */
export const outcomeOf = ({ stage }: CallStep): Outcome => (stage.at === 'ended' ? stage.outcome : 'talking')
