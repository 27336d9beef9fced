import type { Random } from '../../database/random.ts'
import type { DemoCompany } from '../../database/towns/town.ts'
import { sql } from 'kysely'
import type { BillLine } from '../../server/db/column-types.ts'
import type { CompanyId, Tx } from '../../server/tenancy.ts'
import { addDays, midnightIn } from '../../shared/dates.ts'
import { NEW } from '../../shared/machine.ts'
import { type Attempt, dayOf, type DemoOrder, type Leg, writeHistory } from '../payments/demo-rows.ts'
import {
  feeRefund,
  type Limits,
  type Method,
  methods,
  type OfficeMethod,
  officeMethods,
  orderStatus,
} from '../payments/rules.ts'
import { type FeeBook, quoteOf } from '../payments/rules-fees.ts'
import { settingsOf } from '../payments/api.ts'
import type { DemoAccount, DemoBill } from './demo.ts'
import { BILL_PAYMENT, GL_ACCOUNT, itemsOf } from './rules.ts'
import { utilityBills } from './server/payable.ts'

/**
 * Separate provider name for demo payments. The sandbox provider does not have these payments, so the sandbox's
 * reconciliation must not look for them.
 */
const PROVIDER = 'sandbox-history'
const BANK_FILES = 'bankfile-history'
const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000]
const ECHECK_DAYS = 2
const DISPUTE_DAYS = 45

interface PaymentSimulator {
  random: Random
  fees: FeeBook
  limits: Limits
  now: Date
  orders: DemoOrder[]
  /** Returns a time on a date in the company's time zone, with random minutes. */
  clock(date: string, hour: number): Date
  residents: ReadonlySet<string>
  /** First day on which a bank file debits eChecks. Null if the company does not use bank files. */
  bankFilesSince: Date | null
  /** City, state and ZIP code. */
  cityLine: string
}

interface Rules {
  fees: FeeBook
  limits: Limits
}

interface DemoClock {
  timeZone: string
  now: Date
}

/** Adds a year of portal payments to a company's accounts, with their remittances to the billing system. */
export async function addPayments(
  tx: Tx,
  company: CompanyId,
  random: Random,
  demoCompany: DemoCompany,
  accounts: readonly DemoAccount[],
  demoClock: DemoClock,
): Promise<void> {
  const rows = await tx
    .selectFrom('utility_account')
    .select(['id', 'account_number'])
    .where('company_id', '=', company)
    .execute()
  const ids = new Map(rows.map(({ id, account_number }) => [account_number, id]))
  const { fees, limits } = await settingsOf(tx, company)
  await writeHistory(tx, company, fees, makeHistory(random, demoCompany, accounts, { ...demoClock, fees, limits }), ids)
  await sql`
    INSERT INTO remittance (company_id, account_id, order_id, line_no, source, source_ref, kind, amount_cents, at)
    SELECT l.company_id, l.payable_id, l.order_id, l.line_no, t.source, t.source_ref,
      CASE t.credit_account WHEN 'payable_municipality' THEN 'credit' ELSE 'reversal' END, t.amount_cents, t.at
    FROM payment_order_line l JOIN ledger_transfer t ON t.company_id = l.company_id AND t.order_id = l.order_id
    WHERE l.company_id = ${company} AND l.kind = ${utilityBills.kind}
      AND 'payable_municipality' IN (t.debit_account, t.credit_account)`.execute(tx)
}

/** Creates the payments of all accounts, oldest first. */
function makeHistory(
  random: Random,
  demoCompany: DemoCompany,
  accounts: readonly DemoAccount[],
  options: DemoClock & Rules,
): DemoOrder[] {
  const midnights = new Map<string, number>()
  const midnight = (date: string) => {
    const at = midnights.get(date) ?? midnightIn(options.timeZone, date).getTime()
    midnights.set(date, at)
    return at
  }
  const teller: PaymentSimulator = {
    random,
    ...options,
    orders: [],
    clock: (date, hour) => new Date(midnight(date) + hour * HOUR + random.int(0, HOUR - 1)),
    cityLine: `${demoCompany.company.city}, ${demoCompany.company.state} ${demoCompany.company.zip}`,
    bankFilesSince: demoCompany.bankFileDays ? new Date(options.now.getTime() - demoCompany.bankFileDays * DAY) : null,
    residents: new Set(demoCompany.people.flatMap((person) => (person.accounts ? [person.email] : []))),
  }
  for (const account of accounts) payBills(teller, account)
  return teller.orders.toSorted((a, b) => a.at.getTime() - b.at.getTime())
}

