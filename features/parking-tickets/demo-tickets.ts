import { firstNames, lastNames } from '../../database/names.ts'
import type { Random } from '../../database/random.ts'
import { addDays, daysBetween, weekday } from '../../shared/dates.ts'
import { NEW } from '../../shared/machine.ts'
import { dayOf, type DemoOrder, separateFeeOf, paidSteps } from '../payments/demo-rows.ts'
import { methods, OFFICE, officeMethods, orderStatus } from '../payments/rules.ts'
import { type FeeBook, feeTermsFor, quoteBy } from '../payments/rules-fees.ts'
import { scenarios, vehicles } from './demo-texts.ts'
import type { ParkingSettings } from './rules.ts'
import { parkingTickets } from './server/payable.ts'
import type { TicketStatus } from './states.ts'

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000]
const YEAR = 365
/**
 * Provider name of past demo payments. The sandbox provider never charged them, so its reconciler must not look them
 * up.
 */
const PROVIDER = 'sandbox-history'

interface DemoHistoryRow {
  seq: number
  from: TicketStatus | typeof NEW
  to: TicketStatus
  event: string
  at: Date
  kind: 'municipality' | 'guest' | 'system'
  by: string
  reason: string
}

/** Contest in its current state. */
export interface DemoContest {
  name: string
  email: string
  /**
   * Postal address of the person. `receivedOn` is the date on which a paper contest was received. Null for a contest
   * sent in the portal.
   */
  address: string
  receivedOn: string | null
  at: Date
  scenario: (typeof scenarios)[number]
  messages: number
  hearingAt: Date | null
  decision: 'upheld' | 'dismissed' | null
  decidedAt: Date | null
}

export interface DemoTicket {
  citation_number: string
  plate: string
  plate_state: string
  vehicle: string
  code: string
  officer: string
  issued_at: Date
  location: number
  status: TicketStatus
  fine_cents: number
  late_cents: number
  paid_cents: number
  due_on: string
  counted_from: string
  contest_until: string
  last_step_day: number
  email: string
  text: string
  steps: DemoHistoryRow[]
  lateSteps: { counted_from: string; day: number; fee_cents: number; at: Date }[]
  order: DemoOrder | null
  contest: DemoContest | null
}

export interface Writer {
  random: Random
  now: Date
  today: string
  fees: FeeBook
  settings: ParkingSettings
  prefix: string
  state: string
  codes: readonly (readonly [code: string, description: string, dollars: number, weight: number])[]
  officers: readonly string[]
  locations: number
  /** Converts a date, hour and minute in the company's time zone to a `Date`. */
  clock: (date: string, hour: number, minute: number) => Date
  staffMember: string
}

/** Vehicle of the sample tickets. The README names its plate, so the plate must not change. */
export const SAMPLE_VEHICLE = { plate: 'KLM4821', vehicle: 'Blue Honda Civic' }

/** Creates a company's tickets of one year in all states, oldest first. */
export function makeTickets(writer: Writer, count: number): DemoTicket[] {
  const { random, today } = writer
  const cars = Array.from({ length: Math.round(count * 0.55) }, () => carOf(writer))
  // Repeat offenders usually do not pay.
  const offenders = cars.slice(0, 14)
  const times = Array.from({ length: count }, () => {
    const [date, minutes] = [dayFor(random, today), random.int(8 * 60, 19 * 60)]
    return { date, minutes, key: date + String(minutes).padStart(4, '0') }
  }).toSorted((a, b) => (a.key < b.key ? -1 : 1))
  return times.map(({ date, minutes }, n) => {
    const isOffender = random.chance(0.05)
    const car = isOffender ? random.pick(offenders) : random.pick(cars)
    return ticketOf(writer, n, { date, at: writer.clock(date, 0, minutes) }, car, isOffender)
  })
}

function dayFor(random: Random, today: string): string {
  for (;;) {
    const date = addDays(today, -random.int(1, YEAR))
    if (weekday(date) !== 0 || random.chance(0.15)) return date
  }
}

type DemoVehicle = Pick<DemoTicket, 'plate' | 'plate_state' | 'vehicle'>

