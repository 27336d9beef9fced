import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Clock } from '../../../server/clock.ts'
import type { Schema } from '../../../server/db/schema.ts'
import { notFound } from '../../../server/errors.ts'
import type { TransitionActor } from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { say } from '../../../shared/messages.ts'
import { allPayables, defineArrangementPort } from '../../payments/api.ts'
import { type Installment, installmentName, type ArrangementStatus, scheduleStatusOf } from '../rules.ts'

export type Arrangement = Selectable<Schema['arrangement']>

/** Arrangement with its installments and the amount paid since its start. */
export interface ArrangementWithSchedule extends Arrangement {
  schedule: Installment[]
  paid_cents: number
}

/**
 * Selects the total amount ever paid on the open item of `a`, in the portal and elsewhere. `a` needs `company_id`,
 * `kind` and `payable_id`.
 */
export const paidOn = (): RawBuilder<number> => {
  const elsewhere = allPayables().flatMap(({ kind, recurs }) =>
    recurs?.paidElsewhere ? [sql`WHEN ${sql.lit(kind)} THEN (${sql.raw(recurs.paidElsewhere)})`] : [],
  )
  return sql<number>`(
    (SELECT coalesce(sum(l.settled_cents), 0) FROM payment_order_line l
     WHERE l.company_id = a.company_id AND l.kind = a.kind AND l.payable_id = a.payable_id)
    + ${elsewhere.length === 0 ? sql`0` : sql`CASE a.kind ${sql.join(elsewhere, sql` `)} ELSE 0 END`})::bigint`
}

/** Selects the amount paid on an arrangement. It is 0 before the start and after an early end. */
export const paidOf = (): RawBuilder<number> =>
  sql<number>`CASE WHEN a.state IN ('active', 'defaulted') THEN least(a.total_cents, greatest(0, ${paidOn()} - a.paid_before_cents))
    WHEN a.state = 'completed' THEN a.total_cents ELSE 0 END`

const schedule = sql`(SELECT coalesce(jsonb_agg(jsonb_build_object('no', i.no, 'dueOn', i.due_on, 'cents', i.cents) ORDER BY i.no), '[]')
  FROM arrangement_installment i WHERE i.company_id = a.company_id AND i.arrangement_id = a.id)`

/** Returns a company's arrangements that match this condition on `a`. */
export async function findArrangements(
  tx: Tx,
  company: CompanyId,
  where: RawBuilder<unknown>,
  { lock = false } = {},
): Promise<ArrangementWithSchedule[]> {
  const { rows } = await sql<ArrangementWithSchedule>`
    SELECT a.*, ${schedule} AS schedule, ${paidOf()} AS paid_cents
    FROM arrangement a WHERE a.company_id = ${company} AND ${where} ORDER BY a.id ${lock ? sql`FOR UPDATE` : sql``}`.execute(
    tx,
  )
  return rows
}

/** @throws 404 if the arrangement does not exist */
export async function findOne(
  tx: Tx,
  company: CompanyId,
  id: number,
  { lock = false } = {},
): Promise<ArrangementWithSchedule> {
  const [row] = await findArrangements(tx, company, sql`a.id = ${id}`, { lock })
  if (!row) throw notFound('This arrangement was not found.')
  return row
}

const OPEN = sql`a.state IN ('proposed', 'active', 'defaulted')`

export async function openOn(
  tx: Tx,
  company: CompanyId,
  kind: string,
  id: number,
): Promise<ArrangementWithSchedule | null> {
  const [row] = await findArrangements(tx, company, sql`a.kind = ${kind} AND a.payable_id = ${id} AND ${OPEN}`)
  return row ?? null
}

export const statusOn = (row: ArrangementWithSchedule, today: string): ArrangementStatus =>
  scheduleStatusOf(row.schedule, row.paid_cents, today, row.grace_days)

export const bySystem = (clock: Clock): TransitionActor => ({
  as: 'system',
  caller: { session: null, requestId: '', kind: 'system' },
  clock,
  person: { id: null, name: say`Payment arrangements` },
})

defineArrangementPort({
  async of(tx, company, kind, id) {
    const row = await openOn(tx, company, kind, id)
    // A defaulted arrangement does not defer payments, so the whole amount is due.
    if (row?.state !== 'active') return null
    const { remainingCents, open } = statusOn(row, '0001-01-01')
    const installments = open.map(({ no, dueOn, openCents }) => ({
      name: installmentName(row.id, no),
      dueOn,
      openCents,
    }))
    return { remainingCents, installments }
  },
  async next(tx, company, kind, id, today) {
    const row = await openOn(tx, company, kind, id)
    if (row?.state !== 'active' && row?.state !== 'defaulted') return null
    const { next, open } = statusOn(row, today)
    if (!next) return null
    const due = open.filter(({ dueOn }) => dueOn <= today).reduce((sum, { openCents }) => sum + openCents, 0)
    return { cents: due > 0 ? due : next.openCents, on: next.dueOn }
  },
  charged: (owed) => sql`coalesce((
    SELECT CASE WHEN i.cents IS NULL THEN ${owed} - (p.total_cents - p.paid) ELSE least(${owed}, i.cents) END
    FROM (SELECT a.id, a.company_id, a.total_cents, ${paidOf()} AS paid FROM arrangement a
      WHERE a.company_id = c.company_id AND a.kind = c.kind AND a.payable_id = c.payable_id AND a.state = 'active') p
    LEFT JOIN LATERAL (SELECT least(s.cents, greatest(0, s.so_far - p.paid)) AS cents FROM (
        SELECT no, cents, sum(cents) OVER (ORDER BY no) AS so_far FROM arrangement_installment n
        WHERE n.company_id = p.company_id AND n.arrangement_id = p.id) s
      WHERE 'A' || p.id || '-' || s.no = c.bill) i ON true), ${owed})`,
  due: `SELECT 'A' || p.id || '-' || i.no AS bill, i.due_on AS due_date
    FROM arrangement p JOIN arrangement_installment i ON i.company_id = p.company_id AND i.arrangement_id = p.id
    WHERE p.company_id = a.company_id AND p.kind = a.kind AND p.payable_id = a.payable_id AND p.state = 'active'`,
})
