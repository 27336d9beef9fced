import type { AppContext } from '../../../../server/app-context.ts'
import { type CompanyId, companyIdFrom } from '../../../../server/tenancy.ts'
import type { Provider } from './provider.ts'

/** Listener for changes of a company's provider account. It fetches the new status from the provider. */
type Listener = (context: AppContext, company: CompanyId, provider: Provider) => Promise<unknown>

let listener: Listener | null = null

/** Registers the listener for account changes. The payments feature itself does nothing with these changes. */
export function followAccounts(follow: Listener): void {
  listener = follow
}

/**
 * Notifies the listener of an account change. Ignores accounts without a company.
 * @throws the errors of the listener
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
