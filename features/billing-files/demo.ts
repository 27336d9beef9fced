import { sql } from 'kysely'
import { type Random, randomFrom } from '../../database/random.ts'
import type { DemoPart } from '../../server/demo.ts'
import { type CompanyId, tenancyOn, type Tx } from '../../server/tenancy.ts'

const DAY_MS = 86_400_000

const senders = {
  folder: 'Watched folder',
  key: 'Billing system',
  upload: 'Carol Whitaker',
  command: 'npm run import',
} as const

function fileOf(random: Random, at: Date, accounts: number) {
  const isBillRun = at.getUTCDate() === 1
  const date = at.toISOString().slice(0, 10)
  const isRefused = random.chance(0.01)
  const source = random.weighted({ folder: 0.62, key: 0.3, upload: 0.06, command: 0.02 })
  const made = isRefused ? 0 : isBillRun ? accounts : random.int(0, 4)
  const paid = isRefused || isBillRun ? 0 : random.int(3, Math.max(4, Math.floor(accounts / 40)))
  const invalidCount = isRefused || !random.chance(0.08) ? 0 : random.int(1, 9)
  return {
    name: `${isBillRun ? 'bills' : 'payments'}-${date}.csv`,
    source,
    sender: senders[source],
    at,
    state: isRefused ? 'refused' : source === 'upload' && random.chance(0.2) ? 'discarded' : 'imported',
    problem: isRefused
      ? 'Columns missing from the header: bill_number. The sample file in Billing Files shows all columns.'
      : '',
    read: made + paid + invalidCount,
    error_count: invalidCount,
    made,
    paid,
    accounts: isRefused || !random.chance(0.3) ? 0 : random.int(1, 3),
    cents: made * random.int(7800, 9900),
  }
}

/**
 * Adds a year of files, one for each working day. Files on the first of the month contain new bills, and other files
 * contain mostly bank payments.
 */
async function addFiles(tx: Tx, company: CompanyId, seed: number, now: Date, accounts: number): Promise<void> {
  const random = randomFrom(seed + 60)
  const days = Array.from(
    { length: 364 },
    (_, index) => new Date(now.getTime() - (364 - index) * DAY_MS - random.int(0, 3600) * 1000),
  )
  const files = days
    .filter((at) => at.getUTCDay() % 6 !== 0 || at.getUTCDate() === 1)
    .map((at) => fileOf(random, at, accounts))
  const column = <K extends keyof (typeof files)[number]>(name: K) => files.map((file) => file[name])
  await sql`
    WITH file AS (
      INSERT INTO billing_file (company_id, name, source, sender, received_at, finished_at, state, problem, lines_read, lines_done,
        error_count, bills_created, bills_changed, accounts_created, billed_cents)
      SELECT ${company}::int, x.name, x.source, x.sender, x.at, x.at, x.state, x.problem, x.read,
        CASE WHEN x.state = 'imported' THEN x.read ELSE 0 END, x.error_count, x.made, x.paid, x.accounts, x.cents
      FROM unnest(${column('name')}::text[], ${column('source')}::text[], ${column('sender')}::text[], ${column('at')}::timestamptz[],
        ${column('state')}::text[], ${column('problem')}::text[], ${column('read')}::int[], ${column('error_count')}::int[],
        ${column('made')}::int[], ${column('paid')}::int[], ${column('accounts')}::int[], ${column('cents')}::bigint[])
        AS x(name, source, sender, at, state, problem, read, error_count, made, paid, accounts, cents)
      RETURNING id, error_count)
    INSERT INTO billing_file_line (company_id, file_id, line, what, reason)
    SELECT ${company}::int, file.id, 3 + n * 7, 'invalid', 'zip "1701" does not have 5 digits. A spreadsheet may have removed a leading zero.'
    FROM file, generate_series(1, file.error_count) AS n`.execute(tx)
}

/** Adds the daily files of all payments through yesterday. */
async function addRemittances(tx: Tx, company: CompanyId, zone: string, now: Date): Promise<void> {
  await sql`
    WITH due AS MATERIALIZED (
      SELECT r.id, r.kind, r.amount_cents AS cents, (r.at AT TIME ZONE ${zone})::date AS day FROM remittance r
      WHERE r.company_id = ${company} AND (r.at AT TIME ZONE ${zone})::date < (${now}::timestamptz AT TIME ZONE ${zone})::date),
    days AS (
      SELECT day::date, row_number() OVER (ORDER BY day) AS number FROM generate_series((SELECT min(day) FROM due),
        (${now}::timestamptz AT TIME ZONE ${zone})::date - 1, interval '1 day') AS day),
    file AS (
      INSERT INTO remittance_file (company_id, number, day, time_zone, made_at, credits, credit_cents, reversals, reversal_cents)
      SELECT ${company}, d.number, d.day, ${zone}, (d.day + 1 + time '00:07') AT TIME ZONE ${zone},
        count(due.id) FILTER (WHERE kind = 'credit'), coalesce(sum(cents) FILTER (WHERE kind = 'credit'), 0),
        count(due.id) FILTER (WHERE kind = 'reversal'), coalesce(sum(cents) FILTER (WHERE kind = 'reversal'), 0)
      FROM days d LEFT JOIN due USING (day) GROUP BY d.number, d.day)
    INSERT INTO remittance_filed (company_id, remittance_id, number)
    SELECT ${company}, due.id, days.number FROM due JOIN days USING (day)`.execute(tx)
}

export const demo: DemoPart = {
  company: async ({ db, clock }, demoCompany, { company, households }) => {
    if (households.length === 0) return
    await tenancyOn(db.app)(company, async (tx) => {
      const { zone } = await tx
        .selectFrom('timezone')
        .select('zone')
        .where('id', '=', demoCompany.company.timeZone)
        .executeTakeFirstOrThrow()
      await addFiles(tx, company, demoCompany.seed, clock.now(), households.length)
      await addRemittances(tx, company, zone, clock.now())
    })
  },
}