/** Pays an account's bills, oldest first, with the household's usual payment method. */
function payBills(teller: PaymentSimulator, account: DemoAccount): void {
  const { random, now, limits } = teller
  let open = 0
  for (const [at, bill] of account.bills.entries()) {
    const newest = at === account.bills.length - 1
    open += bill.amountCents - bill.paidElsewhereCents
    if (account.payer === 'mail' || open <= 0 || (newest && account.owes)) continue
    // Some households forget a bill and pay it with the next one.
    if (!account.owes && account.payer !== 'autopay' && random.chance(0.035)) continue
    const when = whenPaid(teller, account, bill)
    if (when > now) continue
    const part = account.payer !== 'autopay' && open > 4 * limits.minCents && random.chance(0.03)
    const ahead = !part && account.payer === 'card' && random.chance(0.008)
    const wanted = part ? Math.round(open * random.pick([0.4, 0.5, 0.6])) : ahead ? Math.ceil(open / 5000) * 5000 : open
    const billCents = Math.min(wanted, limits.maxCents)
    const payType = billCents === open ? 1 : billCents < open ? 2 : 3
    const lines = billCents === bill.amountCents ? bill.lines : []
    open -= payOnce(teller, account, when, { billCents, payType, lines })
  }
}

function whenPaid({ random, clock }: PaymentSimulator, account: DemoAccount, bill: DemoBill): Date {
  if (account.payer === 'autopay') return clock(bill.dueDate, 6)
  // Payments become more frequent toward the due date, and a few are late.
  const days = Math.floor(2 + Math.sqrt(random.next()) * (account.owes ? 16 : 21))
  const hour =
    account.payer === 'office' || account.payer === 'phone'
      ? random.int(8, 15)
      : random.pick([7, 8, 9, 11, 12, 12, 13, 16, 17, 18, 19, 19, 20, 20, 21, 22])
  return clock(addDays(bill.date, days), hour)
}

interface Payment {
  billCents: number
  payType: number
  lines: BillLine[]
}

const DECLINES = [
  'card_declined',
  'card_declined',
  'insufficient_funds',
  'insufficient_funds',
  'expired_card',
  'incorrect_cvc',
  'processing_error',
]

/** Creates one payment with possible failures and reversals. Returns the resulting decrease of the balance in cents. */
function payOnce(teller: PaymentSimulator, account: DemoAccount, when: Date, payment: Payment): number {
  const { random, now } = teller
  const order = startOrder(teller, account, when, payment)
  const { billCents } = payment
  if (order.provider === 'office') return finish(order, new Date(when), 'office_cash')
  if (order.provider === 'lockbox') return finish(order, new Date(when), 'bank')
  if (order.location === 5) return finish(order, new Date(when), 'gateway_clearing')
  if (order.method === methods.card) {
    if (random.chance(0.012)) {
      decline(order, when, random.pick(DECLINES))
      return later(teller, account, when, random.int(3, 40) * MINUTE, payment)
    }
    if (random.chance(0.002)) {
      cancel(order, when)
      return later(teller, account, when, random.int(1, 9) * HOUR, payment)
    }
    if (random.chance(0.02) && when.getTime() + 10 * MINUTE < now.getTime()) {
      decline(order, when, random.pick(DECLINES))
      tryAgain(order, new Date(when.getTime() + random.int(1, 6) * MINUTE))
    }
    if (random.chance(0.001)) order.disputed = true
  }
  const sent = current(order).at.getTime()
  const capturedAt = new Date(sent + (order.method === methods.card ? random.int(2, 9) * SECOND : ECHECK_DAYS * DAY))
  if (capturedAt > now) return pendingPayments(order)
  finish(order, capturedAt, 'gateway_clearing')
  if (order.disputed) setAside(order, new Date(Math.min(capturedAt.getTime() + DAY, now.getTime())), now)
  const after = (days: number) => new Date(capturedAt.getTime() + days * DAY + random.int(0, 5 * HOUR))
  if (order.method === methods.echeck && random.chance(0.014) && after(3) < now) {
    undo(order, after(2), random.pick(['R01', 'R01', 'R10']))
    return random.chance(0.8) ? later(teller, { ...account, payer: 'card' }, when, 6 * DAY, payment) : 0
  }
  if (random.chance(0.004) && after(3) < now) {
    // The household paid twice by mistake, so the second payment is refunded.
    const twin = startOrder(teller, account, new Date(when.getTime() + random.int(20, 300) * MINUTE), payment)
    finish(twin, new Date(twin.at.getTime() + 4 * SECOND), 'gateway_clearing')
    refund(twin, after(2), twin.quote.totalCents)
  } else if (random.chance(0.002) && after(4) < now && billCents > 4000) {
    return billCents - refund(order, after(3), random.pick([1000, 1500, 2275]))
  }
  return billCents
}

