import type { AppContext } from '../../../server/app-context.ts'
import { companyIdFrom } from '../../../server/tenancy.ts'
import { findProvider, accountWith } from '../../payments/api.ts'
import { DELETE_METHOD } from './methods.ts'

/**
 * Defines the job that deletes removed methods at the provider. The job retries until the provider responds. A repeated
 * deletion changes nothing.
 */
export function defineMethodDeletion(context: AppContext): void {
  context.jobs.define<{ company: number; id: number }>(DELETE_METHOD, async ({ company, id }) => {
    const companyRecord = await context.hosts.byId(companyIdFrom('job', company))
    if (!companyRecord) return
    const method = await context.inCompany(companyRecord.id, async (tx) => {
      const row = await tx
        .selectFrom('stored_method')
        .select(['provider', 'provider_method'])
        .where('company_id', '=', companyRecord.id)
        .where('id', '=', id)
        .where('removed_at', 'is not', null)
        .executeTakeFirst()
      return row && { ...row, account: await accountWith(tx, companyRecord.id, row.provider) }
    })
    // The portal can't reach a provider that it no longer uses. That provider also can't charge anyone for the portal.
    const provider = method && findProvider(context.config, method.provider)
    if (provider)
      await provider.stored.remove(method.account, method.provider_method, `${companyRecord.guid}/forget/${id}`)
  })
}
