import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { payableOf } from '../../features/payments/server/orders/payable.ts'
import { callApi, expectResponse } from './ask.ts'
import { unharmed } from './fates.ts'
import type { Run } from './run.ts'
import type { StepOf } from './steps.ts'
import type { RunCompany } from './company.ts'

/** Actions of staff at the counter and on payments. */

/** Refunds or voids a payment of this run. If approval is needed, the approver decides as `then` states. */
export async function refund(run: Run, { kind, nth, amount, then }: StepOf<'give back'>): Promise<void> {
  const { company: runCompany } = run
  const { owner } = runCompany.portal
  const paid = await owner.query<{ id: number }>(
    'SELECT DISTINCT o.id FROM payment_order o JOIN payment_order_line l ON l.order_id = o.id WHERE (l.kind, l.payable_id) IN (SELECT * FROM unnest($1::text[], $2::bigint[])) AND o.paid_at IS NOT NULL ORDER BY 1',
    [run.items.map((item) => item.kind), run.items.map(({ id }) => id)],
  )
  const paymentId = paid.rows[nth % Math.max(1, paid.rows.length)]?.id
  if (paymentId === undefined) return
  const reason: string = randomUUID()
  run.reasons.push(reason)
  const response =
    kind === 'void'
      ? await callApi(runCompany, 'manager', 'muni/void/payment', { paymentId, reason })
      : await callApi(runCompany, 'manager', 'muni/refund/payment', {
          paymentId,
          reason,
          ...(amount === 'all'
            ? { amountCents: await leftOf(runCompany, paymentId) }
            : { amountCents: 7_01, line: await lineOf(runCompany, paymentId, nth) }),
        })
  if (!expectResponse(response) || response.body.status !== 'waiting' || then === 'nothing') return
  const { rows } = await owner.query<{ id: number }>('SELECT id FROM payment_refund WHERE reason = $1', [reason])
  const decision = { refundId: rows[0]?.id, event: then, reason: 'Looked at.' }
  const own = await callApi(runCompany, 'manager', 'muni/decide/refund', { ...decision, event: 'approve' })
  expect(own.status, 'nobody approves what they asked for').toBe(403)
  expectResponse(await callApi(runCompany, 'admin', 'muni/decide/refund', decision))
}

const leftOf = async ({ portal }: RunCompany, id: number): Promise<number> => {
  const { rows } = await portal.owner.query<{ cents: number }>(
    'SELECT greatest(total_cents - refunded_cents, 1) AS cents FROM payment_order WHERE id = $1',
    [id],
  )
  return rows[0]?.cents ?? 1
}

/** Chooses the line item to refund in a partial refund. */
const lineOf = async ({ portal }: RunCompany, id: number, index: number): Promise<number | undefined> => {
  const { rows } = await portal.owner.query<{ no: number }>(
    'SELECT line_no AS no FROM payment_order_line WHERE order_id = $1 ORDER BY line_no',
    [id],
  )
  return rows[index % Math.max(1, rows.length)]?.no
}

/** Retries the charge of an unpaid fee, or waives the fee, as staff would. */
export async function seeToFee({ company: runCompany, items }: Run, { as, nth }: StepOf<'fee'>): Promise<void> {
  const { rows } = await runCompany.portal.owner.query<{ id: number }>(
    `SELECT DISTINCT f.id FROM payment_fee f JOIN payment_order_line l ON l.company_id = f.company_id AND l.order_id = f.id
     WHERE (l.kind, l.payable_id) IN (SELECT * FROM unnest($1::text[], $2::bigint[])) ORDER BY f.id`,
    [items.map((item) => item.kind), items.map(({ id }) => id)],
  )
  const paymentId = rows[nth % Math.max(1, rows.length)]?.id
  if (paymentId === undefined) return
  expectResponse(
    as === 'again'
      ? await callApi(runCompany, 'manager', 'muni/charge/fee', { paymentId })
      : await callApi(runCompany, 'manager', 'muni/waive/fee', { paymentId, reason: 'Not worth a call.' }),
  )
}

/**
 * Returns the id of the open cash drawer. If none is open, opens one. These calls have no planned outcomes, because the
 * drawer is not under test.
 */
const openDrawer = (runCompany: RunCompany): Promise<number> =>
  unharmed(async () => {
    const findDrawer = async () =>
      (await callApi(runCompany, 'manager', 'muni/return/counter', {})).body.drawer?.id as number | undefined
    const open = await findDrawer()
    if (open !== undefined) return open
    await callApi(runCompany, 'manager', 'muni/open/drawer', { counts: {} })
    return (await findDrawer()) ?? 0
  })

/** Takes a cash payment of the amount due, or half of it. */
export async function takeCash(
  { company: runCompany, items, counterOrders }: Run,
  step: StepOf<'cash'>,
): Promise<void> {
  const { company, portal } = runCompany
  const { kind, id } = items[step.item] ?? { kind: '', id: 0 }
  const { owedCents, pendingCents } = await unharmed(() =>
    portal.context.inCompany(company, (tx) => payableOf(kind).owed(tx, company, id)),
  )
  const amountCents = Math.ceil((owedCents - pendingCents) / (step.half ? 2 : 1))
  if (amountCents <= 0) return
  const body = {
    drawerId: await openDrawer(runCompany),
    pays: [{ kind, id, amountCents }],
    method: 3,
    tenderedCents: amountCents + 5_00,
    number: '',
    email: '',
  }
  const key = randomUUID()
  const responses = await Promise.all(
    Array.from({ length: step.twice ? 2 : 1 }, () =>
      callApi(runCompany, 'manager', 'muni/take/counter/payment', body, key),
    ),
  )
  const done = responses.filter(expectResponse).map((response) => response.body.paymentId as number)
  expect(new Set(done).size, 'pressed twice, it is taken once').toBeLessThanOrEqual(1)
  for (const paymentId of done) counterOrders.add(paymentId)
}

export async function countDrawer({ company: runCompany }: Run, { short }: StepOf<'count the drawer'>): Promise<void> {
  const drawerId = await openDrawer(runCompany)
  const { rows } = await runCompany.portal.owner.query<{ cents: number }>(
    `SELECT coalesce(sum(o.total_cents), 0)::bigint AS cents FROM drawer_payment p JOIN payment_order o ON o.id = p.order_id
     WHERE p.drawer_id = $1 AND o.status <> 5`,
    [drawerId],
  )
  const cents = Math.max(0, (rows[0]?.cents ?? 0) - (short ? 5_00 : 0))
  const counts = { 100: Math.floor(cents / 100), 1: cents % 100 }
  expectResponse(await callApi(runCompany, 'manager', 'muni/close/drawer', { drawerId, counts, note: 'Counted.' }))
}
