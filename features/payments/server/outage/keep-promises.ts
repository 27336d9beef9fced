import { sql } from 'kysely'
import { Refusal } from '../../../../server/errors.ts'
import type { AppContext } from '../../../../server/app-context.ts'
import type { Company } from '../../../../server/hosts.ts'
import { transition } from '../../../../server/states.ts'
import { companyIdFrom, type Tx } from '../../../../server/tenancy.ts'
import { dateIn } from '../../../../shared/dates.ts'
import { againAfterMs, carryOut, MAX_ATTEMPTS } from '../../rules-outage.ts'
import { type Method, ONLINE, orderStatus } from '../../rules.ts'
import { openPayment } from '../begin-payment.ts'
import { drive, type Payment } from '../drive-attempt.ts'
import { lockKept } from '../stored-methods.ts'
import { lookAt } from '../order-lines.ts'
import { findAttempt, findOrder } from '../orders.ts'
import { settingsOf, type ProviderRoute, throughOf } from '../settings.ts'
import { KEEP } from './outages.ts'
import { bySystem, keptPromises, linesOf, lockPromise, type PromiseRow, tellPayer } from './promises.ts'

/** So many of a town are carried out in a turn, which comes each minute: a provider that is just back is not overrun. */
const BATCH = 20

/**
 * Carries out what people asked for in an outage, once it is over: charges what is kept, once, or mails a link. Each step is
 * committed by itself and found again by its row, so that a run that dies is gone on with, and two at once do nothing twice.
 */
export async function keepPromises(context: AppContext): Promise<number> {
  const { rows } = await context.readingAll((tx) =>
    sql<{ company_id: number; id: number }>`
      SELECT p.company_id, p.id FROM (
        SELECT p.company_id, p.id, row_number() OVER (PARTITION BY p.company_id ORDER BY p.id) AS nth FROM payment_promise p
        JOIN payment_outage o ON o.company_id = p.company_id AND o.id = p.outage_id
        WHERE (p.status = 'charging' OR (p.status = 'waiting' AND coalesce(p.not_before, '-infinity') <= ${context.clock.now()}
            AND NOT EXISTS (SELECT FROM payment_outage l WHERE l.company_id = o.company_id AND l.provider = o.provider AND l.until IS NULL)))
          OR (p.status = 'reminded' AND EXISTS (SELECT FROM payment_order b WHERE b.company_id = p.company_id
            AND b.checkout_id = p.checkout_id AND b.status = 1))
      ) p WHERE p.nth <= ${BATCH} ORDER BY 1, 2`.execute(tx),
  )
  const through = new Map<number, ProviderRoute | null>()
  for (const { company_id, id } of rows)
    await goOn(context, company_id, id, through).catch((error: unknown) =>
      context.log.warn({ err: error, promise: id }, 'a promise to pay is carried out later'),
    )
  return rows.length
}

async function goOn(
  context: AppContext,
  company: number,
  id: number,
  known: Map<number, ProviderRoute | null>,
): Promise<void> {
  const town = await context.hosts.byId(companyIdFrom('job', company))
  if (!town) return
  if (!known.has(company)) known.set(company, await throughTown(context, town))
  const through = known.get(company) ?? null
  const begun = await context
    .inCompany(town.id, (tx) => take(tx, context, town, id, through))
    .catch((error: unknown) => {
      // Limits of the town, or what is owed changed at this moment.
      if (!(error instanceof Refusal)) throw error
      return 'refused' as const
    })
  if (begun === 'refused') return context.inCompany(town.id, (tx) => refuse(tx, context, town, id))
  if (begun === null) return
  const { payment, stored } = begun
  if (stored !== null) await drive(context, town, payment, { stored }, '')
  await context.inCompany(town.id, (tx) => settle(tx, context, town, id))
}

/** Null where the town takes no payments: promises to be charged wait, and links leave all the same. */
async function throughTown(context: AppContext, town: Company): Promise<ProviderRoute | null> {
  const settings = await context.inCompany(town.id, (tx) => settingsOf(tx, town.id))
  return throughOf(context, town, settings).catch((error: unknown) => {
    context.log.warn({ err: error, company: town.id }, 'promises to pay wait for the payment service')
    return null
  })
}

