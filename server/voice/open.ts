import type { Phones } from '../sms/sandbox-phones.ts'
import type { VoiceProvider } from './provider.ts'
import { voiceSandbox } from './sandbox.ts'
import { twilioVoice } from './twilio.ts'

/** The provider of calls that the configuration names: the one that carries texts. */
export const openVoice = (parts: Phones): VoiceProvider =>
  parts.config.sms.provider === 'twilio' ? twilioVoice(parts.config.sms) : voiceSandbox(parts)
