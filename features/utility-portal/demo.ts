import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import PDFDocument from 'pdfkit'
import type { DemoCompany } from '../../database/towns/town.ts'
import type { Demo, DemoPart } from '../../server/demo.ts'
import { type CompanyId, tenancyOn, type Tx } from '../../server/tenancy.ts'
import { addDays, dateIn } from '../../shared/dates.ts'
import { PDF } from '../../shared/file-types.ts'
import { formatCents } from '../../shared/money.ts'
import { linesFor } from '../utility-accounts/demo.ts'
import { billDocuments } from '../utility-accounts/api.ts'

const ZONE = 'America/New_York'

/**
 * Number of accounts without meters in each company. They are the accounts with the highest numbers, and their usage
 * comes only from bills.
 */
const WITHOUT_METERS: Readonly<Record<string, number>> = { harborcity: 40 }

/** Demo data: two years of readings that match the bills, link codes, and settings of residents. */
export const demo: DemoPart = {
  early: true,
  async company({ db, clock, files }, demoCompany, { company }) {
    if (!demoCompany.utilities) return
    const { accounts, firstAccount, households } = demoCompany.utilities
    const lastMeter = firstAccount + accounts - 1 - (WITHOUT_METERS[demoCompany.company.subdomain] ?? 0)
    const today = dateIn(ZONE, clock.now())
    await tenancyOn(db.app)(company, async (tx) => {
      await readMeters(tx, company, String(lastMeter), Object.keys(households))
      await addOlderBills(tx, company, Object.keys(households))
      await sql`
        UPDATE utility_account SET link_code_hash = sha256(convert_to('LINK' || account_number, 'UTF8')),
          paperless_since = CASE WHEN abs(hashtext('paper' || account_number)) % 9 = 0 AND EXISTS (
            SELECT FROM linked_account l WHERE l.company_id = utility_account.company_id AND l.account_id = id)
            THEN ${clock.now()}::timestamptz - interval '200 days' END
        WHERE company_id = ${company}`.execute(tx)
      await setNotificationChoices(tx, company, today)
      await nameAccounts(tx, company, demoCompany, today)
      await addRecords(tx, company, firstAccount, today)
      await shareHistory(tx, company, demoCompany, clock.now())
    })
    const own = Object.keys(households).find((number) =>
      demoCompany.people.some(({ accounts }) => accounts?.includes(number)),
    )
    if (own) await keepDocument({ db, clock, files }, company, demoCompany, own)
  },
}

/**
 * Creates meter readings that match the usage on the bills. The previous year has similar usage. Some readings are
 * estimates, which the next reading corrects. Only one of the documented demo accounts has an estimate.
 */
const readMeters = (tx: Tx, company: CompanyId, lastMeter: string, documentedAccounts: readonly string[]) =>
  sql`
    INSERT INTO meter_reading (company_id, account_id, meter_number, read_date, service, unit, reading, used, days, kind, imported_at)
    SELECT company_id, account_id, 'W' || account_number, read_date, 'Water', 'thousand gallons',
      round((abs(hashtext(account_number)) % 900 + sum(used) OVER w)::numeric, 1)::float8, used,
      coalesce(read_date - lag(read_date) OVER w, 30),
      CASE WHEN is_estimate THEN 'estimated' WHEN lag(is_estimate) OVER w THEN 'corrected' ELSE 'actual' END,
      read_date + interval '30 hours'
    FROM (
      SELECT m.company_id, m.account_id, m.account_number, y.read_date, y.used,
        m.nth = 2 AND m.account_number = '100014' OR m.nth > 1 AND m.account_number <> ALL(${[...documentedAccounts]}::text[])
          AND abs(hashtext(y.read_date::text || m.account_number)) % 40 = 0 AS is_estimate
      FROM (
        SELECT b.company_id, b.account_id, a.account_number, b.period_end, (b.lines -> 0 ->> 'quantity')::float8 AS used,
          row_number() OVER (PARTITION BY b.account_id ORDER BY b.bill_date DESC) AS nth, b.bill_number
        FROM utility_bill b JOIN utility_account a ON a.company_id = b.company_id AND a.id = b.account_id
        WHERE b.company_id = ${company} AND a.account_number <= ${lastMeter}
      ) m CROSS JOIN LATERAL (
        SELECT m.period_end AS read_date, m.used
        UNION ALL
        SELECT (m.period_end - interval '1 year')::date,
          round((m.used * (0.82 + abs(hashtext(m.bill_number)) % 37 / 100.0))::numeric, 1)::float8
        -- A year before the newest bill is the oldest one.
        WHERE m.nth > 1
      ) y
    ) r WINDOW w AS (PARTITION BY account_id ORDER BY read_date)`.execute(tx)

interface OlderReading {
  account_id: number
  account_number: string
  read_date: string
  days: number
  used: number
}

