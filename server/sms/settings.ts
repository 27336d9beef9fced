import { gsmOf } from '../../shared/gsm.ts'
import { nationalDigits } from '../../shared/phone.ts'
import type { Config } from '../config.ts'
import type { Company } from '../hosts.ts'
import type { Tx } from '../tenancy.ts'

/** Default settings of a company: all kinds of text messages are enabled, and quiet hours are at night. */
export const usualSmsSettings = {
  payments: 1,
  conversations: 1,
  quiet_from: '21:00',
  quiet_to: '08:00',
  sms_name: '',
  sms_number: '',
} as const

export async function readSmsSettings(tx: Tx, company: number) {
  const row = await tx
    .selectFrom('sms_settings')
    .select(['payments', 'conversations', 'quiet_from', 'quiet_to', 'sms_name', 'sms_number'])
    .where('company_id', '=', company)
    .executeTakeFirst()
  return row ?? usualSmsSettings
}
export type SmsSettings = Awaited<ReturnType<typeof readSmsSettings>>

/** Returns the company name that starts each text message, so that recipients know the sender. */
export const textName = (company: Pick<Company, 'name'>, { sms_name }: Pick<SmsSettings, 'sms_name'>): string =>
  gsmOf(sms_name || company.name).slice(0, 40)

/** Returns the number or messaging service that sends a company's text messages. */
export const senderOf = ({ sms }: Pick<Config, 'sms'>, { sms_number }: Pick<SmsSettings, 'sms_number'>): string =>
  sms_number ? toE164(sms_number) : sms.from

export const toE164 = (phone: string): string => `+1${nationalDigits(phone)}`
