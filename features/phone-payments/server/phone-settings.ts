import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { settingsFrom, withProvider } from '../../payments/server/settings.ts'

/** How a town takes payments by phone. */
export async function phoneSettings(tx: Tx, company: CompanyId) {
  const row = await tx
    .selectFrom('payment_settings as s')
    .innerJoin('company as c', 'c.id', 's.company_id')
    .selectAll('s')
    .select('c.pay_by_phone_number')
    .select(withProvider)
    .where('s.company_id', '=', company)
    .executeTakeFirstOrThrow()
  return {
    enabled: row.has_pay_by_phone === 1,
    /** Ten digits. */
    number: row.pay_by_phone_number,
    /** Else callers are known by the phone that they call from. */
    asksPin: row.ivr_user_pin_enabled === 1,
    settings: settingsFrom(row),
  }
}
