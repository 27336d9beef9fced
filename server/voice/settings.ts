import type { Config } from '../config.ts'
import { type SmsSettings, toE164 } from '../sms/settings.ts'

/** The number that a town's calls come from: its own for texts, or the portal's; empty where there is none that can call. */
export const callerOf = ({ voice }: Pick<Config, 'voice'>, { text_number }: Pick<SmsSettings, 'text_number'>): string =>
  text_number ? toE164(text_number) : voice.from

/** Whether a town's residents are offered calls. */
export const offersCalls = (config: Pick<Config, 'voice'>, settings: Pick<SmsSettings, 'text_number'>): boolean =>
  config.voice.offered && callerOf(config, settings) !== ''
