import type { AppContext } from '../../../../server/app-context.ts'
import { type CompanyId, companyIdFrom } from '../../../../server/tenancy.ts'
import type { Provider } from './provider.ts'

/** Called when a company's provider account changed. It fetches the new status from the provider. */
type Listener = (context: AppContext, company: CompanyId, provider: Provider) => Promise<unknown>

let listener: Listener | null = null

/** Registers the listener for account changes. The payments feature only receives the events. */
export function followAccounts(follow: Listener): void {
  listener = follow
}

/**
 * Notifies the listener of an account change. Accounts without a company, such as manual ones, are ignored. @throws
 * errors of the listener
 */
export async function notifyAccountChange(context: AppContext, provider: Provider, account: string): Promise<void> {
  const companyRow = await context.acrossCompanies((tx) =>
    tx
      .selectFrom('provider_account')
      .select('company_id')
      .where('provider', '=', provider.name)
      .where('account', '=', account)
      .executeTakeFirst(),
  )
  if (companyRow) await listener?.(context, companyIdFrom('provider-event', companyRow.company_id), provider)
}
