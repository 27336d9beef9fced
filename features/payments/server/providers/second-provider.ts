import type { CompanyId, Tx } from '../../../../server/tenancy.ts'

/**
 * Returns the name of the provider that takes a company's new payments during an outage of the first provider. Null if
 * the company chose none.
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

/** Saves the processor that takes new payments during an outage of the first processor. */
export const chooseSecond = (tx: Tx, company: CompanyId, processor: number | null): Promise<unknown> =>
  tx.updateTable('payment_settings').set({ second_processor_id: processor }).where('company_id', '=', company).execute()
