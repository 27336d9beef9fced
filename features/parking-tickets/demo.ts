import { sql } from 'kysely'
import sharp from 'sharp'
import { firstNames, lastNames } from '../../database/names.ts'
import { type Random, randomFrom } from '../../database/random.ts'
import type { Demo, DemoPart } from '../../server/demo.ts'
import { type CompanyId, tenancyOn, type Tx } from '../../server/tenancy.ts'
import { addDays, dateIn, daysBetween, midnightIn, weekday } from '../../shared/dates.ts'
import { JPEG } from '../../shared/file-types.ts'
import { NEW } from '../../shared/machine.ts'
import { type DemoOrder, writeHistory } from '../payments/demo-rows.ts'
import { type FeeRules, methods, orderStatus, quoteOf } from '../payments/rules.ts'
import { settingsOf } from '../payments/server/settings.ts'
import { contestCase, ticketPhotos } from './contract.ts'
import { demoRules, stories, vehicles } from './demo-words.ts'
import type { ParkingSettings } from './rules.ts'
import { contestNumber } from './rules.ts'
import { parkingTickets } from './server/payable.ts'
import { ticketStates, type TicketStatus } from './states.ts'

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000]
const YEAR = 365
const HEARING = 5
/** The past was not charged by the sandbox gateway, so its reconciler must not ask there about it. */
const PROVIDER = 'sandbox-history'

interface Step {
  seq: number
  from: TicketStatus | typeof NEW
  to: TicketStatus
  event: string
  at: Date
  kind: 'municipality' | 'guest' | 'system'
  by: string
  reason: string
}

/** A contest, as far as it has come. */
interface DemoContest {
  name: string
  email: string
  at: Date
  story: (typeof stories)[number]
  talk: number
  hearingAt: Date | null
  decision: 'upheld' | 'dismissed' | null
  decidedAt: Date | null
}

interface DemoTicket {
  citation: string
  plate: string
  plate_state: string
  vehicle: string
  code: string
  officer: string
  issued_at: Date
  place: number
  status: TicketStatus
  fine_cents: number
  late_cents: number
  paid_cents: number
  due_on: string
  counted_from: string
  last_step_day: number
  email: string
  text: string
  steps: Step[]
  taken: { counted_from: string; day: number; fee_cents: number; at: Date }[]
  order: DemoOrder | null
  contest: DemoContest | null
}

interface Writer {
  random: Random
  now: Date
  today: string
  fees: FeeRules
  settings: ParkingSettings
  prefix: string
  state: string
  codes: readonly (readonly [code: string, description: string, dollars: number, weight: number])[]
  officers: readonly string[]
  places: number
  /** An hour of a day on the town's clocks. */
  clock: (date: string, hour: number, minute: number) => Date
  clerk: string
}

/** A ticket whose plate is told to people (README), so that it always looks the same. */
const KNOWN = { plate: 'KLM4821', vehicle: 'Blue Honda Civic' }

