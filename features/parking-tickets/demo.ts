import { sql } from 'kysely'
import sharp from 'sharp'
import { changeRow } from '../../server/db/rows.ts'
import { randomFrom } from '../../database/random.ts'
import { loadCompanyDetails, type DemoAddress, demoAddresses, type Demo, type DemoPart } from '../../server/demo.ts'
import { type CompanyId, tenancyOn, type Tx } from '../../server/tenancy.ts'
import { dateIn, midnightIn } from '../../shared/dates.ts'
import { JPEG } from '../../shared/file-types.ts'
import { writeHistory } from '../payments/demo-rows.ts'
import { ruleOf, writeFeeRules, settingsOf } from '../payments/api.ts'
import { contestCase, ticketPhotos } from './contract.ts'
import {
  addSampleTickets,
  type DemoContest,
  type DemoTicket,
  SAMPLE_VEHICLE,
  later,
  makeTickets,
  type Writer,
} from './demo-tickets.ts'
import { demoRules } from './demo-texts.ts'
import { contestNumber } from './rules.ts'
import { parkingTickets } from './server/payable.ts'
import { ticketStates } from './states.ts'

const [MINUTE, HOUR] = [60_000, 3_600_000]
const HEARING = 5

async function addTickets({ clock, files }: Demo, tx: Tx, company: CompanyId, seed: number): Promise<void> {
  const companyInfo = await loadCompanyDetails(tx, company)
  const rules = demoRules[companyInfo.subdomain]
  if (!rules) return
  const now = clock.now()
  const today = dateIn(companyInfo.timeZone, now)
  if (rules.serviceFee) await writeFeeRules(tx, company, [ruleOf(rules.serviceFee)], { at: null, by: '' })
  const midnights = new Map<string, number>()
  const midnight = (date: string) => {
    const cachedMidnight = midnights.get(date) ?? midnightIn(companyInfo.timeZone, date).getTime()
    midnights.set(date, cachedMidnight)
    return cachedMidnight
  }
  const locations = await demoAddresses(tx, company, 250)
  const staffMember = await tx
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
    ...{ state: companyInfo.state ?? 'PA', officers: rules.officers, locations: locations.length },
    clock: (date, hour, minute) => new Date(midnight(date) + hour * HOUR + minute * MINUTE),
    staffMember: `${staffMember.first_name} ${staffMember.last_name}`,
  }
  const tickets = makeTickets(writer, rules.tickets)
  addSampleTickets(writer, tickets)
  await saveRules(tx, company, rules)
  const ids = await saveTickets(tx, company, tickets, locations)
  await saveSteps(tx, company, tickets, ids, staffMember.id)
  const orders = tickets.flatMap(({ order }) => order ?? []).toSorted((a, b) => a.at.getTime() - b.at.getTime())
  await saveContests(tx, company, tickets, ids, {
    ...writer,
    cashierId: staffMember.id,
    hearingLocation: rules.settings.hearingLocation,
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

type Rules = (typeof demoRules)[string]

async function saveRules(tx: Tx, company: CompanyId, { settings, codes, retired }: Rules): Promise<void> {
  await tx
    .insertInto('parking_settings')
    .values({
      company_id: company,
      due_days: settings.dueDays,
      delinquency_steps: JSON.stringify(settings.steps),
      contest_days: settings.contestDays,
      notice_renews_contest: settings.noticeRenews,
      boot_tickets: settings.bootTickets,
      boot_days: settings.bootDays,
      alternatives: settings.alternatives,
      hearing_location: settings.hearingLocation,
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

/** @returns the tickets' ids by citation number */
async function saveTickets(
  tx: Tx,
  company: CompanyId,
  tickets: readonly DemoTicket[],
  locations: readonly DemoAddress[],
): Promise<Map<string, number>> {
  const rows = tickets.map(
    ({ steps: _steps, lateSteps: _lateSteps, order: _order, contest: _contest, location, ...ticket }) => ({
      ...ticket,
      ...(locations[location] ?? { location: '' }),
      violation_text: ticket.text,
    }),
  )
  const { rows: made } = await sql<{ id: number; citation_number: string }>`
    INSERT INTO parking_ticket (company_id, citation_number, plate, plate_state, vehicle, violation_id, violation_code, violation_text, officer,
      issued_at, location, address_id, lat, lon, at, email, status, fine_cents, late_cents, paid_cents, due_on, counted_from, contest_until,
      last_step_day)
    SELECT ${company}::int, citation_number, plate, plate_state, vehicle, v.id, x.code, violation_text, officer, issued_at, coalesce(x.location, ''),
      address_id, lat, lon, CASE WHEN x.x IS NOT NULL THEN point(x.x, x.y) END, email, status, fine_cents, late_cents, paid_cents,
      due_on, counted_from, contest_until, last_step_day
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS x(citation_number text, plate text, plate_state text, vehicle text, code text,
      violation_text text, officer text, issued_at timestamptz, location text, address_id bigint, lat float8, lon float8, x float8, y float8,
      email text, status text, fine_cents bigint, late_cents bigint, paid_cents bigint, due_on date, counted_from date,
      contest_until date, last_step_day int)
    JOIN parking_violation v ON v.company_id = ${company} AND v.code = x.code
    ORDER BY issued_at RETURNING id, citation_number`.execute(tx)
  return new Map(made.map(({ id, citation_number }) => [citation_number, id]))
}

async function saveSteps(
  tx: Tx,
  company: CompanyId,
  tickets: readonly DemoTicket[],
  ids: ReadonlyMap<string, number>,
  staffId: number,
): Promise<void> {
  const history = tickets.flatMap(({ citation_number, steps }) =>
    steps.map((step) => ({
      ...step,
      id: ids.get(citation_number),
      actor: step.kind === 'municipality' && step.event !== 'issue' && step.event !== 'warn' ? staffId : null,
    })),
  )
  await sql`
    INSERT INTO status_history (company_id, machine, subject_id, seq, from_state, to_state, event, at, actor_kind, actor_id, actor_name, reason)
    SELECT ${company}::int, ${ticketStates.name}, id, seq, "from", "to", event, at, kind, actor, by, reason
    FROM jsonb_to_recordset(${JSON.stringify(history)}::jsonb) AS x(id bigint, seq int, "from" text, "to" text, event text,
      at timestamptz, kind text, actor bigint, by text, reason text)`.execute(tx)
  const lateSteps = tickets.flatMap((ticket) =>
    ticket.lateSteps.map((step) => ({ ...step, id: ids.get(ticket.citation_number) })),
  )
  await sql`
    INSERT INTO parking_delinquency_step (company_id, ticket_id, counted_from, day, fee_cents, is_notified, at)
    SELECT ${company}::int, id, counted_from, day, fee_cents, false, at
    FROM jsonb_to_recordset(${JSON.stringify(lateSteps)}::jsonb) AS x(id bigint, counted_from date, day int, fee_cents bigint, at timestamptz)`.execute(
    tx,
  )
}

interface Office extends Writer {
  cashierId: number
  hearingLocation: string
}

async function saveContests(
  tx: Tx,
  company: CompanyId,
  tickets: readonly DemoTicket[],
  ids: ReadonlyMap<string, number>,
  { staffMember, cashierId, hearingLocation, now }: Office,
): Promise<void> {
  const contested = tickets.filter((ticket): ticket is DemoTicket & { contest: DemoContest } => ticket.contest !== null)
  const made = await tx
    .insertInto('parking_contest')
    .values(
      contested.map(
        ({ citation_number, contest: { name, email, address, receivedOn, at, scenario, hearingAt, ...decided } }) => ({
          ...{
            company_id: company,
            ticket_id: ids.get(citation_number) ?? 0,
            citation_number,
            created_at: at,
            name,
            email,
          },
          ...{ address, received_on: receivedOn },
          ...{ grounds: scenario.grounds, hearing_at: hearingAt, hearing_location: hearingAt ? hearingLocation : '' },
          ...{ decision: decided.decision, decided_at: decided.decidedAt, updated_at: decided.decidedAt ?? at },
          assigned_to: decided.decision === null ? cashierId : null,
        }),
      ),
    )
    .returning(['id', 'citation_number'])
    .execute()
  const numbers = new Map(made.map(({ id, citation_number }) => [citation_number, id]))
  const caseEntries = contested.flatMap(({ citation_number, contest }) =>
    caseEntriesIn(contest, numbers.get(citation_number) ?? 0, { staffMember, cashierId, now }),
  )
  await sql`
    WITH written AS (
      INSERT INTO case_entry (company_id, subject_kind, subject_id, at, kind, visibility, author_kind, author_id, author_name, text)
      SELECT ${company}::int, ${contestCase.kind}, subject, at, kind, 'everyone', author, author_id, name, text
      FROM jsonb_to_recordset(${JSON.stringify(caseEntries)}::jsonb) AS x(subject bigint, at timestamptz, kind text, author text, author_id bigint,
        name text, text text) ORDER BY at RETURNING id, subject_id, kind, at)
    UPDATE parking_contest c SET last_message_id = l.id, last_from = CASE l.kind WHEN 'message' THEN 'person' ELSE 'staff' END,
      updated_at = greatest(c.updated_at, l.at), first_reply_at = l.first_reply_at
    FROM (SELECT DISTINCT ON (subject_id) id, subject_id, kind, at,
        (SELECT min(f.at) FROM written f WHERE f.subject_id = w.subject_id AND f.kind = 'reply') AS first_reply_at
      FROM written w ORDER BY subject_id, id DESC) l
    WHERE c.company_id = ${company} AND c.id = l.subject_id`.execute(tx)
  await saveHearings(tx, company, contested, numbers, hearingLocation, now)
}

/**
 * Returns the case messages, then the decision. Staff and the person take turns, one message a day, and only in the
 * past.
 */
function caseEntriesIn(
  contest: DemoContest,
  subject: number,
  { staffMember, cashierId, now }: { staffMember: string; cashierId: number; now: Date },
) {
  const { at, name, scenario, messages, decision, decidedAt } = contest
  const staff = { kind: 'reply', author: 'municipality', author_id: cashierId, name: staffMember }
  const person = { kind: 'message', author: 'person', author_id: null, name }
  const entries = scenario.messages.slice(0, messages).map((text, n) => ({
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
                ? `Your contest was not successful: the ticket is upheld. ${scenario.upheld}`
                : `Your contest was successful: the ticket is dismissed, and nothing has to be paid. ${scenario.dismissed}`,
          },
        ]
      : []
  return [...entries.filter((entry) => entry.at < (decidedAt ?? now)), ...end]
}

async function saveHearings(
  tx: Tx,
  company: CompanyId,
  contested: readonly (DemoTicket & { contest: DemoContest })[],
  numbers: ReadonlyMap<string, number>,
  hearingLocation: string,
  now: Date,
): Promise<void> {
  for (const { citation_number, contest } of contested) {
    if (!contest.hearingAt || contest.hearingAt < now) continue
    const id = numbers.get(citation_number) ?? 0
    const item = await tx
      .insertInto('scheduled_item')
      .values({
        ...{ company_id: company, event_type_id: HEARING, description: hearingLocation, status: 'not_started' },
        title: `Hearing ${contestNumber(id)}, ticket ${citation_number}`,
        ...{ starts_at: contest.hearingAt, ends_at: new Date(contest.hearingAt.getTime() + 30 * MINUTE) },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await changeRow(tx, 'parking_contest', company, id, { item_id: item.id })
  }
}

/** Returns the drawing that serves as the photo of a car at an expired meter. */
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
  const sampleTickets = tickets.filter(({ plate }) => plate === SAMPLE_VEHICLE.plate)
  const photo = await sharp(Buffer.from(drawing(SAMPLE_VEHICLE.plate)))
    .jpeg({ quality: 70 })
    .toBuffer()
  const preview = await sharp(photo).resize(240).jpeg({ quality: 70 }).toBuffer()
  for (const { citation_number } of sampleTickets) {
    const { path, bytes, sha256 } = await files.write(company, photo)
    await tx
      .insertInto('attachment')
      .values({
        ...{ company_id: company, kind: ticketPhotos.kind, subject_kind: ticketPhotos.subject },
        ...{ subject_id: ids.get(citation_number) ?? 0, nth: 1, state: 'clean', name: 'car.jpg', content_type: JPEG },
        ...{ bytes, sha256, path, preview, created_at: now, created_by_kind: 'municipality', scanned_at: now },
      })
      .execute()
  }
}

export const demo: DemoPart = {
  company: async (demoOf, demoCompany, { company }) =>
    tenancyOn(demoOf.db.app)(company, (tx) => addTickets(demoOf, tx, company, demoCompany.seed + 44)),
}
