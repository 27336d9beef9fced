import { type RawBuilder, sql } from 'kysely'
import { implement } from '../../../server/call.ts'
import { csvDollars, csvLabels, implementCsv } from '../../../server/csv.ts'
import type { Tx } from '../../../server/tenancy.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { locations, methods } from '../../payments/rules.ts'
import { exportOverview, merchantOverview } from '../contract.ts'
import { merchantMethodLabels, periodBefore } from '../rules.ts'
import { costOf, payoutsOf } from './payouts.ts'
import { sumsBy, bothOf, feesOf, MERCHANT_METHOD, pointsOf, sumsOf, volumeOf } from './volume.ts'
import { type FailureQuery, declinesOf, disputesOf, groupOf, returnsOf } from './went-wrong.ts'

type Overview = ResponseOf<typeof merchantOverview>
type Sums = Readonly<Awaited<ReturnType<typeof sumsOf>>>

const merchantOverviewCall = implement(merchantOverview, (call) => {
  const { company, body, context } = call
  const now = { fromDate: body.fromDate, toDate: body.toDate }
  const query: FailureQuery = { company, now, before: periodBefore(now) }
  return call.reading(async (tx) => {
    const sums = await sumsOf(tx, company.id, now, query.before)
    const cost = await costOf(tx, company, now, query.before)
    const fees = bothOf(sums, feesOf)
    return {
      period: now,
      before: query.before,
      volume: bothOf(sums, volumeOf),
      methods: sumsBy(sums, ({ method }) => method).map(({ number, ...rest }) => ({ method: number, ...rest })),
      locations: sumsBy(sums, ({ location }) => location).map(({ number, ...rest }) => ({ location: number, ...rest })),
      points: await pointsOf(tx, company.id, now),
      ...(await attemptsOf(tx, query, sums)),
      ...(await returnedOf(tx, query, sums)),
      disputes: await disputedOf(tx, query, sums),
      fees: { now: { ...fees.now, costCents: cost.now }, before: { ...fees.before, costCents: cost.before } },
      payouts: await payoutsOf(tx, company, context.clock.now()),
    }
  })
})

const paymentsBy = (methodIds: readonly number[]) => (sums: Sums) =>
  volumeOf(sums.filter(({ method }) => methodIds.includes(method))).payments

/** The number of approved attempts equals the number of payments, because exactly one attempt captures each payment. */
async function attemptsOf(tx: Tx, query: FailureQuery, sums: Sums): Promise<Pick<Overview, 'attempts' | 'reasons'>> {
  const declines = await declinesOf(tx, query)
  const approved = bothOf(sums, paymentsBy([methods.card, methods.echeck]))
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

async function returnedOf(tx: Tx, query: FailureQuery, sums: Sums): Promise<Pick<Overview, 'returns' | 'returnCodes'>> {
  const returns = await returnsOf(tx, query)
  const paid = bothOf(sums, paymentsBy([methods.echeck]))
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

async function disputedOf(tx: Tx, query: FailureQuery, sums: Sums): Promise<Overview['disputes']> {
  const rows = await disputesOf(tx, query)
  const cards = bothOf(sums, paymentsBy([methods.card]))
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

/** Exports a row for each day, payment method and location. */
const exportOverviewCall = implementCsv(exportOverview, async (call) => {
  const { company, body } = call
  await call.inCompany((tx) =>
    call.audit(tx, { action: 'export.merchant_overview', detail: { fromDate: body.fromDate, toDate: body.toDate } }),
  )
  const sumIf = (cents: RawBuilder<unknown>, condition: RawBuilder<unknown>) =>
    csvDollars(sql`coalesce(sum(${cents}) FILTER (WHERE ${condition}), 0)`)
  const reversalSum = (condition: RawBuilder<unknown>) => sumIf(sql`-(bill_cents + fee_cents)`, condition)
  const isCapture = sql`movement_type = 'capture'`
  const refunded = sql`(movement_type LIKE 'refund%' OR movement_type = 'dispute_lost')`
  const returned = sql`movement_type LIKE 'return%'`
  const voided = sql`movement_type LIKE 'void%'`
  const question = sql`
    SELECT made_on AS "Date", ${csvLabels(MERCHANT_METHOD, merchantMethodLabels)} AS "Method", ${csvLabels('location', locations)} AS "Location",
      sum(payments) AS "Payments", ${sumIf(sql`bill_cents`, isCapture)} AS "Amount", ${sumIf(sql`fee_cents`, isCapture)} AS "Fees paid",
      ${sumIf(sql`absorbed_cents`, isCapture)} AS "Fees absorbed", ${sumIf(sql`bill_cents + fee_cents`, isCapture)} AS "Gross",
      ${reversalSum(refunded)} AS "Refunded", ${reversalSum(returned)} AS "Returned", ${reversalSum(voided)} AS "Voided",
      ${reversalSum(sql`NOT (${isCapture} OR ${refunded} OR ${returned} OR ${voided})`)} AS "Other reversals",
      ${csvDollars(sql`sum(bill_cents + fee_cents)`)} AS "Net"
    FROM payment_day WHERE company_id = ${company.id} AND made_on BETWEEN ${body.fromDate} AND ${body.toDate}
    GROUP BY made_on, ${MERCHANT_METHOD}, location ORDER BY made_on, ${MERCHANT_METHOD}, location`
  return { company, subject: 'merchant-overview', question }
})

export const overviewCalls = [merchantOverviewCall, exportOverviewCall]
