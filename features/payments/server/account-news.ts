import type { AppContext } from '../../../server/app-context.ts'
import { type CompanyId, companyIdFrom } from '../../../server/tenancy.ts'
import type { Provider } from './provider.ts'

/** Hears that something changed in how a town stands with a provider, and asks the provider what that is. */
type Listener = (context: AppContext, company: CompanyId, provider: Provider) => Promise<unknown>

let listener: Listener | null = null

/** Says who follows how towns stand with their providers: payments only take the news in. */
export function followAccounts(follow: Listener): void {
  listener = follow
}

/** An account that no town has is nobody's news, such as one that was made by hand. @throws what the listener throws */
export async function tellOfAccount(context: AppContext, provider: Provider, account: string): Promise<void> {
  const town = await context.acrossCompanies((tx) =>
    tx
      .selectFrom('provider_account')
      .select('company_id')
      .where('provider', '=', provider.name)
      .where('account', '=', account)
      .executeTakeFirst(),
  )
  if (town) await listener?.(context, companyIdFrom('provider-event', town.company_id), provider)
}
