import { type RawBuilder, sql } from 'kysely'
import type { CompanyId } from '../../../server/tenancy.ts'

/**
 * SQL for the name of a provider. Demo payments from before the demo started have provider names such as
 * `sandbox-history`.
 */
export const providerName = (provider: RawBuilder<unknown>) => sql<string>`
  coalesce((SELECT c.name || CASE WHEN ${provider} LIKE '%-history' THEN ' (history)' ELSE '' END
    FROM processor c WHERE c.provider = split_part(${provider}, '-', 1)), ${provider})`

/**
 * SQL condition that is true if a company has payouts of several providers. Lists must then name the provider. The
 * query is fast, because it reads only both ends of an index.
 */
export const hasSeveralProviders = (company: CompanyId | RawBuilder<unknown>) => sql<boolean>`
  (SELECT coalesce(min(s.provider) <> max(s.provider), false) FROM payout s WHERE s.company_id = ${company})`
