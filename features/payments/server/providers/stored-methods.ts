import { type Selectable, sql } from 'kysely'
import type { Schema } from '../../../../server/db/schema.ts'
import { conflict } from '../../../../server/errors.ts'
import type { CompanyId, Tx } from '../../../../server/tenancy.ts'
import { say } from '../../../../shared/messages.ts'

export type StoredMethodRow = Selectable<Schema['stored_method']> & {
  /** True if the method belongs to a provider that the company no longer uses. Such a method cannot pay. */
  elsewhere: boolean
}

/** SQL condition that is true if `stored_method` belongs to a provider other than the company's current one. */
export const isElsewhere = sql<boolean>`stored_method.provider <> (SELECT p.provider FROM payment_settings s
  JOIN processor p ON p.id = s.processor_id WHERE s.company_id = stored_method.company_id)`

/** Builds a query for the saved cards and bank accounts of a person. */
export const storedMethodsOf = (tx: Tx, company: CompanyId, person: number) =>
  tx
    .selectFrom('stored_method')
    .selectAll()
    .select(isElsewhere.as('elsewhere'))
    .where('company_id', '=', company)
    .where('person_id', '=', person)
    .where('removed_at', 'is', null)

/**
 * True if the method does not belong to `provider`, which charges the payment. The default is the company's current
 * provider.
 */
const isElsewhereThan = (row: StoredMethodRow, provider?: string): boolean =>
  provider === undefined ? row.elsewhere : row.provider !== provider

export const isExpired = ({ expires_on }: Pick<StoredMethodRow, 'expires_on'>, today: string): boolean =>
  expires_on !== null && expires_on < today

/**
 * Lists a person's saved payment methods for display, the default method first. During an outage, `provider` is the
 * second provider, which then takes payments.
 */
export async function storedMethodViews(tx: Tx, company: CompanyId, person: number, today: string, provider?: string) {
  const rows = await storedMethodsOf(tx, company, person).orderBy('is_default', 'desc').orderBy('id').execute()
  return rows.map((row) => ({
    id: row.id,
    method: row.method as 1 | 2,
    methodLabel: row.method_label,
    bankName: row.bank_name,
    expiresOn: row.expires_on,
    /** True if the method can pay. */
    isGood: row.unusable === '' && !isElsewhereThan(row, provider) && !isExpired(row, today),
  }))
}

/**
 * Locks a saved payment method, so that no one can remove it before the payment starts.
 * @throws 409 if the method is missing, not chargeable, or not the person's own
 */
export async function lockStoredMethod(
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
  const row = await storedMethodsOf(tx, company, person).where('id', '=', id).forShare().executeTakeFirst()
  if (!row || row.method !== method)
    throw conflict(
      'method_gone',
      'This card or bank account is no longer saved. Nothing was charged. Choose another one.',
    )
  if (!row.elsewhere && isElsewhereThan(row, provider))
    throw conflict(
      'method_elsewhere',
      say`${row.method_label} cannot be charged while another payment provider is in use. Nothing was charged. Enter a card or bank account.`,
    )
  if (isElsewhereThan(row, provider))
    throw conflict(
      'method_elsewhere',
      say`${row.method_label} is stored with a payment provider that we no longer use. Nothing was charged. Add it again.`,
    )
  if (row.unusable !== '' || isExpired(row, today))
    throw conflict(
      'method_gone',
      say`${row.method_label} can no longer be charged. Nothing was charged. Choose another one.`,
    )
  return row
}
