import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { settingsFrom, providerColumns } from '../../payments/api.ts'

/** Loads the company's settings for Pay by Phone. */
export async function phoneSettings(tx: Tx, company: CompanyId) {
  const row = await tx
    .selectFrom('payment_settings as s')
    .innerJoin('company as c', 'c.id', 's.company_id')
    .selectAll('s')
    .select('c.pay_by_phone_number')
    .select(providerColumns)
    .where('s.company_id', '=', company)
    .executeTakeFirstOrThrow()
  return {
    enabled: row.has_pay_by_phone === 1,
    /** Ten digits. */
    number: row.pay_by_phone_number,
    /** True if callers must enter a PIN. Otherwise the caller's phone number identifies the caller. */
    needsPin: row.ivr_user_pin_enabled === 1,
    settings: settingsFrom(row),
  }
}
