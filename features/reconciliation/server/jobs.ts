import type { Company } from '../../../server/hosts.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { companyIdFrom } from '../../../server/tenancy.ts'
import { findExceptions } from './find-exceptions.ts'
import { readPayouts } from './read-payouts.ts'

const MAX_RUN_MS = 240_000

/** Every ten minutes new payouts are read, and looked at in their towns; once a day every town that has some is looked through. */
export function defineReconciliationJobs(context: AppContext): void {
  context.jobs.define('reconciliation.payouts', () => followPayouts(context), { cron: '*/10 * * * *', retryLimit: 0 })
  context.jobs.define('reconciliation.look', () => lookThroughAll(context), { cron: '20 9 * * *', retryLimit: 0 })
}

export async function followPayouts(context: AppContext): Promise<void> {
  const end = performance.now() + MAX_RUN_MS
  const { towns } = await readPayouts(context, () => performance.now() < end)
  for (const town of towns) await look(context, town)
}

async function lookThroughAll(context: AppContext): Promise<void> {
  const towns = await context.acrossCompanies((tx) =>
    tx.selectFrom('payment_settings').select('company_id').where('reconciled_since', 'is not', null).execute(),
  )
  for (const { company_id: id } of towns) {
    const town = await context.hosts.byId(companyIdFrom('job', id))
    if (town) await look(context, town)
  }
}

/** What fails in one town keeps nobody else waiting. */
async function look(context: AppContext, town: Company): Promise<void> {
  try {
    await context.inCompany(town.id, (tx) => findExceptions(tx, context, town))
  } catch (error) {
    context.log.error({ err: error, company: town.id }, 'the reconciliation of a town will be tried again')
  }
}
