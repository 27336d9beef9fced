import type { Config } from '../config.ts'
import { type SmsSettings, toE164 } from '../sms/settings.ts'

/** Returns the company's caller number: its own SMS number, else the portal's. Empty if neither exists. */
export const callerOf = ({ voice }: Pick<Config, 'voice'>, { sms_number }: Pick<SmsSettings, 'sms_number'>): string =>
  sms_number ? toE164(sms_number) : voice.from

/** True if the company offers calls to its residents. */
export const offersCalls = (config: Pick<Config, 'voice'>, settings: Pick<SmsSettings, 'sms_number'>): boolean =>
  config.voice.offered && callerOf(config, settings) !== ''