/** Adds bills from the previous year to the documented demo accounts. All of them were paid by mail. */
async function addOlderBills(tx: Tx, company: CompanyId, numbers: readonly string[]): Promise<void> {
  const { rows } = await sql<OlderReading>`
    SELECT r.account_id, a.account_number, r.read_date, r.days, r.used
    FROM meter_reading r JOIN utility_account a ON a.company_id = r.company_id AND a.id = r.account_id
    WHERE r.company_id = ${company} AND a.account_number = ANY(${[...numbers]}::text[]) AND r.read_date < (
      SELECT min(b.period_end) FROM utility_bill b WHERE b.company_id = r.company_id AND b.account_id = r.account_id)`.execute(
    tx,
  )
  const bills = rows.map(({ account_id, account_number, read_date, days, used }) => {
    const lines = linesFor(Math.round(used * 10))
    const bill_date = addDays(read_date, 1)
    const amount_cents = lines.reduce((sum, { amountCents }) => sum + amountCents, 0)
    return {
      ...{
        company_id: company,
        account_id,
        bill_number: `${bill_date.slice(0, 7).replace('-', '')}-${account_number}`,
      },
      ...{
        bill_date,
        due_date: addDays(bill_date, 21),
        period_start: addDays(read_date, 1 - days),
        period_end: read_date,
      },
      ...{ lines: JSON.stringify(lines), amount_cents, paid_elsewhere_cents: amount_cents },
    }
  })
  if (bills.length > 0) await tx.insertInto('utility_bill').values(bills).execute()
}

/** Sets usage alerts for some residents. Some alerts have a second recipient. Marks a few residents as away. */
const setNotificationChoices = (tx: Tx, company: CompanyId, today: string) =>
  sql`
    UPDATE linked_account l SET
      usage_limit = CASE WHEN h % 5 = 0 THEN 6 + h % 7 END,
      also_to = CASE WHEN h % 15 = 0 THEN 'family' || h % 900 || '@mail.example' ELSE '' END,
      away_from = CASE WHEN h % 31 = 0 THEN ${today}::date - h % 9 END,
      away_until = CASE WHEN h % 31 = 0 THEN ${today}::date + 5 + h % 20 END
    FROM (SELECT k.account_id, k.person_id, abs(hashtext(a.account_number || '/' || p.email)) AS h
      FROM linked_account k JOIN utility_account a ON a.company_id = k.company_id AND a.id = k.account_id
      JOIN person p ON p.company_id = k.company_id AND p.id = k.person_id WHERE k.company_id = ${company}) x
    WHERE l.company_id = ${company} AND l.account_id = x.account_id AND l.person_id = x.person_id`.execute(tx)

const NICKNAMES = ['Home', 'Rental on Canal Street']

/** Sets the nicknames of the demo residents' accounts. */
async function nameAccounts(tx: Tx, company: CompanyId, { people }: DemoCompany, today: string): Promise<void> {
  for (const { email, accounts = [] } of people)
    for (const [nth, number] of accounts.entries())
      await sql`
        UPDATE linked_account l SET nickname = ${accounts.length > 1 ? (NICKNAMES[nth] ?? '') : ''},
          usage_limit = ${nth === 0 ? 9 : null}, also_to = '', away_from = ${nth === 0 ? null : addDays(today, 3)}, away_until = ${nth === 0 ? null : addDays(today, 17)}
        FROM person p, utility_account a
        WHERE l.company_id = ${company} AND p.company_id = l.company_id AND p.id = l.person_id AND p.email = ${email}
          AND a.company_id = l.company_id AND a.id = l.account_id AND a.account_number = ${number}`.execute(tx)
}

/**
 * Adds late fees, credits and returned checks to about one account in thirty. Adds a scheduled shutoff to the 21st
 * account and a completed one to the 22nd.
 */
async function addRecords(tx: Tx, company: CompanyId, firstAccount: number, today: string): Promise<void> {
  const pastDueAccounts = [firstAccount + 20, firstAccount + 21].map(String)
  await sql`
    INSERT INTO utility_adjustment (company_id, adjustment_number, account_id, adjusted_on, amount_cents, reason, imported_at)
    SELECT company_id, 'ADJ-' || account_number, id, ${today}::date - 3 - h % 160, cents, reason, ${today}::date - 2 - h % 160
    FROM (SELECT *, abs(hashtext('adjusted' || account_number)) AS h FROM utility_account WHERE company_id = ${company}) a,
      LATERAL (SELECT (ARRAY[500, -1500, 2500, -820])[1 + h % 4] AS cents,
        (ARRAY['Late fee', 'Half of a leak charge, as agreed', 'Returned check', 'Meter reading was wrong'])[1 + h % 4] AS reason) r
    WHERE h % 31 = 0 AND account_number > ${String(firstAccount + 450)}
    UNION ALL
    SELECT company_id, 'ADJ-' || account_number, id, ${today}::date - 95, 18640, 'Balance brought over from the old system', ${today}::date - 94
    FROM utility_account WHERE company_id = ${company} AND account_number = ANY(${pastDueAccounts}::text[])`.execute(tx)
  await sql`
    INSERT INTO utility_shutoff (company_id, shutoff_number, account_id, scheduled_on, off_on, amount_cents, reason, imported_at, notified_step)
    SELECT company_id, 'SO-' || account_number, id, ${today}::date + CASE WHEN account_number = ${pastDueAccounts[0]} THEN 9 ELSE -2 END,
      CASE WHEN account_number = ${pastDueAccounts[1]} THEN ${today}::date - 2 END, 18640, 'The August balance was not paid', ${today}::date - 2, 'by letter'
    FROM utility_account WHERE company_id = ${company} AND account_number = ANY(${pastDueAccounts}::text[])`.execute(tx)
}

