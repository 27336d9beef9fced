import type { Company } from '../../../server/hosts.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { usualMandate } from '../rules.ts'

export interface AutopaySettings {
  /** The town has AutoPay. Without it nobody enrolls, and nobody is charged. */
  enabled: boolean
  /** How many days before a charge its payer is told. */
  noticeDays: number
  maxCents: number
  /** What residents agree to. */
  mandate: string
}

export async function autopaySettings(tx: Tx, town: Pick<Company, 'id' | 'name'>): Promise<AutopaySettings> {
  const row = await tx
    .selectFrom('payment_settings')
    .select(['autopay_enabled', 'autopay_notice_days', 'autopay_mandate', 'max_payment_cents'])
    .where('company_id', '=', town.id)
    .executeTakeFirstOrThrow()
  return {
    enabled: row.autopay_enabled === 1,
    noticeDays: row.autopay_notice_days,
    maxCents: row.max_payment_cents,
    mandate: row.autopay_mandate || usualMandate(town.name),
  }
}

/** The version of these words: the one that has them, or the next. Nothing is written here. */
export async function mandateVersion(tx: Tx, town: Pick<Company, 'id'>, text: string): Promise<number> {
  const versions = await tx
    .selectFrom('autopay_mandate')
    .select(['version', 'text'])
    .where('company_id', '=', town.id)
    .orderBy('version', 'desc')
    .execute()
  return versions.find((known) => known.text === text)?.version ?? (versions[0]?.version ?? 0) + 1
}
