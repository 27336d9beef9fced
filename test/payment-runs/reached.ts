import { expect } from 'vitest'
import type { RunCompany } from './company.ts'

const [DAILY, NIGHTLY] = ['in every run of the tests', 'in a night’s runs'] as const

/**
 * Types of results, each with the SQL that counts them. The counts prove that each type of step has an effect. Daily
 * runs check only results that occur in at least a third of all runs. The chance that such a result never occurs in
 * forty runs is one in a million. Nightly runs and a fixed history (`CALM_DAY` in `exactly-once.test.ts`) check the
 * other results.
 */
const goals: Record<string, [when: typeof DAILY | typeof NIGHTLY, count: string]> = {
  'a cart of several kinds is paid': [
    DAILY,
    `SELECT 1 FROM payment_order o JOIN payment_order_line l ON l.company_id = o.company_id AND l.order_id = o.id
     WHERE o.paid_at IS NOT NULL GROUP BY o.id HAVING count(DISTINCT l.kind) > 1`,
  ],
  'a utility bill is paid': [DAILY, paid('utility')],
  'a general payment is made': [DAILY, paid('general')],
  'a ticket is paid': [NIGHTLY, paid('parking')],
  'a number is given out': [DAILY, `SELECT 1 FROM general_charge WHERE is_numbered AND paid_at IS NOT NULL`],
  'a ticket that was paid is open again': [NIGHTLY, step('parking_ticket', 'reverse')],
  'a ticket is contested': [NIGHTLY, step('parking_ticket', 'contest')],
  'a contested ticket is upheld': [NIGHTLY, step('parking_ticket', 'uphold')],
  'a contested ticket is dismissed': [NIGHTLY, step('parking_ticket', 'dismiss')],
  'a ticket is voided': [NIGHTLY, step('parking_ticket', 'void')],
  'a late fee is added': [NIGHTLY, `SELECT 1 FROM parking_delinquency_step`],
  'AutoPay charges': [NIGHTLY, `SELECT 1 FROM autopay_charge WHERE state = 'paid'`],
  'AutoPay is declined': [NIGHTLY, `SELECT 1 FROM payment_order WHERE location = 6 AND status = 2`],
  'AutoPay presents again': [NIGHTLY, `SELECT 1 FROM autopay_charge WHERE presentment > 1 AND order_id IS NOT NULL`],
  'AutoPay finds it paid': [NIGHTLY, `SELECT 1 FROM autopay_charge WHERE state = 'not_owed'`],
  'a payment of AutoPay is skipped': [NIGHTLY, `SELECT 1 FROM audit_event WHERE action = 'autopay.skipped'`],
  'AutoPay is paused': [NIGHTLY, step('autopay', 'pause')],
  'AutoPay is ended': [NIGHTLY, step('autopay', 'end')],
  'AutoPay is removed': [NIGHTLY, step('autopay', 'remove')],
  'staff give back a payment': [
    NIGHTLY,
    issuedSql(`r.kind = 'refund' AND r.status = 'done' AND a.provider <> 'office'`),
  ],
  'staff give back cash': [NIGHTLY, issuedSql(`r.kind = 'refund' AND r.status = 'done' AND a.provider = 'office'`)],
  'a second person approves': [NIGHTLY, issuedSql(`r.decided_at IS NOT NULL AND r.status = 'done'`)],
  'a second person declines': [NIGHTLY, issuedSql(`r.status = 'declined'`)],
  'a refund waits': [NIGHTLY, issuedSql(`r.status = 'waiting'`)],
  'a payment is voided': [NIGHTLY, issuedSql(`r.kind = 'void' AND r.status = 'done' AND a.provider <> 'office'`)],
  'cash is voided': [NIGHTLY, issuedSql(`r.kind = 'void' AND r.status = 'done' AND a.provider = 'office'`)],
  'the provider is asked for a refund in vain': [NIGHTLY, issuedSql(`r.status = 'failed'`)],
  'cash is taken': [NIGHTLY, `SELECT 1 FROM drawer_payment`],
  'a drawer is counted': [NIGHTLY, `SELECT 1 FROM drawer WHERE status = 'closed'`],
  'a drawer is short': [NIGHTLY, `SELECT 1 FROM ledger_transfer WHERE kind = 'drawer.short'`],
  'the provider gives back': [NIGHTLY, moved('refund')],
  'a fee is charged by itself': [NIGHTLY, fee('charged')],
  'a fee is owed': [NIGHTLY, fee('owed')],
  'a fee is waived': [NIGHTLY, fee('waived')],
  'a fee goes back with its bill': [NIGHTLY, issuedSql(`r.is_fee_part AND r.status = 'done'`)],
  'a refund comes back': [NIGHTLY, moved('refund_failed')],
  'a payer disputes': [NIGHTLY, moved('dispute')],
  'a dispute is won': [NIGHTLY, moved('dispute_won')],
  'a dispute is lost': [NIGHTLY, moved('dispute_lost')],
  'a bank returns': [NIGHTLY, moved('return')],
  'a declined payment is tried again': [NIGHTLY, step('order', 'new_attempt')],
  'what went back twice is owed': [NIGHTLY, `SELECT 1 FROM payment_alert WHERE code = 'owed_by_payer'`],
}

function paid(kind: string): string {
  return `SELECT 1 FROM payment_order_line WHERE kind = '${kind}' AND settled_cents > 0`
}
function step(machine: string, event: string): string {
  return `SELECT 1 FROM status_history WHERE machine = '${machine}' AND event = '${event}'`
}
function issuedSql(which: string): string {
  return `SELECT 1 FROM payment_refund r JOIN payment_attempt a ON a.company_id = r.company_id AND a.id = r.attempt_id WHERE ${which}`
}
function fee(status: string): string {
  return `SELECT 1 FROM payment_fee WHERE status = '${status}'`
}
function moved(movementType: string): string {
  return `SELECT 1 FROM ledger_transfer WHERE split_part(kind, '.', 1) = '${movementType}'`
}

export async function reachedIn({ portal }: RunCompany): Promise<Record<string, number>> {
  const counts = Object.entries(goals).map(([what, [, count]]) => `('${what}', (SELECT count(*) FROM (${count}) s))`)
  const { rows } = await portal.owner.query<{ what: string; count: number }>(
    `SELECT * FROM (VALUES ${counts.join(', ')}) AS reached(what, count)`,
  )
  return Object.fromEntries(rows.map(({ what, count }) => [what, count]))
}

/** Lists the result types with higher counts than before. */
export const newIn = (before: Record<string, number>, after: Record<string, number>): string[] =>
  Object.keys(goals).filter((what) => (after[what] ?? 0) > (before[what] ?? 0))

/** Number of runs after which every result type must have occurred. */
const MANY = 1000

export function expectReached(reached: Record<string, number>, runs: number): void {
  if (process.env['NIGHTLY']) process.stdout.write(`${JSON.stringify(reached, null, 2)}\n`)
  const missing = Object.entries(goals).filter(
    ([what, [when]]) => (when === DAILY || runs >= MANY) && !((reached[what] ?? 0) > 0),
  )
  expect(missing.map(([what]) => what)).toEqual([])
}