/** `stored`: by what it goes on to be charged; null where that was done, and it is only asked what became of it. */
interface StartedCharge {
  payment: Payment
  stored: string | null
}

async function take(
  tx: Tx,
  context: AppContext,
  town: Company,
  id: number,
  through: ProviderRoute | null,
): Promise<StartedCharge | null> {
  const row = await tx
    .selectFrom('payment_promise')
    .selectAll()
    .where('company_id', '=', town.id)
    .where('id', '=', id)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  if (!row) return null
  if (row.status === 'charging') return goingOn(tx, town, row)
  if (row.status === 'reminded') {
    // Another run may have mailed the link since this one looked.
    if (await isPaid(tx, row)) await step(tx, context, row, 'keep')
    return null
  }
  if (row.status !== 'waiting') return null
  const verdict = await judge(tx, town, row)
  if (verdict === 'later') return null
  if (verdict === 'not_owed') {
    await step(tx, context, row, 'drop')
    await tellPayer(tx, context, town, row, 'not_owed')
    return null
  }
  if (row.way === 'remind') {
    await step(tx, context, row, 'remind')
    await tellPayer(tx, context, town, row, 'pay_now')
    return null
  }
  if (verdict === 'changed') return change(tx, context, town, row)
  return through && charge(tx, context, town, row, through)
}

const isPaid = async (tx: Tx, { company_id, checkout_id }: PromiseRow): Promise<boolean> =>
  (await tx
    .selectFrom('payment_order')
    .select('id')
    .where('company_id', '=', company_id)
    .where('checkout_id', '=', checkout_id)
    .where('status', '=', orderStatus.success)
    .executeTakeFirst()) !== undefined

async function judge(tx: Tx, town: Company, row: PromiseRow) {
  const lines = await linesOf(tx, row)
  const now = await lookAt(
    tx,
    town.id,
    lines.map(({ kind, payable_id: id }) => ({ kind, id })),
  )
  const pending = await pendingOf(tx, row)
  return carryOut({
    things: lines.map(({ amount_cents: cents }, n) => {
      // `lookAt` has taken off already what is under way.
      const pendingCents = pending[n] ?? 0
      return { cents, owedCents: (now[n]?.owedCents ?? 0) + pendingCents, pendingCents }
    }),
  })
}

/** What payments under way will take off each thing, in the order of its lines. */
async function pendingOf(tx: Tx, { company_id, id }: PromiseRow): Promise<number[]> {
  const { rows } = await sql<{ cents: number }>`
    SELECT (SELECT coalesce(sum(l.amount_cents), 0)::bigint FROM payment_order_line l
      JOIN payment_order o ON o.company_id = l.company_id AND o.id = l.order_id
      WHERE l.company_id = p.company_id AND l.kind = p.kind AND l.payable_id = p.payable_id AND o.status = 0) AS cents
    FROM payment_promise_line p WHERE p.company_id = ${company_id} AND p.promise_id = ${id} ORDER BY p.line_no`.execute(
    tx,
  )
  return rows.map(({ cents }) => cents)
}

/** Its order and its attempt, in one transaction with what says that it is under way, under a key of the promise's own. */
async function charge(
  tx: Tx,
  context: AppContext,
  town: Company,
  row: PromiseRow,
  through: ProviderRoute,
): Promise<StartedCharge | null> {
  const today = dateIn(town.timeZone, context.clock.now())
  const { person_id: person, method_id } = row
  const method = await methodOf(tx, row)
  if (person === null || method_id === null || method === null) throw new Refusal(409, 'method_gone', 'It is not kept.')
  const kept = await lockKept(tx, town.id, { person, id: method_id, method, today })
  if (kept.provider !== through.provider) throw new Refusal(409, 'method_elsewhere', 'It is kept elsewhere.')
  const lines = await linesOf(tx, row)
  const payment = await openPayment(
    tx,
    context,
    town,
    {
      pays: lines.map(({ kind, payable_id: id, amount_cents: amountCents }) => ({ kind, id, amountCents })),
      method: method as Method,
      location: ONLINE,
      payer: { who: bySystem(context.clock), person, email: row.email },
      means: kept.means,
      key: `promise-${row.id}/${row.tries}`,
      checkoutId: row.checkout_id,
    },
    through,
  )
  // A fee that rose meanwhile is another amount than was agreed to.
  if (payment.order.total_cents > row.total_cents) throw new Refusal(409, 'amount_changed', 'It costs more by now.')
  const facts = { order_id: payment.order.id, attempt_id: payment.attempt.id }
  await transition(tx, keptPromises, {
    place: town.id,
    id: row.id,
    event: 'begin',
    who: bySystem(context.clock),
    facts,
  })
  return { payment, stored: kept.provider_method }
}

