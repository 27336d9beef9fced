import { reviewByDay } from '../../../server/by-day.ts'
import type { AppContext } from '../../../server/app-context.ts'
import type { Company } from '../../../server/hosts.ts'
import { transition } from '../../../server/states.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { dateIn } from '../../../shared/dates.ts'
import { isBlocked } from '../../outages/api.ts'
import { payableOf } from '../../payments/api.ts'
import { arrangementStateStore } from './arrangement-states.ts'
import { bySystem, findOne, statusOn } from './arrangements.ts'

/** Hours for notifications, in the company's time zone. The portal sends no notifications at night. */
const DAY = { from: '06:00', to: '21:00' }

/**
 * Completes, defaults or reinstates each open arrangement, based on its payments and the company's current day. Each
 * update runs in a separate transaction that locks the open item. The job can run again at any time.
 */
export async function reviewArrangements(context: AppContext): Promise<number> {
  const open = await context.acrossCompanies((tx) =>
    tx
      .selectFrom('arrangement')
      .select(['company_id', 'id'])
      .where('state', 'in', ['active', 'defaulted'])
      .orderBy('company_id')
      .orderBy('id')
      .execute(),
  )
  return reviewByDay(context, open, DAY, checkArrangement)
}

async function checkArrangement(tx: Tx, context: AppContext, company: Company, id: number): Promise<boolean> {
  const unlocked = await findOne(tx, company.id, id)
  await payableOf(unlocked.kind).lock(tx, company.id, unlocked.payable_id, context.clock.now())
  const row = await findOne(tx, company.id, id, { lock: true })
  // Another process or a person has already changed the arrangement.
  if (row.state !== 'active' && row.state !== 'defaulted') return false
  const today = dateIn(company.timeZone, context.clock.now())
  const { remainingCents, overdueCents, defaulted: isLate } = statusOn(row, today)
  // A payer who tried to pay during an outage is not in default.
  const isDefaulted =
    isLate && row.state === 'active' && !(await isBlocked(tx, company.id, row.kind, row.payable_id, today))
  const step = (event: 'complete' | 'default' | 'reinstate') =>
    transition(tx, arrangementStateStore, {
      scope: company.id,
      id,
      event,
      actor: bySystem(context.clock),
      deps: { context, company, overdueCents },
    })
  if (remainingCents === 0) await step('complete')
  else if (isDefaulted) await step('default')
  else if (overdueCents === 0 && row.state === 'defaulted') await step('reinstate')
  else return false
  return true
}

/**
 * Defines the hourly job. Each run covers only the companies with daytime hours, because days depend on the time zone.
 */
export function defineArrangementJob(context: AppContext): void {
  context.jobs.define('arrangements.review', async () => void (await reviewArrangements(context)), {
    cron: '40 * * * *',
    retryLimit: 0,
  })
}
