/**
 * The conversation of somebody who pays by phone, as a state machine without a telephone: what was keyed goes in, what is
 * said and what is asked of the portal comes out.
 */
import { formatDate } from '../../shared/dates.ts'
import { formatCents } from '../../shared/money.ts'
import { say } from '../../shared/words.ts'
import { type Limits, type Method, type AmountDue, payTypeOf, type Quote, refuseLine } from '../payments/rules.ts'

export const PIN_DIGITS = 6

/** A PIN that is guessed first: one digit again and again, or digits in a row. */
export const isEasyPin = (pin: string): boolean =>
  /^(\d)\1*$/.test(pin) || '01234567890'.includes(pin) || '09876543210'.includes(pin)

export interface PhonePayable {
  kind: string
  id: number
  /** What staff and bills call it. */
  reference: string
}

/** A card or bank account that is kept for the caller. */
export interface PhoneMethod {
  id: number
  method: Method
  means: string
}

/** What is open to a caller who is known. */
export interface Open extends AmountDue {
  thing: PhonePayable
  person: number
  ways: readonly PhoneMethod[]
  limits: Limits
  /** What is due next by a payment arrangement, where there is one and it is less than what is owed. */
  installment?: { cents: number; on: string } | null
}

export const outcomes = {
  talking: 'Under way',
  paid: 'Paid',
  on_its_way: 'On its way',
  declined: 'Declined',
  left: 'Hung up',
  refused: 'Not let in',
  unknown: 'Not known yet',
} as const
export type Outcome = keyof typeof outcomes

export type Stage =
  | { at: 'account' }
  | { at: 'pin'; thing: PhonePayable }
  | { at: 'amount' | 'typing'; open: Open }
  | { at: 'method'; open: Open; cents: number }
  | { at: 'confirm'; open: Open; cents: number; way: PhoneMethod; quote: SpokenQuote }
  | { at: 'paying'; open: Open; cents: number; receipt: string; asked: number }
  | { at: 'over'; outcome: Exclude<Outcome, 'talking'> }

/** What the caller hears, and what is waited for: one key, keys that end with #, nothing but a moment, or the end. */
export interface CallStep {
  /** How often in a row nothing that fits was keyed. */
  misses: number
  stage: Stage
  says: readonly string[]
  expects: 'key' | 'keys' | 'moment' | 'end'
}

/** What it costs; `apart`: the fee is a charge of its own. */
export type SpokenQuote = Quote & { apart?: true }

/** What only the portal can say. Its answer goes on with `found`, `proven`, `quoted` or `settled`. */
export type Question =
  | { ask: 'find'; digits: string }
  | { ask: 'prove'; thing: PhonePayable; pin: string }
  | { ask: 'quote'; open: Open; cents: number; way: PhoneMethod }
  | { ask: 'pay'; open: Open; cents: number; way: PhoneMethod; quote: SpokenQuote }
  | { ask: 'look'; stage: Extract<Stage, { at: 'paying' }> }

const MAX_MISSES = 3
/** A caller waits so many moments for a payment; afterwards a mail tells them. */
const MAX_MOMENTS = 6

const digitsOf = (reference: string) => [...reference].join(' ')

/** What a stage asks for. */
function promptOf(stage: Stage): string {
  switch (stage.at) {
    case 'account':
      return say`Enter your account number, then press pound.`
    case 'pin':
      return say`Enter your PIN of ${PIN_DIGITS} digits, then press pound.`
    case 'amount':
      return [say`To pay all of it, press 1. To pay another amount, press 2.`, installmentPrompt(stage.open)]
        .join(' ')
        .trim()
    case 'typing':
      return say`Enter the amount in dollars and cents, then press pound. For 25 dollars press 2, 5, star, 0, 0.`
    case 'method':
      return stage.open.ways.map(({ means }, n) => say`To pay by ${means}, press ${n + 1}.`).join(' ')
    case 'confirm': {
      const { open, cents, way, quote } = stage
      const account = digitsOf(open.thing.reference)
      const feeCents = formatCents(quote.feeCents)
      const says = quote.apart
        ? say`A service fee of ${feeCents} is added, which stands on your statement as a charge of its own.`
        : say`A fee of ${feeCents} is added.`
      const fee = quote.feeCents > 0 ? ` ${says}` : ''
      return `${say`You pay ${formatCents(cents)} to account ${account} by ${way.means}.`}${fee} ${say`Together that is ${formatCents(quote.totalCents)}. To pay, press 1. To end without paying, press 2.`}`
    }
    case 'paying':
      return say`One moment, please.`
    case 'over':
      return say`Goodbye.`
  }
}