const methodOf = async (tx: Tx, { company_id, method_id }: PromiseRow): Promise<number | null> =>
  (
    await tx
      .selectFrom('stored_method')
      .select('method')
      .where('company_id', '=', company_id)
      .where('id', '=', method_id)
      .executeTakeFirst()
  )?.method ?? null

/** One that is under way: whoever began it may have died before the provider heard of it. */
async function goingOn(tx: Tx, town: Company, row: PromiseRow): Promise<StartedCharge> {
  const [order, attempt] = await paymentOf(tx, row)
  const waits = attempt.step === 'new' || attempt.step === 'created'
  const kept = waits
    ? await tx
        .selectFrom('stored_method')
        .select('provider_method')
        .where('company_id', '=', town.id)
        .where('id', '=', row.method_id)
        .executeTakeFirst()
    : undefined
  return { payment: { order, attempt }, stored: kept?.provider_method ?? null }
}

async function paymentOf(tx: Tx, { company_id, order_id, attempt_id }: PromiseRow) {
  const company = companyIdFrom('job', company_id)
  return [await findOrder(tx, company, order_id ?? 0), await findAttempt(tx, company, attempt_id ?? 0)] as const
}

/** Makes a promise agree with what became of its payment. What never reached the provider is tried again after a while. */
async function settle(tx: Tx, context: AppContext, town: Company, id: number): Promise<void> {
  const row = await lockPromise(tx, town.id, id)
  if (row.status !== 'charging') return
  const [order, attempt] = await paymentOf(tx, row)
  if (attempt.status === 0 || order.status === orderStatus.pending) return
  if (order.status !== orderStatus.declined) return void (await step(tx, context, row, 'keep'))
  if (attempt.step === 'canceled' && row.tries < MAX_ATTEMPTS) {
    const wait = new Date(context.clock.now().getTime() + againAfterMs(row.tries))
    const facts = { tries: row.tries + 1, not_before: wait, attempt_id: null }
    await transition(tx, keptPromises, { place: town.id, id, event: 'wait', who: bySystem(context.clock), facts })
    return
  }
  await step(tx, context, row, 'fail')
  await tellPayer(tx, context, town, row, 'failed')
}

/** Nothing was charged: more is to be paid, or less, or the card is gone. Its payer is told, with the way to the page. */
async function refuse(tx: Tx, context: AppContext, town: Company, id: number): Promise<void> {
  const row = await lockPromise(tx, town.id, id)
  if (row.status === 'waiting') await change(tx, context, town, row)
}

async function change(tx: Tx, context: AppContext, town: Company, row: PromiseRow): Promise<null> {
  await step(tx, context, row, 'change')
  await tellPayer(tx, context, town, row, 'changed')
  return null
}

const step = (
  tx: Tx,
  context: AppContext,
  { company_id, id }: PromiseRow,
  event: 'keep' | 'drop' | 'remind' | 'change' | 'fail',
) => transition(tx, keptPromises, { place: companyIdFrom('job', company_id), id, event, who: bySystem(context.clock) })

export function defineKeeping(context: AppContext): void {
  context.jobs.define(KEEP, async () => void (await keepPromises(context)), {
    cron: '* * * * *',
    retryLimit: 0,
  })
}
