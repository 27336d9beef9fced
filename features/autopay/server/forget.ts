import type { AppContext } from '../../../server/app-context.ts'
import { companyIdFrom } from '../../../server/tenancy.ts'
import { findProvider } from '../../payments/server/providers.ts'
import { accountWith } from '../../payments/server/settings.ts'
import { FORGET } from './methods.ts'

/** Has the provider forget what was removed. It is tried until it answers, and forgetting twice changes nothing. */
export function defineForgetting(context: AppContext): void {
  context.jobs.define<{ company: number; id: number }>(FORGET, async ({ company, id }) => {
    const town = await context.hosts.byId(companyIdFrom('job', company))
    if (!town) return
    const method = await context.inCompany(town.id, async (tx) => {
      const row = await tx
        .selectFrom('stored_method')
        .select(['provider', 'provider_method'])
        .where('company_id', '=', town.id)
        .where('id', '=', id)
        .where('removed_at', 'is not', null)
        .executeTakeFirst()
      return row && { ...row, account: await accountWith(tx, town.id, row.provider) }
    })
    // A provider that this portal has left can't be asked any more, and can't charge anybody for us either.
    const provider = method && findProvider(context.config, method.provider)
    if (provider) await provider.stored.remove(method.account, method.provider_method, `${town.guid}/forget/${id}`)
  })
}