/** The first two keys mean the same on every call, so that whoever knows them by heart pays what they mean to. */
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
  over: 'end',
}

const goOn = (stage: Stage, ...before: string[]): CallStep => ({
  misses: 0,
  stage,
  says: [...before, promptOf(stage)],
  expects: EXPECTS[stage.at],
})

export const end = (outcome: Exclude<Outcome, 'talking'>, ...before: string[]): CallStep =>
  goOn({ at: 'over', outcome }, ...before)

/** The same once more, and after the third time in a row no more. */
function miss({ stage, misses }: CallStep, why: string): CallStep {
  if (misses + 1 >= MAX_MISSES) return end('left', say`Nothing was paid. Please call again, or pay online.`)
  return { ...goOn(stage, why), misses: misses + 1 }
}

export const greet = (town: string): CallStep =>
  goOn({ at: 'account' }, say`Welcome to ${town}. You can pay your bill here.`)

export const notOffered = (town: string): CallStep =>
  end('refused', say`${town} does not take payments by phone. Please pay online or at the office.`)

/** What somebody keyed at a turn: what is said next, or what has to be asked first. Nothing keyed is an empty text. */
export function hear(turn: CallStep, keyed: string): CallStep | Question {
  const { stage } = turn
  const digits = keyed.replaceAll(/[^\d*]/g, '')
  switch (stage.at) {
    case 'account':
      return /^\d{1,30}$/.test(digits) ? { ask: 'find', digits } : miss(turn, NOT_HEARD())
    case 'pin':
      return new RegExp(`^\\d{${PIN_DIGITS}}$`).test(digits)
        ? { ask: 'prove', thing: stage.thing, pin: digits }
        : miss(turn, NOT_HEARD())
    case 'amount':
      if (digits === '1') return chosen(stage.open, stage.open.owedCents)
      if (digits === '3' && stage.open.installment) return chosen(stage.open, stage.open.installment.cents)
      return digits === '2' && !stage.open.inFull ? goOn({ at: 'typing', open: stage.open }) : miss(turn, NOT_HEARD())
    case 'typing':
      return typed(turn, stage.open, digits)
    case 'method': {
      const way = stage.open.ways[Number(digits) - 1]
      return way && digits.length === 1
        ? { ask: 'quote', open: stage.open, cents: stage.cents, way }
        : miss(turn, NOT_HEARD())
    }
    case 'confirm': {
      const { open, cents, way, quote } = stage
      if (digits === '1') return { ask: 'pay', open, cents, way, quote }
      return digits === '2' ? end('left', say`Nothing was paid.`) : miss(turn, NOT_HEARD())
    }
    case 'paying':
      return { ask: 'look', stage }
    case 'over':
      return { ...turn, says: [promptOf(stage)] }
  }
}

const NOT_HEARD = () => say`That was not understood.`

/** `25*00` is $25.00, and so is `2500`. */
function centsOf(digits: string): number | null {
  const [, dollars = '', cents = ''] = /^(\d{1,7})\*(\d{2})$/.exec(digits) ?? []
  if (cents !== '') return Number(dollars) * 100 + Number(cents)
  return /^\d{1,9}$/.test(digits) ? Number(digits) : null
}

