import { type RawBuilder, sql } from 'kysely'
import type { CompanyId } from '../../../server/tenancy.ts'

/** What people call a provider. What a town paid before it came here is under `sandbox-history` in the demo: its provider's too. */
export const providerName = (provider: RawBuilder<unknown>) => sql<string>`
  coalesce((SELECT c.name FROM processor c WHERE c.provider = split_part(${provider}, '-', 1)), ${provider})`

/** Whether a town has payouts of more than one provider, so that it has to be said whose one is: the two ends of an index. */
export const hasSeveralProviders = (company: CompanyId | RawBuilder<unknown>) => sql<boolean>`
  (SELECT coalesce(split_part(min(s.provider), '-', 1) <> split_part(max(s.provider), '-', 1), false) FROM payout s WHERE s.company_id = ${company})`
