import * as z from 'zod/mini'
import type { Config } from '../config.ts'
import { type SmsProvider, SmsRefused } from './provider.ts'
import { fetchTwilio, TwilioRefusal } from './twilio-api.ts'

const sent = z.object({ sid: z.string().check(z.regex(/^(SM|MM)[0-9a-fA-F]{32}$/)) })
const listed = z.object({
  messages: z.array(
    z.object({
      sid: z.nullable(z.string()),
      to: z.nullable(z.string()),
      body: z.nullable(z.string()),
      date_created: z.nullable(z.string()),
    }),
  ),
})

/** Creates the client of Twilio's Messages resource. It uses plain HTTP calls. */
export function twilio(account: Config['sms']): Required<SmsProvider> {
  const callTwilio = (of: Parameters<typeof fetchTwilio>[2]) =>
    fetchTwilio(account, 'Messages.json', of).catch((error: unknown) => {
      throw error instanceof TwilioRefusal ? new SmsRefused(error.code) : error
    })
  return {
    name: 'twilio',
    repliesToKeywords: true,
    atOnce: 20,
    send: async ({ to, from, body, statusUrl }) => {
      const form = new URLSearchParams({ To: to, Body: body, StatusCallback: statusUrl })
      form.set(from.startsWith('MG') ? 'MessagingServiceSid' : 'From', from)
      return sent.parse(await callTwilio({ form })).sid
    },
    find: async ({ to, body }, since) => {
      const response = listed.parse(await callTwilio({ query: new URLSearchParams({ To: to, PageSize: '50' }) }))
      return response.messages
        .flatMap(({ sid, body: messageBody, to: phone, date_created }) => {
          const at = Date.parse(date_created ?? '')
          return sid !== null && messageBody === body && phone === to && at >= since.getTime() ? [{ sid, at }] : []
        })
        .toSorted((one, other) => one.at - other.at)
        .map(({ sid }) => sid)
    },
  }
}
