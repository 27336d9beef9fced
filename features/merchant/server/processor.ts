import type { CompanyId, Tx } from '../../../server/tenancy.ts'

/** Returns the id and name of a company's card payment processor. */
export const processorOf = (tx: Tx, company: CompanyId): Promise<{ id: number; name: string }> =>
  tx
    .selectFrom('payment_settings as s')
    .innerJoin('processor as p', 'p.id', 's.processor_id')
    .select(['p.id', 'p.name'])
    .where('s.company_id', '=', company)
    .executeTakeFirstOrThrow()
