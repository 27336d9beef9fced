import type { CompanyId, Tx } from '../../../../server/tenancy.ts'

/** The name of the provider that takes a town's new payments while its first one is out; null where it chose none. */
export const secondOf = async (tx: Tx, company: CompanyId): Promise<string | null> =>
  (
    await tx
      .selectFrom('payment_settings')
      .innerJoin('processor', 'processor.id', 'payment_settings.second_processor_id')
      .select('processor.provider')
      .where('payment_settings.company_id', '=', company)
      .executeTakeFirst()
  )?.provider ?? null