/** Repeats the payment after a failed attempt. Does nothing if the new time is in the future. */
function later(teller: PaymentSimulator, account: DemoAccount, when: Date, pause: number, payment: Payment): number {
  const again = new Date(when.getTime() + pause)
  if (again > teller.now) return 0
  const order = startOrder(teller, account, again, payment)
  const capturedAt = new Date(again.getTime() + 4 * SECOND)
  return order.method === methods.card && capturedAt <= teller.now
    ? finish(order, capturedAt, 'gateway_clearing')
    : pendingPayments(order)
}

function startOrder(
  teller: PaymentSimulator,
  account: DemoAccount,
  at: Date,
  { billCents, payType, lines }: Payment,
): DemoOrder {
  const { random } = teller
  const { payer } = account
  const office = payer === 'office'
  // Office payments are mostly by check, some by cash or card, and a few by money order or through a bank. Each
  // household uses the same method every time.
  const { cash, check, moneyOrder, bank } = officeMethods
  const atOffice =
    [check, cash, bank, check, methods.card, cash, check, moneyOrder][(Number(account.number) >> 1) % 8] ?? check
  const offline = { [methods.card]: PROVIDER, [bank]: 'lockbox' }[atOffice as number] ?? 'office'
  const online =
    payer === 'echeck' || (payer === 'autopay' && Number(account.number) % 3 === 0) ? methods.echeck : methods.card
  const method = office ? atOffice : online
  const byFile = method === methods.echeck && teller.bankFilesSince !== null && at >= teller.bankFilesSince
  const resident = teller.residents.has(account.email) ? account.email : null
  const usual = resident || random.chance(0.45) ? 1 : 4
  const location = payer === 'autopay' ? 6 : office ? (atOffice === bank ? 7 : 5) : payer === 'phone' ? 3 : usual
  const order: DemoOrder = {
    kind: utilityBills.kind,
    type: utilityBills.label,
    number: account.number,
    glAccount: GL_ACCOUNT,
    title: BILL_PAYMENT,
    details: [
      { name: 'account', value: account.number },
      { name: 'address', value: `${account.address}, ${teller.cityLine}` },
    ],
    items: itemsOf(lines),
    at,
    status: orderStatus.pending,
    location,
    method,
    payType,
    quote: quoteOf(teller.fees, { on: dayOf(at), kind: 'utility', method, location: location as 1 }, billCents),
    payerName: account.name,
    payerEmail: account.email,
    person: resident,
    methodLabel:
      method === bank
        ? `Bank payment, trace number BP${account.number}${teller.orders.length}`
        : methodLabelOf(account, method),
    provider: office ? offline : byFile ? BANK_FILES : PROVIDER,
    refunded: 0,
    returnCode: null,
    disputed: false,
    paidAt: null,
    steps: [{ from: NEW, to: orderStatus.pending, event: 'created', at }],
    attempts: [],
    transfers: [],
  }
  tryOnce(order, at, teller.orders.length)
  teller.orders.push(order)
  return order
}

/**
 * Describes the payment method. Each household uses the same card or bank account, with last digits derived from the
 * account number.
 */
function methodLabelOf({ number }: DemoAccount, method: Method | OfficeMethod): string {
  const digits = String((Number(number) * 7919) % 10_000).padStart(4, '0')
  if (method === officeMethods.cash) return 'Cash'
  if (method === officeMethods.check) return `Check no. ${digits}`
  if (method === officeMethods.moneyOrder) return `Money order no. ${digits}`
  if (method === methods.echeck) return `${Number(number) % 4 === 0 ? 'Savings' : 'Checking'} account ending ${digits}`
  return `${['Visa', 'Visa', 'Mastercard', 'Mastercard', 'American Express', 'Discover'][Number(number) % 6]} ending ${digits}`
}

function tryOnce(order: DemoOrder, at: Date, serial: number): void {
  order.attempts.push({
    status: 0,
    step: 'processing',
    ref: `hist_${serial}_${order.attempts.length + 1}`,
    error: null,
    at,
  })
}