function carOf({ random, state }: Writer): DemoVehicle {
  const randomChar = () => random.pick([...'ABCDEFGHJKLMNPRSTVWXYZ'])
  return {
    plate: `${randomChar()}${randomChar()}${randomChar()}${random.int(1000, 9999)}`,
    plate_state: random.chance(0.86) ? state : random.pick(['NJ', 'MD', 'NY', 'DE', 'OH', 'VA']),
    vehicle: `${random.pick(vehicles.colors)} ${random.pick(vehicles.makes)}`,
  }
}

function ticketOf(
  writer: Writer,
  n: number,
  { date, at: issued_at }: { date: string; at: Date },
  car: DemoVehicle,
  isOffender: boolean,
): DemoTicket {
  const { random, codes, officers, settings } = writer
  const weights = Object.fromEntries(codes.map(([code, , , weight]) => [code, weight]))
  const code = random.weighted(weights)
  const [, text = '', dollars = 20] = codes.find(([one]) => one === code) ?? []
  const ticket: DemoTicket = {
    ...car,
    citation_number: `${writer.prefix}-${260_001 + n}`,
    ...{ code, text, officer: random.pick(officers), issued_at, location: random.int(0, writer.locations - 1) },
    ...{ status: 'open', fine_cents: dollars * 100, late_cents: 0, paid_cents: 0 },
    ...datesOf(date, settings),
    ...{ last_step_day: 0, email: '' },
    ...{ steps: [], lateSteps: [], order: null, contest: null },
  }
  if (random.chance(0.09)) {
    ticket.fine_cents = 0
    go(ticket, 'warning', 'warn', issued_at, 'municipality', ticket.officer)
    return ticket
  }
  go(ticket, 'open', 'issue', issued_at, 'municipality', ticket.officer)
  live(writer, ticket, isOffender)
  return ticket
}

const datesOf = (date: string, { dueDays, contestDays }: ParkingSettings) => ({
  due_on: addDays(date, dueDays),
  counted_from: date,
  contest_until: addDays(date, contestDays),
})

function go(
  ticket: DemoTicket,
  to: TicketStatus,
  event: string,
  at: Date,
  kind: DemoHistoryRow['kind'],
  by: string,
  reason = '',
): void {
  const from = ticket.steps.at(-1)?.to ?? NEW
  ticket.steps.push({ seq: ticket.steps.length + 1, from, to, event, at, kind, by, reason })
  ticket.status = to
}

/** Adds the ticket's history: contested, voided, paid early or late, or unpaid. */
function live(writer: Writer, ticket: DemoTicket, isOffender: boolean): void {
  const { random, now, staffMember } = writer
  const age = (now.getTime() - ticket.issued_at.getTime()) / DAY
  if (random.chance(age < 40 ? 0.14 : 0.025)) return contest(writer, ticket)
  if (random.chance(0.025) && age > 3) {
    const reason = random.pick(['Wrong plate written.', 'The car was on a funeral.', 'The meter was out of order.'])
    return go(
      ticket,
      'void',
      'void',
      later(ticket.issued_at, random.int(1, 3), 10),
      'municipality',
      staffMember,
      reason,
    )
  }
  const pays = isOffender ? 0.3 : 0.9
  if (!random.chance(pays)) return stayOpen(writer, ticket, now)
  // Most people pay within two weeks, and some pay after a late notice.
  const after = Math.floor(random.chance(0.8) ? random.next() ** 2 * 14 : 14 + random.next() ** 2 * 60)
  const at = later(ticket.issued_at, after, random.int(0, 5), random.int(1, 59))
  if (at >= now || at <= ticket.issued_at) return stayOpen(writer, ticket, now)
  stayOpen(writer, ticket, at)
  payFor(writer, ticket, at)
}

export const later = (at: Date, days: number, hours: number, minutes = 0): Date =>
  new Date(at.getTime() + days * DAY + hours * HOUR + minutes * MINUTE)

/** Adds the scheduled late steps until the ticket is paid. */
function stayOpen({ settings, clock }: Writer, ticket: DemoTicket, until: Date): void {
  for (const { day, feeCents } of settings.steps) {
    const on = addDays(ticket.counted_from, day)
    const at = clock(on, 1, 20)
    if (at >= until || day <= ticket.last_step_day) continue
    ticket.lateSteps.push({ counted_from: ticket.counted_from, day, fee_cents: feeCents, at })
    ticket.late_cents += feeCents
    ticket.last_step_day = day
  }
}

