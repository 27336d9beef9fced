import type { Phones } from '../sms/sandbox-phones.ts'
import type { VoiceProvider } from './provider.ts'
import { voiceSandbox } from './sandbox.ts'
import { twilioVoice } from './twilio.ts'

/** Opens the configured voice provider, which is also the SMS provider. */
export const openVoice = (parts: Phones): VoiceProvider =>
  parts.config.sms.provider === 'twilio' ? twilioVoice(parts.config.sms) : voiceSandbox(parts)
