import { type RawBuilder, sql } from 'kysely'
import type { CompanyId } from '../../../server/tenancy.ts'

/** What people call a provider. What a town paid before it came here is under `sandbox-history` in the demo: its provider's too. */
export const providerName = (provider: RawBuilder<unknown>) => sql<string>`
  coalesce((SELECT c.name FROM processor c WHERE c.provider = split_part(${provider}, '-', 1)), ${provider})`

/** Whether a town was paid through more than one provider, so that it has to be said which. */
export const hasSeveralProviders = (company: CompanyId | RawBuilder<unknown>) => sql<boolean>`
  (SELECT count(*) > 1 FROM provider_account a WHERE a.company_id = ${company})`