function contest(writer: Writer, ticket: DemoTicket): void {
  const { random, now, staffMember, settings, clock, today } = writer
  const at = later(ticket.issued_at, random.int(0, 9), random.int(1, 5))
  if (at >= now) return stayOpen(writer, ticket, now)
  const name = `${random.pick(firstNames)} ${random.pick(lastNames)}`
  const isEnteredByStaff = ticket.citation_number.endsWith('7')
  const email = `${name
    .toLowerCase()
    .replaceAll(/[^a-z ]/g, '')
    .replace(' ', '.')}@mail.example`
  if (isEnteredByStaff) go(ticket, 'contested', 'contest', at, 'municipality', staffMember)
  else {
    go(ticket, 'contested', 'contest', at, 'guest', name)
    ticket.email = email
  }
  const scenario = random.pick(scenarios)
  const made: DemoContest = {
    ...(isEnteredByStaff
      ? {
          email: '',
          address: `${ticket.citation_number.slice(-2)} Orchard Lane`,
          receivedOn: at.toISOString().slice(0, 10),
        }
      : { email, address: '', receivedOn: null }),
    ...{ name, at, scenario, messages: 0, hearingAt: null, decision: null, decidedAt: null },
  }
  ticket.contest = made
  const decidedAt = later(at, random.int(12, 34), random.int(1, 5))
  const messageCount = decidedAt < now ? scenario.messages.length : random.int(0, scenario.messages.length)
  // A person who contested on paper exchanges no messages in the portal.
  made.messages = isEnteredByStaff ? 0 : messageCount
  if (decidedAt >= now) {
    if (random.chance(0.5)) made.hearingAt = clock(addDays(today, random.int(3, 20)), random.pick([9, 10, 11, 14]), 30)
    return
  }
  if (random.chance(0.4)) made.hearingAt = new Date(decidedAt.getTime() - HOUR)
  made.decidedAt = decidedAt
  made.decision = random.chance(0.5) ? 'upheld' : 'dismissed'
  if (made.decision === 'dismissed')
    return go(ticket, 'void', 'dismiss', decidedAt, 'municipality', staffMember, scenario.dismissed)
  go(ticket, 'open', 'uphold', decidedAt, 'municipality', staffMember, scenario.upheld)
  ticket.counted_from = addDays(
    ticket.counted_from,
    daysBetween(ticket.counted_from, decidedAt.toISOString().slice(0, 10)),
  )
  ticket.due_on = addDays(ticket.counted_from, settings.dueDays)
  const paidAt = later(decidedAt, random.int(1, 12), 2)
  const pays = random.chance(0.8) && paidAt < now
  stayOpen(writer, ticket, pays ? paidAt : now)
  if (pays) payFor(writer, ticket, paidAt)
}

