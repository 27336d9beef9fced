import type { Company } from '../../../server/hosts.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { companyIdFrom } from '../../../server/tenancy.ts'
import { updateExceptions } from './update-exceptions.ts'
import { readPayouts } from './read-payouts.ts'

const MAX_RUN_MS = 240_000

/**
 * Defines two jobs. Every ten minutes, the first reads and matches new payouts. Once a day, the second searches each
 * company with payouts for differences.
 */
export function defineReconciliationJobs(context: AppContext): void {
  context.jobs.define('reconciliation.payouts', () => followPayouts(context), { cron: '*/10 * * * *', retryLimit: 0 })
  context.jobs.define('reconciliation.find', () => findInAll(context), { cron: '20 9 * * *', retryLimit: 0 })
}

export async function followPayouts(context: AppContext): Promise<void> {
  const end = performance.now() + MAX_RUN_MS
  const { companies } = await readPayouts(context, () => performance.now() < end)
  for (const company of companies) await reconcile(context, company)
}

async function findInAll(context: AppContext): Promise<void> {
  const companies = await context.acrossCompanies((tx) =>
    tx.selectFrom('payment_settings').select('company_id').where('reconciled_since', 'is not', null).execute(),
  )
  for (const { company_id: id } of companies) {
    const company = await context.hosts.byId(companyIdFrom('job', id))
    if (company) await reconcile(context, company)
  }
}

/** Searches one company for differences. Logs an error, so that the search continues with the next company. */
async function reconcile(context: AppContext, company: Company): Promise<void> {
  try {
    await context.inCompany(company.id, (tx) => updateExceptions(tx, context, company))
  } catch (error) {
    context.log.error({ err: error, company: company.id }, 'the reconciliation of a town will be tried again')
  }
}
