import { lookAfterByDay } from '../../../server/by-day.ts'
import type { AppContext } from '../../../server/app-context.ts'
import type { Company } from '../../../server/hosts.ts'
import { transition } from '../../../server/states.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { addDays, dateIn } from '../../../shared/dates.ts'
import { dueOn, REMINDERS } from '../rules.ts'
import { confirmDue, lapsed } from './emails.ts'
import { bySystem, findRegistration, keptRegistrations, tellOwner } from './registrations.ts'

/** Nobody is written to at night: between these hours of the town's own clocks. */
const DAY = { from: '08:00', to: '20:00' }

/**
 * Asks for confirmations that are due, reminds of them once more, and lets lapse what was not confirmed, by the town's
 * day. Each is judged in a transaction of its own under its own lock, so that it may run again at any time.
 */
export async function lookAfterRegistrations(context: AppContext): Promise<number> {
  const soon = addDays(dateIn('UTC', context.clock.now()), REMINDERS[0] + 1)
  const rows = await context.acrossCompanies((tx) =>
    tx
      .selectFrom('registration')
      .select(['company_id', 'id'])
      .where('status', 'in', ['registered', 'due'])
      .where('confirm_by', '<=', soon)
      .orderBy('company_id')
      .orderBy('id')
      .execute(),
  )
  return lookAfterByDay(context, rows, DAY, judge)
}

async function judge(tx: Tx, context: AppContext, town: Company, id: number): Promise<boolean> {
  const row = await findRegistration(tx, town.id, id, { lock: true })
  // Confirmed or ended, or judged by another portal, since it was found.
  if (row.confirm_by === null || (row.status !== 'registered' && row.status !== 'due')) return false
  const due = dueOn(row.confirm_by, dateIn(town.timeZone, context.clock.now()))
  const step = (event: 'fall_due' | 'lapse', reminded: number) =>
    transition(tx, keptRegistrations, { place: town.id, id, event, who: bySystem(context.clock), facts: { reminded } })
  if (due.lapsed) {
    if (row.status === 'registered') await step('fall_due', due.reminders)
    await step('lapse', due.reminders)
    await tellOwner(tx, context, town, row, lapsed, row)
    return true
  }
  if (due.reminders <= row.reminded) return false
  if (row.status === 'registered') await step('fall_due', due.reminders)
  else
    await tx
      .updateTable('registration')
      .set({ reminded: due.reminders })
      .where('company_id', '=', town.id)
      .where('id', '=', id)
      .execute()
  await tellOwner(tx, context, town, row, confirmDue, { ...row, confirmBy: row.confirm_by })
  return true
}

/** The days are the town's own, so each hour looks at those towns in which it is day. */
export function defineRegistrationJob(context: AppContext): void {
  context.jobs.define('registrations.look', async () => void (await lookAfterRegistrations(context)), {
    cron: '25 * * * *',
    retryLimit: 0,
  })
}