/** Shares the history of another address with the demo resident. */
async function shareHistory(tx: Tx, company: CompanyId, { people }: DemoCompany, now: Date): Promise<void> {
  const taker = people.find(({ accounts }) => accounts)?.email
  if (!taker) return
  const day = 86_400_000
  const [offered, accepted] = [new Date(now.getTime() - 41 * day), new Date(now.getTime() - 40 * day)]
  await sql`
    WITH share AS (
      INSERT INTO account_share (company_id, account_id, kind, with_amounts, until_day, offered_by, to_email, code_hash, state,
        offered_at, expires_at, accepted_by, accepted_at)
      SELECT l.company_id, l.account_id, 'history', true, ${offered}::date, l.person_id, ${taker}, sha256('handed over'), 'accepted',
        ${offered}::timestamptz, ${offered}::timestamptz + interval '30 days', t.id, ${accepted}::timestamptz
      FROM linked_account l JOIN person g ON g.company_id = l.company_id AND g.id = l.person_id
        JOIN person t ON t.company_id = l.company_id AND t.email = ${taker}
        JOIN utility_account a ON a.company_id = l.company_id AND a.id = l.account_id
      WHERE l.company_id = ${company} AND g.email <> ALL(${people.map(({ email }) => email)}::text[])
      ORDER BY a.account_number LIMIT 1
      RETURNING company_id, id, offered_by, accepted_by)
    INSERT INTO status_history (company_id, machine, subject_id, seq, from_state, to_state, event, at, actor_kind, actor_id, actor_name)
    SELECT s.company_id, 'account_share', s.id, e.seq, e.before, e.after, e.event, e.at, 'citizen', p.id, trim(p.first_name || ' ' || p.last_name)
    FROM share s CROSS JOIN (VALUES (1, '', 'offered', 'offer', ${offered}::timestamptz), (2, 'offered', 'accepted', 'accept', ${accepted}::timestamptz))
        AS e(seq, before, after, event, at)
      JOIN person p ON p.company_id = s.company_id AND p.id = CASE e.seq WHEN 1 THEN s.offered_by ELSE s.accepted_by END`.execute(
    tx,
  )
}

/** Adds a PDF from the billing system to the second-latest bill of an account. */
async function keepDocument(
  { db, clock, files }: Pick<Demo, 'db' | 'clock' | 'files'>,
  company: CompanyId,
  { company: { companyName } }: DemoCompany,
  number: string,
): Promise<void> {
  await tenancyOn(db.app)(company, async (tx) => {
    const { rows } = await sql<{ bill_number: string; bill_date: string; amount_cents: number }>`
      SELECT b.bill_number, b.bill_date, b.amount_cents FROM utility_bill b JOIN utility_account a ON a.company_id = b.company_id AND a.id = b.account_id
      WHERE b.company_id = ${company} AND a.account_number = ${number} ORDER BY b.bill_date DESC OFFSET 1 LIMIT 1`.execute(
      tx,
    )
    const [bill] = rows
    if (!bill) return
    const rendered = await buffer(renderedElsewhere(companyName, number, bill))
    const { path, bytes, sha256 } = await files.write(company, rendered)
    const document = `${bill.bill_number}.pdf`
    const { id } = await tx
      .insertInto('utility_bill_document')
      .values({ company_id: company, bill_number: bill.bill_number, name: document })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('attachment')
      .values({
        company_id: company,
        kind: billDocuments.kind,
        subject_kind: billDocuments.subject,
        subject_id: id,
        nth: 1,
        state: 'clean',
        name: document,
        content_type: PDF,
        bytes,
        sha256,
        path,
        created_at: clock.now(),
        created_by_kind: 'system',
        scanned_at: clock.now(),
      })
      .execute()
  })
}

/** Renders a bill in the plain layout that billing systems print: Helvetica on white. */
function renderedElsewhere(companyName: string, number: string, bill: { bill_number: string; amount_cents: number }) {
  const pdf = new PDFDocument({ size: 'LETTER', info: { Title: `Bill ${bill.bill_number}` } })
  pdf.fontSize(20).text(`${companyName}: Water and Sewer`).moveDown()
  pdf.fontSize(12).text(`Bill ${bill.bill_number} for account ${number}`)
  pdf.text(`Amount of this bill: ${formatCents(bill.amount_cents)}`).moveDown()
  pdf.text('This is the bill as the billing system printed it, with its leaflet: flush your water heater once a year.')
  pdf.end()
  return pdf
}
