import { type RawBuilder, sql } from 'kysely'
import { auditPlatform } from '../../../server/audit.ts'
import { implement } from '../../../server/call.ts'
import { csvDollars, csvText, implementCsv } from '../../../server/csv.ts'
import { notFound } from '../../../server/errors.ts'
import type { AppContext } from '../../../server/app-context.ts'
import type { Company } from '../../../server/hosts.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { addDays, daysBetween } from '../../../shared/dates.ts'
import type { RequestOf } from '../../../shared/endpoint.ts'
import { say } from '../../../shared/messages.ts'
import { analytics, analyticsCsv } from '../contract.ts'
import { isStock, type MeasureName, measureNames, labelsOf } from '../rules.ts'
import { monthsOf } from '../../money-reports/rules.ts'

type Question = Omit<RequestOf<typeof analytics>, 'company'>

interface Figure {
  measure: MeasureName
  part: string
  /** Point of the response (a day or a month), or 'before' for the earlier period. */
  bucket: string
  count: number
  cents: number
  last: number
}

const stocks = measureNames.filter(isStock)

export const analyticsCall = implement(analytics, async ({ context, body }) => {
  const company = await companyOf(context, body.company)
  const before = daysBefore(body)
  const { asOf, since, figures } = await context.acrossCompanies(async (tx) => {
    const walk = await tx.selectFrom('figure_walk').selectAll().executeTakeFirst()
    const progress = company && (await progressOf(tx, company))
    return {
      asOf: latest(walk?.began_at, progress?.checked_at),
      since: await firstDay(tx, company),
      figures: await figuresOf(tx, company, body, before.fromDate, company ? null : (walk?.through ?? null)),
    }
  })
  const points = pointsOf(body)
  return {
    query: body,
    asOf: asOf?.toISOString() ?? null,
    before: { ...before, counted: since !== null && since <= before.fromDate },
    points,
    measures: measureNames.map((name) => ({ name, parts: partsOf(name, figures, points) })),
  }
})

/** @throws 404 if the company does not exist */
async function companyOf(context: AppContext, id: number | undefined): Promise<Company | null> {
  if (id === undefined) return null
  const company = await context.hosts.byId(id)
  if (!company) throw notFound('This municipality was not found.')
  return company
}

const progressOf = (tx: Tx, { id }: Company) =>
  tx.selectFrom('figure_progress').select('checked_at').where('company_id', '=', id).executeTakeFirst()

const latest = (...times: (Date | undefined)[]): Date | undefined =>
  times.reduce((best, time) => (time && (!best || time > best) ? time : best), undefined)

/** Returns the period of equal length just before this one. */
function daysBefore({ fromDate, toDate }: Question) {
  const days = daysBetween(fromDate, toDate) + 1
  return { fromDate: addDays(fromDate, -days), toDate: addDays(fromDate, -1) }
}

/**
 * Selects the figures of one company, or of all companies together. The cost does not depend on the number of
 * companies.
 */
const figuresIn = (company: Company | null) =>
  company ? sql`(SELECT * FROM daily_figure WHERE company_id = ${company.id}) f` : sql`platform_daily_figure f`

async function firstDay(tx: Tx, company: Company | null): Promise<string | null> {
  const { rows } = await sql<{ day: string | null }>`
    SELECT min(f.day)::text AS day FROM ${figuresIn(company)}`.execute(tx)
  return rows[0]?.day ?? null
}

const pointOf = ({ by }: Pick<Question, 'by'>) => sql`to_char(f.day, ${by === 'day' ? 'YYYY-MM-DD' : 'YYYY-MM'})`

/**
 * Reads the figures of each point. For all companies, a snapshot measure (`stock`) covers only days up to `through`,
 * which every company has reached. Otherwise companies in western time zones would be missing, and the total would look
 * too low.
 */
