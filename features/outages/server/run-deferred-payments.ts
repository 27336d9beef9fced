import { sql } from 'kysely'
import { Refusal } from '../../../server/errors.ts'
import type { AppContext } from '../../../server/app-context.ts'
import type { Company } from '../../../server/hosts.ts'
import { transition } from '../../../server/states.ts'
import { companyIdFrom, type Tx } from '../../../server/tenancy.ts'
import { dateIn } from '../../../shared/dates.ts'
import { againAfterMs, carryOut, MAX_ATTEMPTS } from '../rules.ts'
import { type Method, ONLINE, orderStatus, attemptStatus } from '../../payments/rules.ts'
import {
  openPayment,
  drive,
  type Payment,
  lockStoredMethod,
  loadOwed,
  findAttempt,
  findOrder,
  settingsOf,
  type ProviderRoute,
  ensureProviderRoute,
} from '../../payments/api.ts'
import { DEFERRED_PAYMENTS_JOB } from './outages.ts'
import {
  bySystem,
  deferredPaymentStateStore,
  linesOf,
  lockDeferredPayment,
  type DeferredPaymentRow,
  notifyPayer,
} from './deferred-payments.ts'

/**
 * Maximum number of deferred payments of a company in one run. The limit avoids overloading a provider that just
 * recovered. The job runs every minute.
 */
const BATCH = 20

/**
 * Runs deferred payments after an outage: charges the saved payment method once, or emails a link. Each step commits
 * separately and is recorded in the row. The next run can therefore resume after a crash, and parallel runs repeat
 * nothing.
 */
export async function runDeferredPayments(context: AppContext): Promise<number> {
  const { rows } = await context.readingAll((tx) =>
    sql<{ company_id: number; id: number }>`
      SELECT p.company_id, p.id FROM (
        SELECT p.company_id, p.id, row_number() OVER (PARTITION BY p.company_id ORDER BY p.id) AS nth FROM deferred_payment p
        JOIN payment_outage o ON o.company_id = p.company_id AND o.id = p.outage_id
        WHERE (p.status = 'charging' OR (p.status = 'waiting' AND coalesce(p.not_before, '-infinity') <= ${context.clock.now()}
            AND NOT EXISTS (SELECT FROM payment_outage l WHERE l.company_id = o.company_id AND l.provider = o.provider AND l.until IS NULL)))
          OR (p.status = 'reminded' AND EXISTS (SELECT FROM payment_order b WHERE b.company_id = p.company_id
            AND b.checkout_id = p.checkout_id AND b.status = ${sql.lit(orderStatus.success)}))
      ) p WHERE p.nth <= ${BATCH} ORDER BY 1, 2`.execute(tx),
  )
  const through = new Map<number, ProviderRoute | null>()
  for (const { company_id, id } of rows)
    await runDeferredPayment(context, company_id, id, through).catch((error: unknown) =>
      context.log.warn({ err: error, deferred: id }, 'a promise to pay is carried out later'),
    )
  return rows.length
}

async function runDeferredPayment(
  context: AppContext,
  company: number,
  id: number,
  routes: Map<number, ProviderRoute | null>,
): Promise<void> {
  const companyRecord = await context.hosts.byId(companyIdFrom('job', company))
  if (!companyRecord) return
  if (!routes.has(company)) routes.set(company, await routeOf(context, companyRecord))
  const through = routes.get(company) ?? null
  const started = await context
    .inCompany(companyRecord.id, (tx) => take(tx, context, companyRecord, id, through))
    .catch((error: unknown) => {
      // The company's limits or the amount due changed just before the charge.
      if (!(error instanceof Refusal)) throw error
      return 'refused' as const
    })
  if (started === 'refused') return context.inCompany(companyRecord.id, (tx) => refuse(tx, context, companyRecord, id))
  if (started === null) return
  const { payment, stored } = started
  if (stored !== null) await drive(context, companyRecord, payment, { stored }, '')
  await context.inCompany(companyRecord.id, (tx) => finishPayment(tx, context, companyRecord, id))
}

/**
 * Returns the provider for charges. Null if the company takes no payments now. Charges then wait, but links are still
 * emailed.
 */
async function routeOf(context: AppContext, companyRecord: Company): Promise<ProviderRoute | null> {
  const settings = await context.inCompany(companyRecord.id, (tx) => settingsOf(tx, companyRecord.id))
  return ensureProviderRoute(context, companyRecord, settings).catch((error: unknown) => {
    context.log.warn({ err: error, company: companyRecord.id }, 'promises to pay wait for the payment provider')
    return null
  })
}