/** Adds a card payment by a guest, or a payment at the counter. */
function payFor({ random, fees, settings, now }: Writer, ticket: DemoTicket, at: Date): void {
  const isOffice = random.chance(0.14)
  const billCents = ticket.fine_cents + ticket.late_cents
  const name = `${random.pick(firstNames)} ${random.pick(lastNames)}`
  const online = !isOffice && random.chance(0.06) ? methods.echeck : methods.card
  const method = isOffice ? officeMethods.check : online
  const terms = feeTermsFor(fees, { on: dayOf(at), kind: 'parking', method, location: isOffice ? OFFICE : 4 })
  const quote = quoteBy(terms, billCents)
  const paidAt = new Date(at.getTime() + 6000)
  const ref = `park_${ticket.citation_number}`
  const from = isOffice ? 'office_cash' : 'gateway_clearing'
  const leg = (kind: string, debit: string, credit: string, amount: number) =>
    amount > 0 ? [{ kind: `capture.${kind}`, debit, credit, amount, ref, at: paidAt }] : []
  const digits = String(random.int(1000, 9999))
  const isRefused = Number(digits) % 13 === 0
  const own =
    terms.mode === 'two_transactions' && quote.feeCents > 0
      ? separateFeeOf(quote.feeCents, {
          ...{ ref: `${ref}_fee`, at: new Date(paidAt.getTime() + 2000), reason: 'Less than a letter about it costs.' },
          status: isRefused ? (now.getTime() - at.getTime() > 45 * DAY ? 'waived' : 'owed') : 'charged',
        })
      : null
  ticket.order = {
    kind: parkingTickets.kind,
    type: parkingTickets.label,
    number: ticket.citation_number,
    glAccount: settings.glAccount,
    title: 'Parking ticket',
    details: [
      { name: 'citation', value: ticket.citation_number },
      { name: 'plate', value: `${ticket.plate_state} ${ticket.plate}` },
      { name: 'violation', value: ticket.text },
    ],
    items: [
      { text: ticket.text, note: '', amountCents: ticket.fine_cents },
      ...(ticket.late_cents > 0 ? [{ text: 'Late fees', note: '', amountCents: ticket.late_cents }] : []),
    ],
    at,
    status: orderStatus.success,
    location: isOffice ? 5 : 4,
    method,
    payType: 1,
    quote,
    payerName: name,
    payerEmail: isOffice
      ? ''
      : `${name
          .toLowerCase()
          .replaceAll(/[^a-z ]/g, '')
          .replace(' ', '.')}@mail.example`,
    person: null,
    methodLabel: isOffice
      ? `Check no. ${digits}`
      : method === methods.card
        ? `${random.pick(['Visa', 'Visa', 'Mastercard', 'Discover'])} ending ${digits}`
        : `Checking account ending ${digits}`,
    provider: isOffice ? 'office' : PROVIDER,
    refunded: 0,
    returnCode: null,
    disputed: false,
    paidAt,
    steps: paidSteps(at, paidAt),
    attempts: [{ status: 1, step: 'succeeded', ref, error: null, at }, ...(own?.attempts ?? [])],
    transfers: [
      ...leg('bill', from, 'payable_municipality', quote.billCents),
      ...(own ? own.transfers : leg('fee', from, 'fee_revenue', quote.feeCents)),
      ...leg('absorbed', 'absorbed_fee', 'fee_revenue', quote.absorbedFeeCents),
    ],
    ...(own && { separateFee: own.separateFee }),
  }
  ticket.paid_cents = billCents
  go(ticket, 'paid', 'pay', paidAt, 'system', 'Mainstreet')
}

/** Adds three tickets of one car for people who try the demo: one open, one late, one contested. */
export function addSampleTickets(writer: Writer, tickets: DemoTicket[]): void {
  const { today, clock, state, codes } = writer
  const [code = '', text = '', dollars = 20] = codes[0] ?? []
  for (const [n, days] of [40, 6, 3].entries()) {
    const date = addDays(today, -days)
    const ticket: DemoTicket = {
      ...SAMPLE_VEHICLE,
      plate_state: state,
      citation_number: `${writer.prefix}-10010${n + 1}`,
      ...{ code, text, officer: writer.officers[0] ?? '', issued_at: clock(date, 9, 40), location: n },
      ...{ status: 'open', fine_cents: dollars * 100, late_cents: 0, paid_cents: 0 },
      ...datesOf(date, writer.settings),
      ...{ last_step_day: 0, email: '' },
      ...{ steps: [], lateSteps: [], order: null, contest: null },
    }
    go(ticket, 'open', 'issue', ticket.issued_at, 'municipality', ticket.officer)
    stayOpen(writer, ticket, writer.now)
    if (n === 2) {
      const [scenario] = scenarios
      const at = later(ticket.issued_at, 1, 2)
      go(ticket, 'contested', 'contest', at, 'guest', 'Rosa Delaney')
      const hearingAt = clock(addDays(today, 9), 10, 30)
      ticket.email = 'rosa.delaney@mail.example'
      if (scenario)
        ticket.contest = {
          ...{
            name: 'Rosa Delaney',
            email: ticket.email,
            address: '',
            receivedOn: null,
            at,
            scenario,
            messages: 2,
            hearingAt,
          },
          ...{ decision: null, decidedAt: null },
        }
    }
    tickets.push(ticket)
  }
}