async function figuresOf(
  tx: Tx,
  company: Company | null,
  question: Question,
  start: string,
  through: string | null,
): Promise<Figure[]> {
  const reached = through === null ? sql`` : sql`AND (f.day <= ${through}::date OR f.measure <> ALL (${stocks}))`
  const { rows } = await sql<Figure>`
    SELECT f.measure, f.part, CASE WHEN f.day < ${question.fromDate}::date THEN 'before' ELSE ${pointOf(question)} END AS bucket,
      sum(f.count)::bigint AS count, sum(f.cents)::bigint AS cents, (array_agg(f.count ORDER BY f.day DESC))[1] AS last
    FROM ${figuresIn(company)} WHERE f.day BETWEEN ${start}::date AND ${question.toDate}::date ${reached}
    GROUP BY 1, 2, 3`.execute(tx)
  return rows
}

function pointsOf({ fromDate, toDate, by }: Question): string[] {
  if (by === 'month') return monthsOf(fromDate, toDate)
  return Array.from({ length: daysBetween(fromDate, toDate) + 1 }, (_, n) => addDays(fromDate, n))
}

/** Returns the parts with figures. Parts of `rules.ts` come first, in that order, and unknown parts follow. */
function partsOf(name: MeasureName, figures: readonly Figure[], points: readonly string[]) {
  const ownFigures = figures.filter(({ measure }) => measure === name)
  const ownParts = new Set(ownFigures.map(({ part }) => part))
  const labeledParts = Object.keys(labelsOf(name).parts)
  const parts = [
    ...labeledParts.filter((part) => ownParts.has(part)),
    ...[...ownParts].filter((part) => !labeledParts.includes(part)).toSorted(),
  ]
  return parts.map((part) => {
    const at = new Map(ownFigures.flatMap((figure) => (figure.part === part ? [[figure.bucket, figure] as const] : [])))
    const before = at.get('before')
    if (isStock(name)) return { part, ...stockSeries(points, at, before?.last ?? 0) }
    const counts = points.map((point) => at.get(point)?.count ?? 0)
    const centsAt = points.map((point) => at.get(point)?.cents ?? 0)
    return {
      ...{ part, count: sum(counts), cents: sum(centsAt), counts, centsAt },
      before: { count: before?.count ?? 0, cents: before?.cents ?? 0 },
    }
  })
}

/** Fills the points of a snapshot measure. A point without a value repeats the previous value. */
function stockSeries(points: readonly string[], at: ReadonlyMap<string, Figure>, before: number) {
  let count = before
  const counts = points.map((point) => (count = at.get(point)?.last ?? count))
  return { count, cents: 0, before: { count: before, cents: 0 }, counts, centsAt: points.map(() => 0) }
}

const sum = (figures: readonly number[]): number => figures.reduce((all, one) => all + one, 0)

export const analyticsCsvCall = implementCsv(analyticsCsv, async (call) => {
  const { context, body } = call
  const company = await companyOf(context, body.company)
  const { measure, company: id, fromDate, toDate, by } = body
  await context.acrossCompanies((tx) =>
    auditPlatform(tx, context.clock, call, {
      action: 'export.analytics',
      detail: { measure, fromDate, toDate, by, ...(id !== undefined && { company: id }) },
    }),
  )
  return { company, subject: `analytics-${measure.replaceAll('_', '-')}`, question: csvQuestion(company, body) }
})

function csvQuestion(company: Company | null, { measure, fromDate, toDate, by }: RequestOf<typeof analyticsCsv>) {
  const { money, parts } = labelsOf(measure)
  const labels = Object.entries(parts).map(([part, label]) => sql`WHEN ${part} THEN ${label}`)
  const reached = company === null && isStock(measure) ? sql`AND f.day <= (SELECT through FROM figure_walk)` : sql``
  const count = isStock(measure) ? sql`(array_agg(f.count ORDER BY f.day DESC))[1]` : sql`sum(f.count)`
  const amount: RawBuilder<unknown> = money ? sql`, ${csvDollars(sql`sum(f.cents)`)} AS "Amount"` : sql``
  return sql`
    SELECT ${pointOf({ by })} AS ${sql.ref(by === 'day' ? say`Day` : say`Month`)},
      CASE f.part ${sql.join(labels, sql` `)} ELSE ${csvText(sql`f.part`)} END AS ${sql.ref(labelsOf(measure).label)}, ${count} AS "Count" ${amount}
    FROM ${figuresIn(company)} WHERE f.measure = ${measure} AND f.day BETWEEN ${fromDate}::date AND ${toDate}::date ${reached}
    GROUP BY 1, f.part ORDER BY 1, f.part`
}