/**
 * Charge that has started. `stored` is the payment method to charge, or null if the charge was already made and only
 * the outcome is missing.
 */
interface StartedCharge {
  payment: Payment
  stored: string | null
}

async function take(
  tx: Tx,
  context: AppContext,
  company: Company,
  id: number,
  through: ProviderRoute | null,
): Promise<StartedCharge | null> {
  const row = await tx
    .selectFrom('deferred_payment')
    .selectAll()
    .where('company_id', '=', company.id)
    .where('id', '=', id)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  if (!row) return null
  if (row.status === 'charging') return goingOn(tx, company, row)
  if (row.status === 'reminded') {
    // Another run may have just emailed the link, so the payer may not have paid yet.
    if (await isPaid(tx, row)) await step(tx, context, row, 'pay')
    return null
  }
  if (row.status !== 'waiting') return null
  const decision = await decide(tx, company, row)
  if (decision === 'later') return null
  if (decision === 'not_owed') {
    await step(tx, context, row, 'drop')
    await notifyPayer(tx, context, company, row, 'not_owed')
    return null
  }
  if (row.action === 'remind') {
    await step(tx, context, row, 'remind')
    await notifyPayer(tx, context, company, row, 'pay_now')
    return null
  }
  if (decision === 'changed') return change(tx, context, company, row)
  return through && charge(tx, context, company, row, through)
}

const isPaid = async (tx: Tx, { company_id, checkout_id }: DeferredPaymentRow): Promise<boolean> =>
  (await tx
    .selectFrom('payment_order')
    .select('id')
    .where('company_id', '=', company_id)
    .where('checkout_id', '=', checkout_id)
    .where('status', '=', orderStatus.success)
    .executeTakeFirst()) !== undefined

async function decide(tx: Tx, companyRecord: Company, row: DeferredPaymentRow) {
  const lines = await linesOf(tx, row)
  const now = await loadOwed(
    tx,
    companyRecord.id,
    lines.map(({ kind, payable_id: id }) => ({ kind, id })),
  )
  const pending = await pendingOf(tx, row)
  return carryOut({
    items: lines.map(({ amount_cents: cents }, n) => {
      // `loadOwed` has already subtracted pending payments, so they are added back.
      const pendingCents = pending[n] ?? 0
      return { cents, owedCents: (now[n]?.owedCents ?? 0) + pendingCents, pendingCents }
    }),
  })
}

/** Loads the pending amount of each item in cents, in line order. */
async function pendingOf(tx: Tx, { company_id, id }: DeferredPaymentRow): Promise<number[]> {
  const { rows } = await sql<{ cents: number }>`
    SELECT (SELECT coalesce(sum(l.amount_cents), 0)::bigint FROM payment_order_line l
      JOIN payment_order o ON o.company_id = l.company_id AND o.id = l.order_id
      WHERE l.company_id = p.company_id AND l.kind = p.kind AND l.payable_id = p.payable_id AND o.status = ${sql.lit(orderStatus.pending)}) AS cents
    FROM deferred_payment_line p WHERE p.company_id = ${company_id} AND p.deferred_payment_id = ${id} ORDER BY p.line_no`.execute(
    tx,
  )
  return rows.map(({ cents }) => cents)
}

/**
 * Creates the order and its attempt, and marks the deferred payment as charging, in one transaction. The idempotency
 * key contains the id of the deferred payment.
 */
async function charge(
  tx: Tx,
  context: AppContext,
  company: Company,
  row: DeferredPaymentRow,
  through: ProviderRoute,
): Promise<StartedCharge | null> {
  const today = dateIn(company.timeZone, context.clock.now())
  const { person_id: person, method_id } = row
  const method = await methodOf(tx, row)
  if (person === null || method_id === null || method === null)
    throw new Refusal(409, 'method_gone', 'The payment method is no longer saved.')
  const storedMethod = await lockStoredMethod(tx, company.id, { person, id: method_id, method, today })
  if (storedMethod.provider !== through.provider)
    throw new Refusal(409, 'method_elsewhere', 'The payment method is stored with another provider.')
  const lines = await linesOf(tx, row)
  const payment = await openPayment(
    tx,
    context,
    company,
    {
      pays: lines.map(({ kind, payable_id: id, amount_cents: amountCents }) => ({ kind, id, amountCents })),
      method: method as Method,
      location: ONLINE,
      payer: { actor: bySystem(context.clock), person, email: row.email },
      methodLabel: storedMethod.method_label,
      key: `promise-${row.id}/${row.tries}`,
      checkoutId: row.checkout_id,
    },
    through,
  )
  // The payer did not agree to a higher total, such as one with a higher fee.
  if (payment.order.total_cents > row.total_cents) throw new Refusal(409, 'amount_changed', 'The total is now higher.')
  const patch = { order_id: payment.order.id, attempt_id: payment.attempt.id }
  await transition(tx, deferredPaymentStateStore, {
    scope: company.id,
    id: row.id,
    event: 'start',
    actor: bySystem(context.clock),
    patch,
  })
  return { payment, stored: storedMethod.provider_method }
}

