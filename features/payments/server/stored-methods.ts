import { type Selectable, sql } from 'kysely'
import type { Schema } from '../../../server/db/schema.ts'
import { conflict } from '../../../server/errors.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { say } from '../../../shared/words.ts'

export type StoredMethodRow = Selectable<Schema['stored_method']> & {
  /** It is with a provider that the town does not use any more, and so can't pay. */
  elsewhere: boolean
}

/** Whether the provider that keeps `stored_method` is another one than its town uses now. */
export const isElsewhere = sql<boolean>`stored_method.provider <> (SELECT p.provider FROM payment_settings s
  JOIN processor p ON p.id = s.processor_id WHERE s.company_id = stored_method.company_id)`

/** The cards and bank accounts that the provider keeps for a person. */
export const keptOf = (tx: Tx, company: CompanyId, person: number) =>
  tx
    .selectFrom('stored_method')
    .selectAll()
    .select(isElsewhere.as('elsewhere'))
    .where('company_id', '=', company)
    .where('person_id', '=', person)
    .where('removed_at', 'is', null)

/** Whether another provider keeps it than the one through which it is paid: unless said, the one that the town uses. */
const isElsewhereThan = (row: StoredMethodRow, provider?: string): boolean =>
  provider === undefined ? row.elsewhere : row.provider !== provider

export const isExpired = ({ expires_on }: Pick<StoredMethodRow, 'expires_on'>, today: string): boolean =>
  expires_on !== null && expires_on < today

/**
 * What their owner knows them by, those that are offered first before the others. `provider`: through which it is paid now, where
 * that is the second one.
 */
export async function showKept(tx: Tx, company: CompanyId, person: number, today: string, provider?: string) {
  const rows = await keptOf(tx, company, person).orderBy('is_default', 'desc').orderBy('id').execute()
  return rows.map((row) => ({
    id: row.id,
    method: row.method as 1 | 2,
    means: row.means,
    bankName: row.bank_name,
    expiresOn: row.expires_on,
    /** Whether it can pay. */
    isGood: row.unusable === '' && !isElsewhereThan(row, provider) && !isExpired(row, today),
  }))
}

/**
 * A method that its owner pays by now. Its row is locked, so that it can't be removed before the
 * payment has begun.
 * @throws 409 where it is somebody else's, was removed, or can't be charged
 */
export async function lockKept(
  tx: Tx,
  company: CompanyId,
  {
    person,
    id,
    method,
    today,
    provider,
  }: { person: number; id: number; method: number; today: string; provider?: string },
): Promise<StoredMethodRow> {
  const row = await keptOf(tx, company, person).where('id', '=', id).forShare().executeTakeFirst()
  if (!row || row.method !== method)
    throw conflict(
      'method_gone',
      'This card or bank account is not kept any more. Nothing was charged. Choose another one.',
    )
  if (!row.elsewhere && isElsewhereThan(row, provider))
    throw conflict(
      'method_elsewhere',
      say`${row.means} can not be charged while another payment service stands in. Nothing was charged. Enter a card or bank account.`,
    )
  if (isElsewhereThan(row, provider))
    throw conflict(
      'method_elsewhere',
      say`${row.means} is kept by a payment service that is not used here any more. Nothing was charged. Add it again.`,
    )
  if (row.unusable !== '' || isExpired(row, today))
    throw conflict(
      'method_gone',
      say`${row.means} can not be charged any more. Nothing was charged. Choose another one.`,
    )
  return row
}
