import { expect } from 'vitest'
import type { Town } from './town.ts'

/**
 * What the random steps came to, counted in the database, so that no kind of them can silently come to nothing. Each with
 * the part of the runs in which it has to happen at least; 0 for what is rare, and has to happen in a night's runs alone.
 */
const wanted: Record<string, [least: number, count: string]> = {
  'a cart of several kinds is paid': [
    0.1,
    `SELECT 1 FROM payment_order o JOIN payment_order_line l ON l.company_id = o.company_id AND l.order_id = o.id
     WHERE o.paid_at IS NOT NULL GROUP BY o.id HAVING count(DISTINCT l.kind) > 1`,
  ],
  'a utility bill is paid': [0.1, paid('utility')],
  'a general payment is made': [0.1, paid('general')],
  'a ticket is paid': [0.05, paid('parking')],
  'a number is given out': [0.02, `SELECT 1 FROM general_charge WHERE is_numbered AND paid_at IS NOT NULL`],
  'both who want the number pay': [
    0,
    `SELECT 1 FROM general_charge WHERE is_numbered AND paid_at IS NOT NULL GROUP BY type_id HAVING count(*) > 1`,
  ],
  'a ticket that was paid is open again': [0, step('parking_ticket', 'reverse')],
  'a ticket is contested': [0.03, step('parking_ticket', 'contest')],
  'a contested ticket is upheld': [0, step('parking_ticket', 'uphold')],
  'a contested ticket is dismissed': [0, step('parking_ticket', 'dismiss')],
  'a ticket is voided': [0, step('parking_ticket', 'void')],
  'a late fee is added': [0.03, `SELECT 1 FROM parking_step`],
  'AutoPay charges': [0.03, `SELECT 1 FROM autopay_charge WHERE state = 'paid'`],
  'AutoPay is refused': [0.02, `SELECT 1 FROM payment_order WHERE location = 6 AND status = 2`],
  'AutoPay presents again': [0, `SELECT 1 FROM autopay_charge WHERE presentment > 1 AND order_id IS NOT NULL`],
  'AutoPay finds it paid': [0, `SELECT 1 FROM autopay_charge WHERE state = 'not_owed'`],
  'a payment of AutoPay is skipped': [0.02, `SELECT 1 FROM audit_event WHERE action = 'autopay.skipped'`],
  'AutoPay is paused': [0, step('autopay', 'pause')],
  'AutoPay is ended': [0, step('autopay', 'end')],
  'AutoPay is removed': [0, step('autopay', 'remove')],
  'staff give back a payment': [0.05, given(`r.kind = 'refund' AND r.status = 'done' AND a.provider <> 'office'`)],
  'staff give back cash': [0, given(`r.kind = 'refund' AND r.status = 'done' AND a.provider = 'office'`)],
  'a second person approves': [0.02, given(`r.decided_at IS NOT NULL AND r.status = 'done'`)],
  'a second person declines': [0, given(`r.status = 'declined'`)],
  'a refund waits': [0, given(`r.status = 'waiting'`)],
  'a payment is voided': [0, given(`r.kind = 'void' AND r.status = 'done' AND a.provider <> 'office'`)],
  'cash is voided': [0, given(`r.kind = 'void' AND r.status = 'done' AND a.provider = 'office'`)],
  'the provider is asked for a refund in vain': [0, given(`r.status = 'failed'`)],
  'cash is taken': [0.05, `SELECT 1 FROM drawer_payment`],
  'a drawer is counted': [0, `SELECT 1 FROM drawer WHERE status = 'closed'`],
  'a drawer is short': [0, `SELECT 1 FROM ledger_transfer WHERE kind = 'drawer.short'`],
  'the provider gives back': [0.05, moved('refund')],
  'a refund comes back': [0, moved('refund_failed')],
  'a payer disputes': [0.02, moved('dispute')],
  'a dispute is won': [0, moved('dispute_won')],
  'a dispute is lost': [0, moved('dispute_lost')],
  'a bank returns': [0.02, moved('return')],
  'what was given up is paid': [0, step('order', 'corrected')],
  'a declined payment is tried again': [0, step('order', 'new_attempt')],
  'what went back twice is owed': [0, `SELECT 1 FROM payment_alert WHERE code = 'owed_by_payer'`],
}

function paid(kind: string): string {
  return `SELECT 1 FROM payment_order_line WHERE kind = '${kind}' AND settled_cents > 0`
}
function step(machine: string, event: string): string {
  return `SELECT 1 FROM status_history WHERE machine = '${machine}' AND event = '${event}'`
}
function given(which: string): string {
  return `SELECT 1 FROM payment_refund r JOIN payment_attempt a ON a.company_id = r.company_id AND a.id = r.attempt_id WHERE ${which}`
}
function moved(way: string): string {
  return `SELECT 1 FROM ledger_transfer WHERE split_part(kind, '.', 1) = '${way}'`
}

export async function reachedIn({ portal }: Town): Promise<Record<string, number>> {
  const counts = Object.entries(wanted).map(([what, [, count]]) => `('${what}', (SELECT count(*) FROM (${count}) s))`)
  const { rows } = await portal.owner.query<{ what: string; count: number }>(
    `SELECT * FROM (VALUES ${counts.join(', ')}) AS reached(what, count)`,
  )
  return Object.fromEntries(rows.map(({ what, count }) => [what, count]))
}

export function expectReached(reached: Record<string, number>, runs: number): void {
  if (process.env['SHOW_REACHED']) console.log(reached)
  const missing = Object.entries(wanted).filter(([what, [least]]) => {
    const needed = least > 0 ? Math.ceil(least * runs) : Number(runs >= 1000)
    return (reached[what] ?? 0) < needed
  })
  expect(missing.map(([what]) => `${what}: ${reached[what]}`)).toEqual([])
}
