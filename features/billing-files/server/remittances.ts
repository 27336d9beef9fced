import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { auditCompany } from '../../../server/audit.ts'
import { implement } from '../../../server/call.ts'
import { notFound } from '../../../server/errors.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { companyIdFrom, type CompanyId, type Tx } from '../../../server/tenancy.ts'
import { whereOn } from '../../../server/modules.ts'
import { addDays, dateIn, midnightIn } from '../../../shared/dates.ts'
import { downloadRemittances } from '../contract.ts'
import { controlLines, REMITTANCE_HEAD, type RemittanceLine, remittanceLine, remittanceName } from '../rules.ts'

const FILE_LOCK = 20_119
const PAGE = 2000

/**
 * Defines the job that creates each company's file for the previous day, within an hour after midnight in the company's
 * time zone.
 */
export function defineRemittanceJob(context: AppContext): void {
  context.jobs.define('remittances.file', () => fileAll(context), { cron: '7 * * * *', timeoutSeconds: 900 })
}

async function fileAll(context: AppContext): Promise<void> {
  const companies = await context.outside((tx) =>
    tx
      .selectFrom('company as c')
      .innerJoin('timezone as t', 't.id', 'c.timezone_id')
      .select(['c.id', 't.zone'])
      .where(whereOn('billing_files', 'c.id'))
      .execute(),
  )
  for (const { id, zone } of companies) {
    try {
      await fileRemittances(context, companyIdFrom('job', id), zone)
    } catch (error) {
      // The other companies still get their files. This company's file follows within the next hour.
      context.log.error({ err: error, company: id }, 'the remittances of a town were not filed')
    }
  }
}

/**
 * Creates the file of the previous day from all payments up to the company's last midnight that are not in a file yet.
 * Payments that are reported later go into the next file, so a file never changes.
 * @returns the number of the file. Null if the day has a file or the company never had a payment
 */
export const fileRemittances = (context: AppContext, company: CompanyId, zone: string): Promise<number | null> =>
  context.inCompany(company, async (tx) => {
    const now = context.clock.now()
    const today = dateIn(zone, now)
    const day = addDays(today, -1)
    await sql`SELECT pg_advisory_xact_lock(${FILE_LOCK}, ${company})`.execute(tx)
    const { rows } = await sql<{ number: number }>`
      WITH last AS (
        SELECT coalesce(max(number), 0) AS number, coalesce(max(day), '-infinity') AS day
        FROM remittance_file WHERE company_id = ${company}),
      due AS MATERIALIZED (
        SELECT r.id, r.kind, r.amount_cents AS cents FROM remittance r, last
        WHERE r.company_id = ${company} AND r.at < ${midnightIn(zone, today)} AND last.day < ${day}::date
          AND NOT EXISTS (SELECT FROM remittance_filed f WHERE f.company_id = ${company} AND f.remittance_id = r.id)),
      file AS (
        INSERT INTO remittance_file (company_id, number, day, time_zone, made_at, credits, credit_cents, reversals, reversal_cents)
        SELECT ${company}, last.number + 1, ${day}::date, ${zone}, ${now}::timestamptz,
          (SELECT count(*) FROM due WHERE kind = 'credit'), (SELECT coalesce(sum(cents), 0) FROM due WHERE kind = 'credit'),
          (SELECT count(*) FROM due WHERE kind = 'reversal'), (SELECT coalesce(sum(cents), 0) FROM due WHERE kind = 'reversal')
        FROM last WHERE last.day < ${day}::date AND (last.number > 0 OR EXISTS (SELECT FROM due))
        RETURNING number),
      filed AS (
        INSERT INTO remittance_filed (company_id, remittance_id, number) SELECT ${company}, due.id, file.number FROM due, file)
      SELECT number FROM file`.execute(tx)
    const number = rows[0]?.number ?? null
    const actor = { session: null, requestId: 'remittances.file', kind: 'system' } as const
    if (number !== null)
      await auditCompany(tx, context.clock, company, actor, {
        action: 'remittances.filed',
        subject: { kind: 'remittance_file', id: number },
        detail: { day },
      })
    return number
  })

const findFile = (tx: Tx, company: CompanyId, number: number) =>
  tx
    .selectFrom('remittance_file')
    .selectAll()
    .where('company_id', '=', company)
    .where('number', '=', number)
    .executeTakeFirst()

/**
 * Returns a daily file, with the same bytes each time.
 * @throws 404 if the file does not exist
 */
export async function remittanceFile(context: AppContext, company: CompanyId, number: number): Promise<Readable> {
  const file = await context.readingCompany(company, (tx) => findFile(tx, company, number))
  if (!file) throw notFound('No remittance file has this number.')
  const linesAfter = (id: number) =>
    context.readingCompany(company, async (tx) => {
      const { rows } = await sql<RemittanceLine>`
        SELECT r.kind, r.id, a.account_number AS account, r.amount_cents AS cents, r.order_id AS "order",
          (r.at AT TIME ZONE ${file.time_zone})::date AS date
        FROM remittance_filed f JOIN remittance r ON r.company_id = f.company_id AND r.id = f.remittance_id
          JOIN utility_account a ON a.company_id = r.company_id AND a.id = r.account_id
        WHERE f.company_id = ${company} AND f.number = ${number} AND f.remittance_id > ${id}
        ORDER BY f.remittance_id LIMIT ${PAGE}`.execute(tx)
      return rows
    })
  return Readable.from(
    (async function* () {
      yield `${REMITTANCE_HEAD}\n`
      let page = await linesAfter(0)
      while (page.length > 0) {
        yield page.map(remittanceLine).join('')
        page = page.length < PAGE ? [] : await linesAfter(page.at(-1)?.id ?? 0)
      }
      yield controlLines({
        number,
        day: file.day,
        credits: file.credits,
        creditCents: file.credit_cents,
        reversals: file.reversals,
        reversalCents: file.reversal_cents,
      })
    })(),
  )
}

export const downloadRemittancesCall = implement(downloadRemittances, async (call) => {
  const { context, company, body } = call
  const stream = await remittanceFile(context, company.id, body.number)
  await call.inCompany((tx) =>
    call.audit(tx, { action: 'remittances.downloaded', subject: { kind: 'remittance_file', id: body.number } }),
  )
  return { name: remittanceName(company.subdomain, body.number), contentType: 'text/csv; charset=utf-8', stream }
})
