import type { CompanyId, Tx } from '../../../../server/tenancy.ts'

/**
 * Name of the provider that takes a company's new payments during an outage of the first one. Null if the company chose
 * none.
 */
export const secondOf = async (tx: Tx, company: CompanyId): Promise<string | null> =>
  (
    await tx
      .selectFrom('payment_settings')
      .innerJoin('processor', 'processor.id', 'payment_settings.second_processor_id')
      .select('processor.provider')
      .where('payment_settings.company_id', '=', company)
      .executeTakeFirst()
  )?.provider ?? null
