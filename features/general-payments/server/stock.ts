import { sql } from 'kysely'
import { implement } from '../../../server/call.ts'
import { conflict, rejected } from '../../../server/errors.ts'
import type { AppContext } from '../../../server/app-context.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { plural, say } from '../../../shared/messages.ts'
import { hasPendingPayment } from '../../payments/api.ts'
import { addPaymentStock } from '../contract.ts'
import { readType } from './types.ts'

/** Minutes for which a number is reserved for a payer. */
export const HOLD_MINUTES = 30
export const holdFrom = (now: Date): Date => new Date(now.getTime() + HOLD_MINUTES * 60_000)

interface StockRequest {
  company: CompanyId
  typeId: number
  chargeId: number
  /** Preferred number, if it is still free. */
  wanted?: string | undefined
}

/** Assigns the next free number to a charge. Returns null if none is left. Concurrent calls get different numbers. */
export async function takeNumber(
  tx: Tx,
  { company, typeId, chargeId, wanted = '' }: StockRequest,
): Promise<string | null> {
  const { rows } = await sql<{ number: string }>`
    UPDATE payment_stock SET charge_id = ${chargeId}
    WHERE company_id = ${company} AND type_id = ${typeId} AND number = (
      SELECT number FROM payment_stock WHERE company_id = ${company} AND type_id = ${typeId} AND charge_id IS NULL
      ORDER BY number <> ${wanted}, position LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING number`.execute(tx)
  return rows[0]?.number ?? null
}

export const soldOut = (title: string) =>
  conflict('sold_out', say`“${title}” is sold out. Nothing was charged. Ask the office when more will be available.`)

/**
 * Releases the numbers of expired holds without a pending payment.
 * @returns the count of released holds
 */
export async function releaseHolds(context: AppContext): Promise<number> {
  const now = context.clock.now()
  return context.acrossCompanies(async (tx) => {
    const { rows: expired } = await sql<{ company_id: number; id: number }>`
      SELECT company_id, id FROM general_charge WHERE held_until < ${now}
      ORDER BY held_until LIMIT 1000 FOR UPDATE SKIP LOCKED`.execute(tx)
    // The charges are locked here. So this query sees all earlier payments, and no new payment can start.
    const { rows } = await sql<{ n: number }>`
      WITH abandoned AS (
        SELECT c.company_id, c.id FROM unnest(${expired.map((row) => row.company_id)}::int[], ${expired.map(({ id }) => id)}::bigint[]) AS c(company_id, id)
        WHERE NOT ${hasPendingPayment(sql`c.company_id`, 'general', sql`c.id`)}
      ), freed AS (
        UPDATE payment_stock s SET charge_id = NULL FROM abandoned g WHERE s.company_id = g.company_id AND s.charge_id = g.id
      ), told AS (
        UPDATE general_charge c SET held_until = NULL FROM abandoned g WHERE c.company_id = g.company_id AND c.id = g.id RETURNING 1
      )
      SELECT count(*)::int AS n FROM told`.execute(tx)
    return rows[0]?.n ?? 0
  })
}

export function defineStockJobs(context: AppContext): void {
  context.jobs.define('general-payments.release', async () => void (await releaseHolds(context)), {
    cron: '*/5 * * * *',
    retryLimit: 0,
  })
}

export const addPaymentStockCall = implement(addPaymentStock, async (call) => {
  const { typeId, first, count } = call.body
  const company = call.company.id
  const [, before = '', digits = ''] = /^(.*?)(\d+)$/.exec(first) ?? []
  const numbers = Array.from(
    { length: count },
    (_, n) => before + String(Number(digits) + n).padStart(digits.length, '0'),
  )
  return call.inCompany(async (tx) => {
    const { title, numberLabel } = await readType(tx, company, typeId)
    if (numberLabel === '')
      throw rejected('First enter the “Label for the issued number” in the settings, such as: Tag number.')
    const { rows } = await sql<{ number: string }>`
      INSERT INTO payment_stock (company_id, type_id, number)
      SELECT ${company}, ${typeId}, n FROM unnest(${numbers}::text[]) WITH ORDINALITY AS given(n, nth) ORDER BY nth
      ON CONFLICT DO NOTHING RETURNING number`.execute(tx)
    if (rows.length === 0)
      throw rejected('All of these numbers already exist. Enter a different first number.', {
        first: 'All of these numbers already exist. Enter a different first number.',
      })
    await call.audit(tx, {
      action: 'general.stock_added',
      subject: { kind: 'payment_type', id: typeId },
      detail: { title, first: rows[0]?.number, last: rows.at(-1)?.number, added: rows.length },
    })
    const existingCount = count - rows.length
    const added = say`${plural(rows.length, 'One number was', '# numbers were')} added.`
    const message =
      existingCount === 0
        ? added
        : say`${added} ${plural(existingCount, 'One number', '# numbers')} already existed and did not change.`
    return { success: true as const, message, added: rows.length }
  })
})
