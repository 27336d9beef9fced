import type { Config } from '../config.ts'
import { type SmsSettings, toE164 } from '../sms/settings.ts'

/**
 * Returns the number that the company's calls come from: its own SMS number, else the portal's. Empty if neither
 * exists.
 */
export const callerOf = ({ voice }: Pick<Config, 'voice'>, { sms_number }: Pick<SmsSettings, 'sms_number'>): string =>
  sms_number ? toE164(sms_number) : voice.from

/** True if the company can offer phone calls to its residents. */
export const offersCalls = (config: Pick<Config, 'voice'>, settings: Pick<SmsSettings, 'sms_number'>): boolean =>
  config.voice.offered && callerOf(config, settings) !== ''
