import { sql } from 'kysely'
import { defineBanner } from '../../../server/banners.ts'
import { implement } from '../../../server/call.ts'
import { conflict, notFound } from '../../../server/errors.ts'
import { announceCompanyChange } from '../../../server/live.ts'
import { companyPersonOf } from '../../../server/sessions.ts'
import { say } from '../../../shared/messages.ts'
import { chooseSecondProvider, outageNow, outageTries, paymentStatus } from '../contract.ts'
import type { DeferredPaymentState, DeferredAction } from '../states.ts'
import { linkTo, chooseSecond, settingsOf } from '../../payments/api.ts'

const PAGE = '/payment-status'
/** Number of days after an outage in which the payment status page still mentions it. */
const NOTICE_DAYS = 3
const MAX_ATTEMPTS_LISTED = 200

// Shows no banner if a second provider takes the payments.
defineBanner(async (tx, company) => {
  const { outage, second } = await settingsOf(tx, company)
  if (!outage || second) return null
  return { text: say`Payments by card and bank account are not working.`, label: say`Your options`, path: PAGE }
})

const statusCall = implement(paymentStatus, async (call) => {
  const { company, context } = call
  const person = call.session?.impersonatorId ? null : companyPersonOf(call.session)
  return call.inCompany(async (tx) => {
    const { outage, second, provider } = await settingsOf(tx, company.id)
    const last = await tx
      .selectFrom('payment_outage')
      .select(['since', 'until'])
      .where('company_id', '=', company.id)
      .where('provider', '=', provider)
      .where('until', '>', new Date(context.clock.now().getTime() - NOTICE_DAYS * 86_400_000))
      .orderBy('until', 'desc')
      .limit(1)
      .executeTakeFirst()
    const ownPayments =
      person === null
        ? []
        : await tx
            .selectFrom('deferred_payment')
            .selectAll()
            .where('company_id', '=', company.id)
            .where('person_id', '=', person)
            .where('checkout_id', 'is not', null)
            .orderBy('id', 'desc')
            .limit(10)
            .execute()
    const deferred = []
    for (const {
      id,
      reference,
      status,
      action,
      method_label: methodLabel,
      total_cents,
      made_at,
      checkout_id,
    } of ownPayments) {
      const path = `/guest/payment/${await linkTo(tx, context, company.id, checkout_id ?? 0)}`
      deferred.push({
        id,
        reference,
        status,
        action,
        methodLabel,
        totalCents: total_cents,
        at: made_at.toISOString(),
        path,
      })
    }
    return {
      since: outage && new Date(outage.since).toISOString(),
      second: second !== null,
      lastEnded: last?.until ? { since: last.since.toISOString(), until: last.until.toISOString() } : null,
      deferred,
    }
  })
})

const nowCall = implement(outageNow, (call) =>
  call.reading(async (tx) => {
    const { company } = call
    const { outage, second, provider } = await settingsOf(tx, company.id)
    if (!outage) return { outage: null }
    const { rows } = await sql<{ name: string; second: string | null; tried: number }>`
      SELECT p.name, (SELECT s.name FROM processor s WHERE s.provider = ${second?.provider ?? ''}) AS second,
        (SELECT count(DISTINCT (t.kind, t.payable_id))::int FROM outage_attempt t
         WHERE t.company_id = ${company.id} AND t.outage_id = ${outage.id}) AS tried
      FROM processor p WHERE p.provider = ${provider}`.execute(tx)
    const [row] = rows
    return {
      outage: {
        since: new Date(outage.since).toISOString(),
        provider: row?.name ?? provider,
        second: row?.second ?? null,
        tried: row?.tried ?? 0,
      },
    }
  }),
)

interface OutageAttempt {
  at: Date
  reference: string
  payer: string
  cents: number
  paymentId: number | null
  action: DeferredAction | null
  status: DeferredPaymentState | null
  count: number
}

const triesCall = implement(outageTries, (call) =>
  call.reading(async (tx) => {
    const { company, body } = call
    const { rows: outages } = await sql<{
      since: Date
      until: Date | null
      provider: string
      graceUntil: string | null
      relapses: number
    }>`
      SELECT o.since, o.until, p.name AS provider, (o.until AT TIME ZONE ${company.timeZone})::date + 3 AS "graceUntil", o.relapses
      FROM payment_outage o JOIN processor p ON p.provider = o.provider
      WHERE o.company_id = ${company.id} AND o.id = ${body.id}`.execute(tx)
    const [outage] = outages
    if (!outage) throw notFound('This outage was not found.')
    const { rows } = await sql<OutageAttempt>`
      SELECT t.at, coalesce(p.reference, o.reference) AS reference, coalesce(p.payer_name, o.payer_name) AS payer,
        sum(t.amount_cents)::bigint AS cents, coalesce(p.order_id, t.order_id) AS "paymentId", p.action AS action, p.status,
        (count(*) OVER ())::int AS count
      FROM outage_attempt t
      LEFT JOIN deferred_payment p ON p.company_id = t.company_id AND p.id = t.deferred_payment_id
      LEFT JOIN payment_order o ON o.company_id = t.company_id AND o.id = t.order_id
      WHERE t.company_id = ${company.id} AND t.outage_id = ${body.id}
      GROUP BY t.at, t.deferred_payment_id, t.order_id, p.reference, o.reference, p.payer_name, o.payer_name, p.order_id, p.action, p.status
      ORDER BY t.at DESC LIMIT ${MAX_ATTEMPTS_LISTED}`.execute(tx)
    return {
      ...{ provider: outage.provider, graceUntil: outage.graceUntil, relapses: outage.relapses },
      since: outage.since.toISOString(),
      until: outage.until?.toISOString() ?? null,
      count: rows[0]?.count ?? 0,
      tries: rows.map(({ at, count: _count, ...one }) => ({ ...one, at: at.toISOString() })),
    }
  }),
)

const secondCall = implement(chooseSecondProvider, (call) =>
  call.once(async (tx) => {
    const { company, body } = call
    const { provider: first } = await settingsOf(tx, company.id)
    const { rows } = await sql<{ id: number; name: string; ready: boolean }>`
      SELECT p.id, p.name, coalesce(o.status = 'ready' AND o.may_charge, false) AS ready FROM processor p
      LEFT JOIN provider_onboarding o ON o.company_id = ${company.id} AND o.provider = p.provider
      WHERE p.provider = ${body.provider}`.execute(tx)
    const [second] = rows
    if (body.provider !== null && !second) throw notFound('This payment provider does not exist.')
    if (body.provider === first)
      throw conflict('is_first', 'The municipality’s payments already go through this provider.')
    if (second && !second.ready)
      throw conflict('not_ready', say`${second.name} cannot take payments for the municipality yet.`)
    await chooseSecond(tx, company.id, second?.id ?? null)
    const subject = { kind: 'company', id: company.id } as const
    await call.audit(tx, { action: 'payment.second_provider', subject, detail: { provider: body.provider } })
    await announceCompanyChange(tx)
    return {
      success: true as const,
      message: second
        ? say`${second.name} will take new payments while the first provider is down.`
        : say`No second provider will take payments during an outage.`,
    }
  }),
)

export const outageCalls = [statusCall, nowCall, triesCall, secondCall]