const methodOf = async (tx: Tx, { company_id, method_id }: DeferredPaymentRow): Promise<number | null> =>
  (
    await tx
      .selectFrom('stored_method')
      .select('method')
      .where('company_id', '=', company_id)
      .where('id', '=', method_id)
      .executeTakeFirst()
  )?.method ?? null

/** Resumes a started charge. The run that started it may have crashed before the provider received it. */
async function goingOn(tx: Tx, companyRecord: Company, row: DeferredPaymentRow): Promise<StartedCharge> {
  const [order, attempt] = await paymentOf(tx, row)
  const waits = attempt.step === 'new' || attempt.step === 'created'
  const storedMethod = waits
    ? await tx
        .selectFrom('stored_method')
        .select('provider_method')
        .where('company_id', '=', companyRecord.id)
        .where('id', '=', row.method_id)
        .executeTakeFirst()
    : undefined
  return { payment: { order, attempt }, stored: storedMethod?.provider_method ?? null }
}

async function paymentOf(tx: Tx, { company_id, order_id, attempt_id }: DeferredPaymentRow) {
  const company = companyIdFrom('job', company_id)
  return [await findOrder(tx, company, order_id ?? 0), await findAttempt(tx, company, attempt_id ?? 0)] as const
}

/**
 * Updates a deferred payment with the outcome of its payment. If the charge never reached the provider, it is retried
 * later.
 */
async function finishPayment(tx: Tx, context: AppContext, companyRecord: Company, id: number): Promise<void> {
  const row = await lockDeferredPayment(tx, companyRecord.id, id)
  if (row.status !== 'charging') return
  const [order, attempt] = await paymentOf(tx, row)
  if (attempt.status === attemptStatus.pending || order.status === orderStatus.pending) return
  if (order.status !== orderStatus.declined) return void (await step(tx, context, row, 'pay'))
  if (attempt.step === 'canceled' && row.tries < MAX_ATTEMPTS) {
    const wait = new Date(context.clock.now().getTime() + againAfterMs(row.tries))
    const patch = { tries: row.tries + 1, not_before: wait, attempt_id: null }
    await transition(tx, deferredPaymentStateStore, {
      scope: companyRecord.id,
      id,
      event: 'wait',
      actor: bySystem(context.clock),
      patch,
    })
    return
  }
  await step(tx, context, row, 'fail')
  await notifyPayer(tx, context, companyRecord, row, 'failed')
}

/**
 * Marks a refused deferred payment as changed: the amount changed or the saved card was removed. Emails the payer a
 * link to the payment page.
 */
async function refuse(tx: Tx, context: AppContext, companyRecord: Company, id: number): Promise<void> {
  const row = await lockDeferredPayment(tx, companyRecord.id, id)
  if (row.status === 'waiting') await change(tx, context, companyRecord, row)
}

async function change(tx: Tx, context: AppContext, companyRecord: Company, row: DeferredPaymentRow): Promise<null> {
  await step(tx, context, row, 'change')
  await notifyPayer(tx, context, companyRecord, row, 'changed')
  return null
}

const step = (
  tx: Tx,
  context: AppContext,
  { company_id, id }: DeferredPaymentRow,
  event: 'pay' | 'drop' | 'remind' | 'change' | 'fail',
) =>
  transition(tx, deferredPaymentStateStore, {
    scope: companyIdFrom('job', company_id),
    id,
    event,
    actor: bySystem(context.clock),
  })

export function defineDeferredPaymentJobs(context: AppContext): void {
  context.jobs.define(DEFERRED_PAYMENTS_JOB, async () => void (await runDeferredPayments(context)), {
    cron: '* * * * *',
    retryLimit: 0,
  })
}
