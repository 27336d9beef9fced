import { type RawBuilder, sql } from 'kysely'
import { implement } from '../../../server/call.ts'
import { csvDollars, csvLabels, implementCsv } from '../../../server/csv.ts'
import type { Tx } from '../../../server/tenancy.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { locations, methods } from '../../payments/rules.ts'
import { exportOverview, merchantOverview } from '../contract.ts'
import { merchantMethodLabels, periodBefore } from '../rules.ts'
import { costOf, payoutsOf } from './payouts.ts'
import { apart, bothOf, feesOf, MERCHANT_METHOD, pointsOf, sumsOf, volumeOf } from './volume.ts'
import { type FailureQuery, declinesOf, disputesOf, groupOf, returnsOf } from './went-wrong.ts'

type Overview = ResponseOf<typeof merchantOverview>
type Sums = Readonly<Awaited<ReturnType<typeof sumsOf>>>

const merchantOverviewCall = implement(merchantOverview, (call) => {
  const { company: town, body, context } = call
  const now = { fromDate: body.fromDate, toDate: body.toDate }
  const asked: FailureQuery = { town, now, before: periodBefore(now) }
  return call.reading(async (tx) => {
    const sums = await sumsOf(tx, town.id, now, asked.before)
    const cost = await costOf(tx, town, now, asked.before)
    const fees = bothOf(sums, feesOf)
    return {
      period: now,
      before: asked.before,
      volume: bothOf(sums, volumeOf),
      methods: apart(sums, ({ method }) => method).map(({ number, ...rest }) => ({ method: number, ...rest })),
      locations: apart(sums, ({ location }) => location).map(({ number, ...rest }) => ({ location: number, ...rest })),
      points: await pointsOf(tx, town.id, now),
      ...(await attemptsOf(tx, asked, sums)),
      ...(await returnedOf(tx, asked, sums)),
      disputes: await disputedOf(tx, asked, sums),
      fees: { now: { ...fees.now, costCents: cost.now }, before: { ...fees.before, costCents: cost.before } },
      payouts: await payoutsOf(tx, town, context.clock.now()),
    }
  })
})

const takenBy = (wanted: readonly number[]) => (sums: Sums) =>
  volumeOf(sums.filter(({ method }) => wanted.includes(method))).payments

/** What was approved is what was taken: a payment is taken by one attempt. */
async function attemptsOf(tx: Tx, asked: FailureQuery, sums: Sums): Promise<Pick<Overview, 'attempts' | 'reasons'>> {
  const declines = await declinesOf(tx, asked)
  const approved = bothOf(sums, takenBy([methods.card, methods.echeck]))
  const declined = (now: boolean) => declines.reduce((sum, row) => sum + (row.now === now ? row.attempts : 0), 0)
  return {
    attempts: {
      now: { approved: approved.now, declined: declined(true) },
      before: { approved: approved.before, declined: declined(false) },
    },
    reasons: declines
      .filter(({ now }) => now)
      .map(({ reason, attempts, payments }) => ({ reason, attempts, payments })),
  }
}

async function returnedOf(tx: Tx, asked: FailureQuery, sums: Sums): Promise<Pick<Overview, 'returns' | 'returnCodes'>> {
  const returns = await returnsOf(tx, asked)
  const paid = bothOf(sums, takenBy([methods.echeck]))
  const rates = (now: boolean) => {
    const rates = { debits: now ? paid.now : paid.before, unauthorized: 0, administrative: 0, other: 0 }
    for (const row of returns.filter((one) => one.now === now)) {
      rates[groupOf(row.code)] += row.payments
      rates.debits += row.neverPaid
    }
    return rates
  }
  return {
    returns: { now: rates(true), before: rates(false) },
    returnCodes: returns.filter(({ now }) => now).map(({ code, payments, cents }) => ({ code, payments, cents })),
  }
}

async function disputedOf(tx: Tx, asked: FailureQuery, sums: Sums): Promise<Overview['disputes']> {
  const rows = await disputesOf(tx, asked)
  const cards = bothOf(sums, takenBy([methods.card]))
  const of = (now: boolean) => {
    const disputes = { open: 0, won: 0, lost: 0, cents: 0, cardPayments: now ? cards.now : cards.before }
    for (const row of rows.filter((one) => one.now === now)) {
      disputes[row.state] += row.disputes
      disputes.cents += row.cents
    }
    return disputes
  }
  return { now: of(true), before: of(false) }
}

/** A row for each day, way to pay and place. */
const exportOverviewCall = implementCsv(exportOverview, async (call) => {
  const { company, body } = call
  await call.inCompany((tx) =>
    call.audit(tx, { action: 'export.merchant_overview', detail: { fromDate: body.fromDate, toDate: body.toDate } }),
  )
  const sumIf = (cents: RawBuilder<unknown>, condition: RawBuilder<unknown>) =>
    csvDollars(sql`coalesce(sum(${cents}) FILTER (WHERE ${condition}), 0)`)
  const back = (condition: RawBuilder<unknown>) => sumIf(sql`-(bill_cents + fee_cents)`, condition)
  const taken = sql`way = 'capture'`
  const refunded = sql`(way LIKE 'refund%' OR way = 'dispute_lost')`
  const returned = sql`way LIKE 'return%'`
  const voided = sql`way LIKE 'void%'`
  const question = sql`
    SELECT made_on AS "Date", ${csvLabels(MERCHANT_METHOD, merchantMethodLabels)} AS "Method", ${csvLabels('location', locations)} AS "Location",
      sum(payments) AS "Payments", ${sumIf(sql`bill_cents`, taken)} AS "Amount", ${sumIf(sql`fee_cents`, taken)} AS "Fees paid",
      ${sumIf(sql`absorbed_cents`, taken)} AS "Fees absorbed", ${sumIf(sql`bill_cents + fee_cents`, taken)} AS "Taken",
      ${back(refunded)} AS "Refunded", ${back(returned)} AS "Returned", ${back(voided)} AS "Voided",
      ${back(sql`NOT (${taken} OR ${refunded} OR ${returned} OR ${voided})`)} AS "Taken back in other ways",
      ${csvDollars(sql`sum(bill_cents + fee_cents)`)} AS "Kept"
    FROM payment_day WHERE company_id = ${company.id} AND made_on BETWEEN ${body.fromDate} AND ${body.toDate}
    GROUP BY made_on, ${MERCHANT_METHOD}, location ORDER BY made_on, ${MERCHANT_METHOD}, location`
  return { company, subject: 'merchant-overview', question }
})

export const overviewCalls = [merchantOverviewCall, exportOverviewCall]
