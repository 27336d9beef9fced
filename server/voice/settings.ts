import type { Config } from '../config.ts'
import { type SmsSettings, toE164 } from '../sms/settings.ts'

/** Returns the company's caller number: its own SMS number or the portal's. Empty if neither can call. */
export const callerOf = ({ voice }: Pick<Config, 'voice'>, { text_number }: Pick<SmsSettings, 'text_number'>): string =>
  text_number ? toE164(text_number) : voice.from

/** True if the company offers calls to its residents. */
export const offersCalls = (config: Pick<Config, 'voice'>, settings: Pick<SmsSettings, 'text_number'>): boolean =>
  config.voice.offered && callerOf(config, settings) !== ''
