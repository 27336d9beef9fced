import { reviewByDay } from '../../../server/by-day.ts'
import type { AppContext } from '../../../server/app-context.ts'
import type { Company } from '../../../server/hosts.ts'
import { transition } from '../../../server/states.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { whereOn } from '../../../server/modules.ts'
import { addDays, dateIn } from '../../../shared/dates.ts'
import { dueOn, REMINDERS } from '../rules.ts'
import { confirmDue } from './emails.ts'
import { bySystem, findRegistration, registrationStateStore, noticeDataOf, notifyOwner } from './registrations.ts'

/** Hours in which the portal sends these emails, in the company's time zone. */
const DAY = { from: '08:00', to: '20:00' }

/**
 * Requests confirmations that are due, sends reminders, and marks unconfirmed registrations as lapsed. Deadlines follow
 * the company's day. Each registration is locked in its own transaction, so that the job can run again at any time.
 */
export async function reviewRegistrations(context: AppContext): Promise<number> {
  const soon = addDays(dateIn('UTC', context.clock.now()), REMINDERS[0] + 1)
  const rows = await context.acrossCompanies((tx) =>
    tx
      .selectFrom('registration')
      .select(['company_id', 'id'])
      .where('status', 'in', ['registered', 'due'])
      .where('confirm_by', '<=', soon)
      .where(whereOn('registration'))
      .orderBy('company_id')
      .orderBy('id')
      .execute(),
  )
  return reviewByDay(context, rows, DAY, checkConfirmation)
}

async function checkConfirmation(tx: Tx, context: AppContext, company: Company, id: number): Promise<boolean> {
  const row = await findRegistration(tx, company.id, id, { lock: true })
  // Stops if the registration was confirmed, ended or handled by another portal process after the query.
  if (row.confirm_by === null || (row.status !== 'registered' && row.status !== 'due')) return false
  const due = dueOn(row.confirm_by, dateIn(company.timeZone, context.clock.now()))
  const step = (event: 'fall_due' | 'lapse', reminded: number) =>
    transition(tx, registrationStateStore, {
      scope: company.id,
      id,
      event,
      actor: bySystem(context.clock),
      patch: { reminded },
      deps: { context, company },
    })
  if (due.lapsed) {
    if (row.status === 'registered') await step('fall_due', due.reminders)
    await step('lapse', due.reminders)
    return true
  }
  if (due.reminders <= row.reminded) return false
  if (row.status === 'registered') await step('fall_due', due.reminders)
  else
    await tx
      .updateTable('registration')
      .set({ reminded: due.reminders })
      .where('company_id', '=', company.id)
      .where('id', '=', id)
      .execute()
  await notifyOwner(tx, { context, company }, row, confirmDue, {
    ...noticeDataOf(row),
    confirmBy: row.confirm_by,
  })
  return true
}

/**
 * Defines the hourly job. It handles each company during the company's daytime, because deadlines follow the company's
 * day.
 */
export function defineRegistrationJob(context: AppContext): void {
  context.jobs.define('registrations.review', async () => void (await reviewRegistrations(context)), {
    cron: '25 * * * *',
    retryLimit: 0,
  })
}
