import type { Selectable } from 'kysely'
import { rowFinderById } from '../../../server/db/rows.ts'
import type { Schema } from '../../../server/db/schema.ts'
import { notFound } from '../../../server/errors.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { type OnboardingInput, type ProviderName, providers } from '../rules.ts'

export type Onboarding = Selectable<Schema['provider_onboarding']>

export const { find: findOnboarding, lock: lockOnboarding } = rowFinderById('provider_onboarding', () =>
  notFound('This onboarding was not found.'),
)

/** Returns the display name of a provider. */
export const providerName = (provider: string): string => providers[provider as ProviderName] ?? provider

/** Returns the company's account with the provider of an onboarding. Null if the company has no account yet. */
export const accountOf = async (
  tx: Tx,
  { company_id, provider }: Pick<Onboarding, 'company_id' | 'provider'>,
): Promise<string | null> =>
  (
    await tx
      .selectFrom('provider_account')
      .select('account')
      .where('company_id', '=', company_id)
      .where('provider', '=', provider)
      .executeTakeFirst()
  )?.account ?? null

/** Loads the data that determines the state of an onboarding. */
export async function loadOnboardingInput(tx: Tx, row: Onboarding): Promise<OnboardingInput> {
  const documents = await tx
    .selectFrom('onboarding_document')
    .select(['kind', 'status'])
    .where('company_id', '=', row.company_id)
    .where('onboarding_id', '=', row.id)
    .where('status', '<>', 'replaced')
    .execute()
  const hasStarted = row.provider_state !== '' || documents.length > 0 || (await accountOf(tx, row)) !== null
  return {
    provider: row.provider,
    hasStarted,
    providerState: row.provider_state,
    missing: row.missing,
    why: row.why,
    documents,
  }
}