/** A year of tickets of a town in all states, the oldest first. */
function makeTickets(writer: Writer, count: number): DemoTicket[] {
  const { random, today } = writer
  const cars = Array.from({ length: Math.round(count * 0.55) }, () => carOf(writer))
  // Some park where they like, and pay when they must.
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

type Car = Pick<DemoTicket, 'plate' | 'plate_state' | 'vehicle'>

function carOf({ random, state }: Writer): Car {
  const letters = () => random.pick([...'ABCDEFGHJKLMNPRSTVWXYZ'])
  return {
    plate: `${letters()}${letters()}${letters()}${random.int(1000, 9999)}`,
    plate_state: random.chance(0.86) ? state : random.pick(['NJ', 'MD', 'NY', 'DE', 'OH', 'VA']),
    vehicle: `${random.pick(vehicles.colours)} ${random.pick(vehicles.makes)}`,
  }
}

function ticketOf(
  writer: Writer,
  n: number,
  { date, at: issued_at }: { date: string; at: Date },
  car: Car,
  isOffender: boolean,
): DemoTicket {
  const { random, codes, officers, settings } = writer
  const weights = Object.fromEntries(codes.map(([code, , , weight]) => [code, weight]))
  const code = random.weighted(weights)
  const [, text = '', dollars = 20] = codes.find(([one]) => one === code) ?? []
  const ticket: DemoTicket = {
    ...car,
    citation: `${writer.prefix}-${260_001 + n}`,
    ...{ code, text, officer: random.pick(officers), issued_at, place: random.int(0, writer.places - 1) },
    ...{ status: 'open', fine_cents: dollars * 100, late_cents: 0, paid_cents: 0 },
    ...{ due_on: addDays(date, settings.dueDays), counted_from: date, last_step_day: 0, email: '' },
    ...{ steps: [], taken: [], order: null, contest: null },
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

function go(
  ticket: DemoTicket,
  to: TicketStatus,
  event: string,
  at: Date,
  kind: Step['kind'],
  by: string,
  reason = '',
): void {
  const from = ticket.steps.at(-1)?.to ?? NEW
  ticket.steps.push({ seq: ticket.steps.length + 1, from, to, event, at, kind, by, reason })
  ticket.status = to
}

/** What became of it: contested, voided, paid sooner or later, or not at all. */
function live(writer: Writer, ticket: DemoTicket, isOffender: boolean): void {
  const { random, now, clerk } = writer
  const age = (now.getTime() - ticket.issued_at.getTime()) / DAY
  if (random.chance(age < 40 ? 0.14 : 0.025)) return contest(writer, ticket)
  if (random.chance(0.025) && age > 3) {
    const reason = random.pick(['Wrong plate written.', 'The car was on a funeral.', 'The meter was out of order.'])
    return go(ticket, 'void', 'void', later(ticket.issued_at, random.int(1, 3), 10), 'municipality', clerk, reason)
  }
  const pays = isOffender ? 0.3 : 0.9
  if (!random.chance(pays)) return stayOpen(writer, ticket, now)
  // Most pay within the first days, some when a letter came.
  const after = Math.floor(random.chance(0.8) ? random.next() ** 2 * 14 : 14 + random.next() ** 2 * 60)
  const at = later(ticket.issued_at, after, random.int(0, 5), random.int(1, 59))
  if (at >= now || at <= ticket.issued_at) return stayOpen(writer, ticket, now)
  stayOpen(writer, ticket, at)
  payFor(writer, ticket, at)
}

const later = (at: Date, days: number, hours: number, minutes = 0): Date =>
  new Date(at.getTime() + days * DAY + hours * HOUR + minutes * MINUTE)

/** It comes to the steps of the schedule until it is paid. */
function stayOpen({ settings, clock }: Writer, ticket: DemoTicket, until: Date): void {
  for (const { day, feeCents } of settings.steps) {
    const on = addDays(ticket.counted_from, day)
    const at = clock(on, 1, 20)
    if (at >= until || day <= ticket.last_step_day) continue
    ticket.taken.push({ counted_from: ticket.counted_from, day, fee_cents: feeCents, at })
    ticket.late_cents += feeCents
    ticket.last_step_day = day
  }
}

function contest(writer: Writer, ticket: DemoTicket): void {
  const { random, now, clerk, settings, clock, today } = writer
  const at = later(ticket.issued_at, random.int(0, 9), random.int(1, 5))
  if (at >= now) return stayOpen(writer, ticket, now)
  const name = `${random.pick(firstNames)} ${random.pick(lastNames)}`
  const email = `${name
    .toLowerCase()
    .replaceAll(/[^a-z ]/g, '')
    .replace(' ', '.')}@mail.example`
  go(ticket, 'contested', 'contest', at, 'guest', name)
  ticket.email = email
  const story = random.pick(stories)
  const made: DemoContest = {
    ...{ name, email, at, story, talk: 0, hearingAt: null, decision: null, decidedAt: null },
  }
  ticket.contest = made
  const decidedAt = later(at, random.int(12, 34), random.int(1, 5))
  made.talk = decidedAt < now ? story.talk.length : random.int(0, story.talk.length)
  if (decidedAt >= now) {
    if (random.chance(0.5)) made.hearingAt = clock(addDays(today, random.int(3, 20)), random.pick([9, 10, 11, 14]), 30)
    return
  }
  if (random.chance(0.4)) made.hearingAt = new Date(decidedAt.getTime() - HOUR)
  made.decidedAt = decidedAt
  made.decision = random.chance(0.5) ? 'upheld' : 'dismissed'
  if (made.decision === 'dismissed')
    return go(ticket, 'void', 'dismiss', decidedAt, 'municipality', clerk, story.dismissed)
  go(ticket, 'open', 'uphold', decidedAt, 'municipality', clerk, story.upheld)
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

/** Paid by card as a guest, or at the counter. */
function payFor({ random, fees, settings }: Writer, ticket: DemoTicket, at: Date): void {
  const isOffice = random.chance(0.14)
  const billCents = ticket.fine_cents + ticket.late_cents
  const name = `${random.pick(firstNames)} ${random.pick(lastNames)}`
  const method = isOffice || random.chance(0.06) ? methods.echeck : methods.card
  const quote = quoteOf(isOffice ? { ...fees, program: 'none' } : fees, method, billCents)
  const paidAt = new Date(at.getTime() + 6000)
  const ref = `park_${ticket.citation}`
  const from = isOffice ? 'office_cash' : 'gateway_clearing'
  const leg = (kind: string, debit: string, credit: string, amount: number) =>
    amount > 0 ? [{ kind: `capture.${kind}`, debit, credit, amount, ref, at: paidAt }] : []
  const digits = String(random.int(1000, 9999))
  ticket.order = {
    kind: parkingTickets.kind,
    type: parkingTickets.label,
    number: ticket.citation,
    glAccount: settings.glAccount,
    title: 'Parking ticket',
    facts: [
      { name: 'citation', value: ticket.citation },
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
    means: isOffice
      ? `Check no. ${digits}`
      : method === methods.card
        ? `${random.pick(['Visa', 'Visa', 'Mastercard', 'Discover'])} ending ${digits}`
        : `Checking account ending ${digits}`,
    provider: isOffice ? 'office' : PROVIDER,
    refunded: 0,
    returnCode: null,
    disputed: false,
    paidAt,
    steps: [
      { from: NEW, to: orderStatus.pending, event: 'created', at },
      { from: orderStatus.pending, to: orderStatus.success, event: 'captured', at: paidAt },
    ],
    attempts: [{ status: 1, step: 'succeeded', ref, error: null, at }],
    transfers: [
      ...leg('bill', from, 'payable_municipality', quote.billCents),
      ...leg('fee', from, 'fee_revenue', quote.feeCents),
      ...leg('absorbed', 'absorbed_fee', 'fee_revenue', quote.absorbedFeeCents),
    ],
  }
  ticket.paid_cents = billCents
  go(ticket, 'paid', 'settle', paidAt, 'system', 'Mainstreet')
}

/** Three tickets of one car, for whoever tries the demo: one to pay, one that is late, one that is contested. */
function addKnown(writer: Writer, tickets: DemoTicket[]): void {
  const { today, clock, state, codes } = writer
  const [code = '', text = '', dollars = 20] = codes[0] ?? []
  for (const [n, days] of [40, 6, 3].entries()) {
    const date = addDays(today, -days)
    const ticket: DemoTicket = {
      ...KNOWN,
      plate_state: state,
      citation: `${writer.prefix}-10010${n + 1}`,
      ...{ code, text, officer: writer.officers[0] ?? '', issued_at: clock(date, 9, 40), place: n },
      ...{ status: 'open', fine_cents: dollars * 100, late_cents: 0, paid_cents: 0 },
      ...{ due_on: addDays(date, writer.settings.dueDays), counted_from: date, last_step_day: 0, email: '' },
      ...{ steps: [], taken: [], order: null, contest: null },
    }
    go(ticket, 'open', 'issue', ticket.issued_at, 'municipality', ticket.officer)
    stayOpen(writer, ticket, writer.now)
    if (n === 2) {
      const [story] = stories
      const at = later(ticket.issued_at, 1, 2)
      go(ticket, 'contested', 'contest', at, 'guest', 'Rosa Delaney')
      const hearingAt = clock(addDays(today, 9), 10, 30)
      ticket.email = 'rosa.delaney@mail.example'
      if (story)
        ticket.contest = {
          ...{ name: 'Rosa Delaney', email: ticket.email, at, story, talk: 2, hearingAt },
          ...{ decision: null, decidedAt: null },
        }
    }
    tickets.push(ticket)
  }
}

async function addTickets({ clock, files }: Demo, tx: Tx, company: CompanyId, seed: number): Promise<void> {
  const town = await tx
    .selectFrom('company as c')
    .innerJoin('timezone as z', 'z.id', 'c.timezone_id')
    .select(['c.subdomain', 'c.state', 'z.zone'])
    .where('c.id', '=', company)
    .executeTakeFirstOrThrow()
  const rules = demoRules[town.subdomain]
  if (!rules) return
  const now = clock.now()
  const today = dateIn(town.zone, now)
  const midnights = new Map<string, number>()
  const midnight = (date: string) => {
    const known = midnights.get(date) ?? midnightIn(town.zone, date).getTime()
    midnights.set(date, known)
    return known
  }
  const places = await placesOf(tx, company)
  const clerk = await tx
    .selectFrom('person')
    .select(['id', 'first_name', 'last_name'])
    .where('company_id', '=', company)
    .where('role_id', '>=', 4)
    .orderBy('role_id')
    .orderBy('id')
    .executeTakeFirstOrThrow()
  const writer: Writer = {
    ...{ random: randomFrom(seed), now, today, settings: rules.settings, prefix: rules.prefix, codes: rules.codes },
    fees: (await settingsOf(tx, company)).fees,
    ...{ state: town.state ?? 'PA', officers: rules.officers, places: places.length },
    clock: (date, hour, minute) => new Date(midnight(date) + hour * HOUR + minute * MINUTE),
    clerk: `${clerk.first_name} ${clerk.last_name}`,
  }
  const tickets = makeTickets(writer, rules.tickets)
  addKnown(writer, tickets)
  await saveRules(tx, company, rules)
  const ids = await saveTickets(tx, company, tickets, places)
  await saveSteps(tx, company, tickets, ids, clerk.id)
  const orders = tickets.flatMap(({ order }) => order ?? []).toSorted((a, b) => a.at.getTime() - b.at.getTime())
  await saveContests(tx, company, tickets, ids, {
    ...writer,
    clerkId: clerk.id,
    hearingPlace: rules.settings.hearingPlace,
  })
  await savePhotos(tx, company, files, tickets, ids, now)
  await writeHistory(tx, company, writer.fees, orders, ids)
  await sql`
    INSERT INTO parking_receipt (company_id, ticket_id, order_id, line_no, source, source_ref, kind, amount_cents, at)
    SELECT l.company_id, l.payable_id, l.order_id, l.line_no, t.source, t.source_ref, 'credit', t.amount_cents, t.at
    FROM payment_order_line l JOIN ledger_transfer t ON t.company_id = l.company_id AND t.order_id = l.order_id
    WHERE l.company_id = ${company} AND l.kind = ${parkingTickets.kind} AND t.credit_account = 'payable_municipality'`.execute(
    tx,
  )
}

interface Place {
  text: string
  address_id: number
  lat: number
  lon: number
  x: number
  y: number
}

/** Houses before which cars stand. */
async function placesOf(tx: Tx, company: CompanyId): Promise<Place[]> {
  const { rows } = await sql<Place>`
    SELECT a.house_number || ' ' || s.name AS text, a.id AS address_id, a.lat, a.lon, (a.at)[0] AS x, (a.at)[1] AS y
    FROM address a JOIN street s ON s.company_id = a.company_id AND s.id = a.street_id
    WHERE a.company_id = ${company} ORDER BY a.id LIMIT 250`.execute(tx)
  return rows
}

type Rules = (typeof demoRules)[string]

async function saveRules(tx: Tx, company: CompanyId, { settings, codes, retired }: Rules): Promise<void> {
  await tx
    .insertInto('parking_settings')
    .values({
      company_id: company,
      due_days: settings.dueDays,
      steps: JSON.stringify(settings.steps),
      boot_tickets: settings.bootTickets,
      boot_days: settings.bootDays,
      alternatives: settings.alternatives,
      hearing_place: settings.hearingPlace,
      gl_account: settings.glAccount,
    })
    .execute()
  const row = (code: string, description: string, dollars: number, is_active: 0 | 1) => ({
    ...{ company_id: company, code, description, amount_cents: dollars * 100, is_active },
  })
  await tx
    .insertInto('parking_violation')
    .values([
      ...codes.map(([code, text, dollars]) => row(code, text, dollars, 1)),
      ...retired.map(([code, text, dollars]) => row(code, text, dollars, 0)),
    ])
    .execute()
}

/** @returns the tickets' ids by citation */
async function saveTickets(
  tx: Tx,
  company: CompanyId,
  tickets: readonly DemoTicket[],
  places: readonly Place[],
): Promise<Map<string, number>> {
  const rows = tickets.map(({ steps: _steps, taken: _taken, order: _order, contest: _contest, place, ...ticket }) => ({
    ...ticket,
    ...(places[place] ?? { text: '' }),
    violation_text: ticket.text,
  }))
  const { rows: made } = await sql<{ id: number; citation: string }>`
    INSERT INTO parking_ticket (company_id, citation, plate, plate_state, vehicle, violation_id, violation_code, violation_text, officer,
      issued_at, place, address_id, lat, lon, at, email, status, fine_cents, late_cents, paid_cents, due_on, counted_from, last_step_day)
    SELECT ${company}::int, citation, plate, plate_state, vehicle, v.id, x.code, violation_text, officer, issued_at, coalesce(x.text, ''),
      address_id, lat, lon, CASE WHEN x.x IS NOT NULL THEN point(x.x, x.y) END, email, status, fine_cents, late_cents, paid_cents,
      due_on, counted_from, last_step_day
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS x(citation text, plate text, plate_state text, vehicle text, code text,
      violation_text text, officer text, issued_at timestamptz, text text, address_id bigint, lat float8, lon float8, x float8, y float8,
      email text, status text, fine_cents bigint, late_cents bigint, paid_cents bigint, due_on date, counted_from date, last_step_day int)
    JOIN parking_violation v ON v.company_id = ${company} AND v.code = x.code
    ORDER BY issued_at RETURNING id, citation`.execute(tx)
  return new Map(made.map(({ id, citation }) => [citation, id]))
}

async function saveSteps(
  tx: Tx,
  company: CompanyId,
  tickets: readonly DemoTicket[],
  ids: ReadonlyMap<string, number>,
  clerk: number,
): Promise<void> {
  const history = tickets.flatMap(({ citation, steps }) =>
    steps.map((step) => ({
      ...step,
      id: ids.get(citation),
      actor: step.kind === 'municipality' && step.event !== 'issue' && step.event !== 'warn' ? clerk : null,
    })),
  )
  await sql`
    INSERT INTO status_history (company_id, machine, subject_id, seq, from_state, to_state, event, at, actor_kind, actor_id, actor_name, reason)
    SELECT ${company}::int, ${ticketStates.name}, id, seq, "from", "to", event, at, kind, actor, by, reason
    FROM jsonb_to_recordset(${JSON.stringify(history)}::jsonb) AS x(id bigint, seq int, "from" text, "to" text, event text,
      at timestamptz, kind text, actor bigint, by text, reason text)`.execute(tx)
  const taken = tickets.flatMap((ticket) => ticket.taken.map((step) => ({ ...step, id: ids.get(ticket.citation) })))
  await sql`
    INSERT INTO parking_step (company_id, ticket_id, counted_from, day, fee_cents, told, at)
    SELECT ${company}::int, id, counted_from, day, fee_cents, false, at
    FROM jsonb_to_recordset(${JSON.stringify(taken)}::jsonb) AS x(id bigint, counted_from date, day int, fee_cents bigint, at timestamptz)`.execute(
    tx,
  )
}

interface Office extends Writer {
  clerkId: number
  hearingPlace: string
}

async function saveContests(
  tx: Tx,
  company: CompanyId,
  tickets: readonly DemoTicket[],
  ids: ReadonlyMap<string, number>,
  { clerk, clerkId, hearingPlace, now }: Office,
): Promise<void> {
  const contested = tickets.filter((ticket): ticket is DemoTicket & { contest: DemoContest } => ticket.contest !== null)
  const made = await tx
    .insertInto('parking_contest')
    .values(
      contested.map(({ citation, contest: { name, email, at, story, hearingAt, decision, decidedAt } }) => ({
        ...{ company_id: company, ticket_id: ids.get(citation) ?? 0, citation, created_at: at, name, email },
        ...{ grounds: story.grounds, hearing_at: hearingAt, hearing_place: hearingAt ? hearingPlace : '' },
        ...{ decision, decided_at: decidedAt, updated_at: decidedAt ?? at },
        assigned_to: decision === null ? clerkId : null,
      })),
    )
    .returning(['id', 'citation'])
    .execute()
  const numbers = new Map(made.map(({ id, citation }) => [citation, id]))
  const said = contested.flatMap(({ citation, contest }) =>
    saidIn(contest, numbers.get(citation) ?? 0, { clerk, clerkId, now }),
  )
  await sql`
    WITH written AS (
      INSERT INTO case_entry (company_id, subject_kind, subject_id, at, kind, visibility, author_kind, author_id, author_name, text)
      SELECT ${company}::int, ${contestCase.kind}, subject, at, kind, 'everyone', author, author_id, name, text
      FROM jsonb_to_recordset(${JSON.stringify(said)}::jsonb) AS x(subject bigint, at timestamptz, kind text, author text, author_id bigint,
        name text, text text) ORDER BY at RETURNING id, subject_id, kind, at)
    UPDATE parking_contest c SET last_message_id = l.id, last_from = CASE l.kind WHEN 'message' THEN 'person' ELSE 'staff' END,
      updated_at = greatest(c.updated_at, l.at), first_answered_at = l.answered
    FROM (SELECT DISTINCT ON (subject_id) id, subject_id, kind, at,
        (SELECT min(f.at) FROM written f WHERE f.subject_id = w.subject_id AND f.kind = 'reply') AS answered
      FROM written w ORDER BY subject_id, id DESC) l
    WHERE c.company_id = ${company} AND c.id = l.subject_id`.execute(tx)
  await saveHearings(tx, company, contested, numbers, hearingPlace, now)
}

/** Staff and person in turns, a day apart, as far as it lies in the past; in the end the decision. */
function saidIn(
  contest: DemoContest,
  subject: number,
  { clerk, clerkId, now }: { clerk: string; clerkId: number; now: Date },
) {
  const { at, name, story, talk, decision, decidedAt } = contest
  const staff = { kind: 'reply', author: 'municipality', author_id: clerkId, name: clerk }
  const person = { kind: 'message', author: 'person', author_id: null, name }
  const turns = story.talk.slice(0, talk).map((text, n) => ({
    ...(n % 2 === 0 ? staff : person),
    ...{ subject, text, at: later(at, n + 1, 1) },
  }))
  const end =
    decision && decidedAt
      ? [
          {
            ...{ ...staff, subject, at: decidedAt },
            text:
              decision === 'upheld'
                ? `Your contest was not successful: the ticket is upheld. ${story.upheld}`
                : `Your contest was successful: the ticket is dismissed, and nothing has to be paid. ${story.dismissed}`,
          },
        ]
      : []
  return [...turns.filter((turn) => turn.at < (decidedAt ?? now)), ...end]
}

async function saveHearings(
  tx: Tx,
  company: CompanyId,
  contested: readonly (DemoTicket & { contest: DemoContest })[],
  numbers: ReadonlyMap<string, number>,
  place: string,
  now: Date,
): Promise<void> {
  for (const { citation, contest } of contested) {
    if (!contest.hearingAt || contest.hearingAt < now) continue
    const id = numbers.get(citation) ?? 0
    const item = await tx
      .insertInto('scheduled_item')
      .values({
        ...{ company_id: company, event_type_id: HEARING, description: place, status: 'not_started' },
        title: `Hearing ${contestNumber(id)}, ticket ${citation}`,
        ...{ starts_at: contest.hearingAt, ends_at: new Date(contest.hearingAt.getTime() + 30 * MINUTE) },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx
      .updateTable('parking_contest')
      .set({ item_id: item.id })
      .where('company_id', '=', company)
      .where('id', '=', id)
      .execute()
  }
}

/** A car at an expired meter, as the officer's phone saw it. */
const drawing = (plate: string) => `<svg xmlns="http://www.w3.org/2000/svg" width="960" height="640">
  <rect width="960" height="400" fill="#b9c7d4"/><rect y="400" width="960" height="240" fill="#5d6066"/>
  <rect y="388" width="960" height="16" fill="#d8d3c8"/>
  <rect x="60" y="140" width="250" height="250" fill="#8d6f5a"/><rect x="95" y="180" width="70" height="90" fill="#dfe9ef"/>
  <rect x="205" y="180" width="70" height="90" fill="#dfe9ef"/>
  <path d="M250 470 q30 -110 130 -120 h220 q80 10 120 95 l70 15 q20 5 20 30 v40 h-560 z" fill="#2d5fa5"/>
  <path d="M385 365 h105 v80 h-180 q25 -70 75 -80z M510 365 h85 q50 10 80 80 h-165z" fill="#cfe0ee"/>
  <circle cx="350" cy="530" r="52" fill="#222"/><circle cx="350" cy="530" r="24" fill="#999"/>
  <circle cx="680" cy="530" r="52" fill="#222"/><circle cx="680" cy="530" r="24" fill="#999"/>
  <rect x="735" y="478" width="72" height="26" fill="#fff" stroke="#333"/><text x="771" y="497" font-size="16" text-anchor="middle">${plate}</text>
  <rect x="862" y="250" width="12" height="200" fill="#444"/><rect x="838" y="170" width="60" height="90" rx="14" fill="#666"/>
  <rect x="848" y="186" width="40" height="26" fill="#c0392b"/></svg>`

async function savePhotos(
  tx: Tx,
  company: CompanyId,
  files: Demo['files'],
  tickets: readonly DemoTicket[],
  ids: ReadonlyMap<string, number>,
  now: Date,
): Promise<void> {
  const known = tickets.filter(({ plate }) => plate === KNOWN.plate)
  const photo = await sharp(Buffer.from(drawing(KNOWN.plate)))
    .jpeg({ quality: 70 })
    .toBuffer()
  const preview = await sharp(photo).resize(240).jpeg({ quality: 70 }).toBuffer()
  for (const { citation } of known) {
    const { path, bytes, sha256 } = await files.write(company, photo)
    await tx
      .insertInto('attachment')
      .values({
        ...{ company_id: company, kind: ticketPhotos.kind, subject_kind: ticketPhotos.subject },
        ...{ subject_id: ids.get(citation) ?? 0, nth: 1, state: 'clean', name: 'car.jpg', content_type: JPEG },
        ...{ bytes, sha256, path, preview, created_at: now, created_by_kind: 'municipality', scanned_at: now },
      })
      .execute()
  }
}

export const demo: DemoPart = {
  town: async (demoOf, town, { company }) =>
    tenancyOn(demoOf.db.app)(company, (tx) => addTickets(demoOf, tx, company, town.seed + 44)),
}
