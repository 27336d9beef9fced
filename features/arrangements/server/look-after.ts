import { lookAfterByDay } from '../../../server/by-day.ts'
import type { House } from '../../../server/house.ts'
import type { Company } from '../../../server/hosts.ts'
import { move } from '../../../server/states.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { dateIn } from '../../../shared/dates.ts'
import { isHeld } from '../../payments/server/outage/tried.ts'
import { payableOf } from '../../payments/server/payables.ts'
import { bySystem, findOne, keptArrangements, standing } from './arrangements.ts'
import { broken, finished, tell } from './letters.ts'

/** Nobody is written to at night: between these hours of the town's own clocks. */
const DAY = { from: '06:00', to: '21:00' }

/**
 * Judges every plan that is under way by what was paid and by the town's day: paid, broken, or on track again. Each is
 * judged in a transaction of its own, under the lock of what is paid, so that it may run again at any time.
 */
export async function lookAfterArrangements(house: House): Promise<number> {
  const open = await house.acrossCompanies((tx) =>
    tx
      .selectFrom('arrangement')
      .select(['company_id', 'id'])
      .where('state', 'in', ['active', 'broken'])
      .orderBy('company_id')
      .orderBy('id')
      .execute(),
  )
  return lookAfterByDay(house, open, DAY, judge)
}

async function judge(tx: Tx, house: House, town: Company, id: number): Promise<boolean> {
  const found = await findOne(tx, town.id, id)
  await payableOf(found.kind).lock(tx, town.id, found.payable_id, house.clock.now())
  const row = await findOne(tx, town.id, id, { lock: true })
  // Another portal that looked at the same time, or somebody who ended it, was first.
  if (row.state !== 'active' && row.state !== 'broken') return false
  const today = dateIn(town.timeZone, house.clock.now())
  const { remainingCents, overdueCents, broken: isLate } = standing(row, today)
  // Whoever tried to pay while payments were out has not broken it.
  const isBroken = isLate && row.state === 'active' && !(await isHeld(tx, town.id, row.kind, row.payable_id, today))
  const told = { reference: row.reference, totalCents: row.total_cents, schedule: row.schedule }
  const step = (event: 'keep' | 'break' | 'mend') =>
    move(tx, keptArrangements, { place: town.id, id, event, who: bySystem(house.clock) })
  if (remainingCents === 0) {
    await step('keep')
    await tell(tx, house, town, row, finished, { ...told, ended: false })
  } else if (isBroken) {
    await step('break')
    await tell(tx, house, town, row, broken, { ...told, overdueCents })
  } else if (overdueCents === 0 && row.state === 'broken') await step('mend')
  else return false
  return true
}

/** The days are the town's own, so each hour looks at those towns in which it is day. */
export function defineArrangementJob(house: House): void {
  house.jobs.define('arrangements.look', async () => void (await lookAfterArrangements(house)), {
    cron: '40 * * * *',
    retryLimit: 0,
  })
}