function typed(turn: CallStep, open: Open, digits: string): CallStep | Question {
  const cents = centsOf(digits)
  if (cents === null) return miss(turn, NOT_HEARD())
  const payType = payTypeOf(cents, open.owedCents)
  const against = refuseLine({ ...open, payType, billCents: cents }, open.limits)
  return against ? miss(turn, against) : chosen(open, cents)
}

const chosen = (open: Open, cents: number): CallStep | Question =>
  open.ways.length === 1 && open.ways[0]
    ? { ask: 'quote', open, cents, way: open.ways[0] }
    : goOn({ at: 'method', open, cents })

/** Whoever keyed a number is asked for the PIN, whether there is such an account or not. */
export const found = ({ misses }: CallStep, thing: PhonePayable): CallStep => ({
  ...goOn({ at: 'pin', thing }),
  misses,
})

export type Proof = Open | 'wrong' | 'locked'

/** What came of finding out who calls. A wrong account and a wrong PIN sound the same. */
export function proven(turn: CallStep, proof: Proof): CallStep {
  if (proof === 'locked')
    return end('refused', say`There were too many wrong tries. Please call again in an hour, or pay online.`)
  if (proof === 'wrong')
    return turn.misses + 1 >= MAX_MISSES
      ? end('refused', say`That does not fit what we have. Please pay online.`)
      : { ...goOn({ at: 'account' }, say`That does not fit what we have.`), misses: turn.misses + 1 }
  const { owedCents, thing, ways, limits } = proof
  const account = digitsOf(thing.reference)
  if (owedCents <= 0) return end('left', say`Nothing is owed on account ${account}.`)
  const owed = say`You owe ${formatCents(owedCents)} on account ${account}.`
  if (ways.length === 0)
    return end(
      'left',
      owed,
      say`No card or bank account is kept for you. Add one online, under Settings, and call again.`,
    )
  // More than can be paid at once: only a part of it can be.
  if (owedCents > limits.maxCents && !proof.inFull) return goOn({ at: 'typing', open: proof }, owed)
  return goOn({ at: 'amount', open: proof }, owed)
}

export const quoted = ({ open, cents, way }: Extract<Question, { ask: 'quote' }>, quote: SpokenQuote): CallStep =>
  goOn({ at: 'confirm', open, cents, way, quote })

/** Nothing was begun: what is owed has changed, or its method is gone. */
export const notBegun = (why: string): CallStep => end('left', why, say`Please call again.`)

export const begun = ({ open, cents }: Extract<Question, { ask: 'pay' }>, receipt: string): CallStep =>
  goOn({ at: 'paying', open, cents, receipt, asked: 0 })

export type PhoneResult = 'paid' | 'on_its_way' | 'declined' | 'working'

/** What became of a payment. Who waited long enough hears that a mail will tell. */
export function settled(stage: Extract<Stage, { at: 'paying' }>, became: PhoneResult): CallStep {
  const number = digitsOf(stage.receipt)
  switch (became) {
    case 'paid':
      return end('paid', say`Thank you. It is paid. Your confirmation number is ${number}. The receipt comes by mail.`)
    case 'on_its_way':
      return end(
        'on_its_way',
        say`Thank you. Your bank is asked for the money, which takes a few days. Your confirmation number is ${number}.`,
      )
    case 'declined': {
      if (stage.open.ways.length < 2) return end('declined', say`The payment was declined. Nothing was paid.`)
      const { open, cents } = stage
      return goOn({ at: 'method', open, cents }, say`The payment was declined. Nothing was paid.`)
    }
    case 'working':
      return stage.asked + 1 < MAX_MOMENTS
        ? goOn({ ...stage, asked: stage.asked + 1 })
        : end(
            'unknown',
            say`We do not know yet whether it went through. Please do not pay again. A mail will tell you. Your confirmation number is ${number}.`,
          )
  }
}

/** What is kept of a call in its row: how it ended, or that it goes on. */
export const outcomeOf = ({ stage }: CallStep): Outcome => (stage.at === 'over' ? stage.outcome : 'talking')
