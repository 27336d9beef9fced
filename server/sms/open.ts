import type { SmsProvider } from './provider.ts'
import { sandbox } from './sandbox.ts'
import { twilio } from './twilio.ts'

export const openSms = (parts: Parameters<typeof sandbox>[0]): SmsProvider =>
  parts.config.sms.provider === 'twilio' ? twilio(parts.config.sms) : sandbox(parts)
