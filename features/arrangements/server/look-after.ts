import { lookAfterByDay } from '../../../server/by-day.ts'
import type { AppContext } from '../../../server/app-context.ts'
import type { Company } from '../../../server/hosts.ts'
import { transition } from '../../../server/states.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { dateIn } from '../../../shared/dates.ts'
import { isHeld } from '../../payments/server/outage/tried.ts'
import { payableOf } from '../../payments/server/payables.ts'
import { bySystem, findOne, keptArrangements, standing } from './arrangements.ts'
import { broken, finished, tell } from './emails.ts'

/** Nobody is written to at night: between these hours of the town's own clocks. */
const DAY = { from: '06:00', to: '21:00' }

/**
 * Judges every plan that is under way by what was paid and by the town's day: paid, broken, or on track again. Each is
 * judged in a transaction of its own, under the lock of what is paid, so that it may run again at any time.
 */
export async function lookAfterArrangements(context: AppContext): Promise<number> {
  const open = await context.acrossCompanies((tx) =>
    tx
      .selectFrom('arrangement')
      .select(['company_id', 'id'])
      .where('state', 'in', ['active', 'broken'])
      .orderBy('company_id')
      .orderBy('id')
      .execute(),
  )
  return lookAfterByDay(context, open, DAY, judge)
}

async function judge(tx: Tx, context: AppContext, town: Company, id: number): Promise<boolean> {
  const found = await findOne(tx, town.id, id)
  await payableOf(found.kind).lock(tx, town.id, found.payable_id, context.clock.now())
  const row = await findOne(tx, town.id, id, { lock: true })
  // Another portal that looked at the same time, or somebody who ended it, was first.
  if (row.state !== 'active' && row.state !== 'broken') return false
  const today = dateIn(town.timeZone, context.clock.now())
  const { remainingCents, overdueCents, broken: isLate } = standing(row, today)
  // Whoever tried to pay while payments were out has not broken it.
  const isBroken = isLate && row.state === 'active' && !(await isHeld(tx, town.id, row.kind, row.payable_id, today))
  const told = { reference: row.reference, totalCents: row.total_cents, schedule: row.schedule }
  const step = (event: 'keep' | 'break' | 'mend') =>
    transition(tx, keptArrangements, { place: town.id, id, event, who: bySystem(context.clock) })
  if (remainingCents === 0) {
    await step('keep')
    await tell(tx, context, town, row, finished, { ...told, ended: false })
  } else if (isBroken) {
    await step('break')
    await tell(tx, context, town, row, broken, { ...told, overdueCents })
  } else if (overdueCents === 0 && row.state === 'broken') await step('mend')
  else return false
  return true
}

/** The days are the town's own, so each hour looks at those towns in which it is day. */
export function defineArrangementJob(context: AppContext): void {
  context.jobs.define('arrangements.look', async () => void (await lookAfterArrangements(context)), {
    cron: '40 * * * *',
    retryLimit: 0,
  })
}