const current = (order: DemoOrder): Attempt => order.attempts.at(-1) as Attempt

function move(order: DemoOrder, to: number, event: string, at: Date): void {
  order.steps.push({ from: order.status, to, event, at })
  order.status = to
}

function tryAgain(order: DemoOrder, at: Date): void {
  move(order, orderStatus.pending, 'new_attempt', at)
  const [, serial] = current(order).ref.split('_')
  tryOnce(order, at, Number(serial))
}

/** Leaves a payment pending. Returns the amount by which the balance decreases when the payment settles, in cents. */
function pendingPayments(order: DemoOrder): number {
  current(order).step = 'processing'
  return order.quote.billCents
}

function decline(order: DemoOrder, at: Date, error: string): void {
  Object.assign(current(order), { status: 2, step: 'failed', error })
  move(order, orderStatus.declined, 'declined', new Date(at.getTime() + 3 * SECOND))
}

function cancel(order: DemoOrder, at: Date): void {
  Object.assign(current(order), { status: 2, step: 'canceled' })
  move(order, orderStatus.void, 'cancelled', new Date(at.getTime() + 4 * MINUTE))
}

function legs(order: DemoOrder, movementType: 'capture' | 'return', from: string, ref: string, at: Date): void {
  const { billCents, feeCents, absorbedFeeCents } = order.quote
  const forth: [kind: string, debit: string, credit: string, amount: number][] = [
    ['bill', from, 'payable_municipality', billCents],
    ['fee', from, 'fee_revenue', feeCents],
    ['absorbed', 'absorbed_fee', 'fee_revenue', absorbedFeeCents],
  ]
  for (const [kind, debit, credit, amount] of forth) {
    const [d, c] = movementType === 'capture' ? [debit, credit] : [credit, debit]
    if (amount > 0) order.transfers.push({ kind: `${movementType}.${kind}`, debit: d, credit: c, amount, ref, at })
  }
}

function finish(order: DemoOrder, at: Date, from: string): number {
  const { ref } = current(order)
  Object.assign(current(order), { status: 1, step: 'succeeded' })
  move(order, orderStatus.success, 'captured', at)
  order.paidAt = at
  legs(order, 'capture', from, ref, at)
  return order.quote.billCents
}

/**
 * Disputes a payment. The provider withholds the money until the bank decides the dispute in the company's favor, weeks
 * later.
 */
function setAside(order: DemoOrder, at: Date, now: Date): void {
  const [amount, ref] = [order.quote.totalCents, `dp_${current(order).ref}`]
  const leg = { kind: 'dispute.reserve', debit: 'dispute_reserve', credit: 'gateway_clearing' }
  order.transfers.push({ ...leg, amount, ref, at })
  const decided = new Date(at.getTime() + DISPUTE_DAYS * DAY)
  if (decided > now) return
  const reserveRelease = { kind: 'dispute_won.reserve', debit: 'gateway_clearing', credit: 'dispute_reserve' }
  order.transfers.push({ ...reserveRelease, amount, ref, at: decided })
  order.disputed = false
}

function undo(order: DemoOrder, at: Date, code: string): void {
  const { ref } = current(order)
  Object.assign(current(order), { status: 2, step: 'returned' })
  move(order, orderStatus.declined, 'returned', at)
  order.returnCode = code
  legs(order, 'return', 'gateway_clearing', ref, at)
}

/** Refunds a payment fully or partially. Returns the part of the refund for the bill, without the fee, in cents. */
function refund(order: DemoOrder, at: Date, cents: number): number {
  const { feeCents, absorbedFeeCents, totalCents } = order.quote
  const ref = `re_${current(order).ref}`
  const fee = feeRefund(feeCents, totalCents, cents)
  const absorbed = feeRefund(absorbedFeeCents, totalCents, cents)
  const moved: Omit<Leg, 'ref' | 'at'>[] = [
    { kind: 'refund.bill', debit: 'payable_municipality', credit: 'gateway_clearing', amount: cents - fee },
    { kind: 'refund.fee', debit: 'fee_revenue', credit: 'gateway_clearing', amount: fee },
    { kind: 'refund.absorbed', debit: 'fee_revenue', credit: 'absorbed_fee', amount: absorbed },
  ]
  order.transfers.push(...moved.filter((leg) => leg.amount > 0).map((leg) => ({ ...leg, ref, at })))
  order.refunded = cents
  if (cents === totalCents) move(order, orderStatus.refund, 'refunded', at)
  return cents - fee
}
