import type { Company } from '../../../server/hosts.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { defaultMandate } from '../rules.ts'

export interface AutopaySettings {
  /** True if the company offers AutoPay. If false, no one can enroll, and AutoPay charges no one. */
  enabled: boolean
  noticeDays: number
  maxCents: number
  /** Authorization text for residents. */
  mandate: string
}

export async function autopaySettings(tx: Tx, company: Pick<Company, 'id' | 'name'>): Promise<AutopaySettings> {
  const row = await tx
    .selectFrom('payment_settings')
    .select(['autopay_enabled', 'autopay_notice_days', 'autopay_mandate', 'max_payment_cents'])
    .where('company_id', '=', company.id)
    .executeTakeFirstOrThrow()
  return {
    enabled: row.autopay_enabled === 1,
    noticeDays: row.autopay_notice_days,
    maxCents: row.max_payment_cents,
    mandate: row.autopay_mandate || defaultMandate(company.name),
  }
}

/** Returns the version of a stored text, or the next version for a new text. Does not save the text. */
export async function mandateVersion(tx: Tx, company: Pick<Company, 'id'>, text: string): Promise<number> {
  const versions = await tx
    .selectFrom('autopay_mandate')
    .select(['version', 'text'])
    .where('company_id', '=', company.id)
    .orderBy('version', 'desc')
    .execute()
  return versions.find((stored) => stored.text === text)?.version ?? (versions[0]?.version ?? 0) + 1
}
