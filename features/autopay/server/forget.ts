import type { House } from '../../../server/house.ts'
import { companyIdFrom } from '../../../server/tenancy.ts'
import { providerOf } from '../../payments/server/providers.ts'
import { settingsOf, throughOf } from '../../payments/server/settings.ts'
import { FORGET } from './methods.ts'

/** Has the provider forget what was removed. It is tried until it answers, and forgetting twice changes nothing. */
export function defineForgetting(house: House): void {
  house.jobs.define<{ company: number; id: number }>(FORGET, async ({ company, id }) => {
    const town = await house.hosts.byId(companyIdFrom('job', company))
    if (!town) return
    const { method, settings } = await house.inCompany(town.id, async (tx) => ({
      method: await tx
        .selectFrom('stored_method')
        .select('provider_method')
        .where('company_id', '=', town.id)
        .where('id', '=', id)
        .where('removed_at', 'is not', null)
        .executeTakeFirst(),
      settings: await settingsOf(tx, town.id),
    }))
    if (!method) return
    const { account } = await throughOf(house, town, settings)
    await providerOf(house.config).stored.remove(account, method.provider_method, `${town.guid}/forget/${id}`)
  })
}
