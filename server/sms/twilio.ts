import * as z from 'zod/mini'
import type { Config } from '../config.ts'
import { type SmsProvider, SmsRefused, UNREACHED } from './provider.ts'

const ANSWERS_WITHIN_MS = 15_000

const sent = z.object({ sid: z.string().check(z.regex(/^(SM|MM)[0-9a-fA-F]{32}$/)) })
const refused = z.object({ code: z.optional(z.number()) })
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

/** Before there was a connection nothing can have got there. */
const wasNoConnection = (error: unknown): boolean => {
  const { code } = ((error as Error).cause ?? {}) as { code?: string }
  return ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'UND_ERR_CONNECT_TIMEOUT'].includes(code ?? '')
}

/** Twilio's Messages, by plain calls. */
export function twilio({ accountSid, authToken, apiUrl }: Config['sms']): Required<SmsProvider> {
  const messages = `${apiUrl}/2010-04-01/Accounts/${accountSid}/Messages.json`
  const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`

  async function ask(url: string, init: RequestInit): Promise<unknown> {
    const answer = await fetch(url, {
      ...init,
      headers: { authorization, accept: 'application/json' },
      signal: AbortSignal.timeout(ANSWERS_WITHIN_MS),
      redirect: 'error',
    }).catch((error: unknown) => {
      throw wasNoConnection(error) ? new SmsRefused(UNREACHED) : error
    })
    if (answer.ok) return answer.json()
    if (answer.status === 429) throw new SmsRefused('429')
    const said = refused.safeParse(await answer.json().catch(() => null))
    if (answer.status >= 400 && answer.status < 500) throw new SmsRefused(String(said.data?.code ?? answer.status))
    throw new Error(`Twilio answered ${answer.status}`)
  }

  return {
    name: 'twilio',
    answersKeywords: true,
    atOnce: 20,
    send: async ({ to, from, body, statusUrl }) => {
      const form = new URLSearchParams({ To: to, Body: body, StatusCallback: statusUrl })
      form.set(from.startsWith('MG') ? 'MessagingServiceSid' : 'From', from)
      return sent.parse(await ask(messages, { method: 'POST', body: form })).sid
    },
    find: async ({ to, body }, since) => {
      const found = listed.parse(
        await ask(`${messages}?${new URLSearchParams({ To: to, PageSize: '50' })}`, { method: 'GET' }),
      )
      return found.messages
        .flatMap(({ sid, body: said, to: phone, date_created }) => {
          const at = Date.parse(date_created ?? '')
          return sid !== null && said === body && phone === to && at >= since.getTime() ? [{ sid, at }] : []
        })
        .toSorted((one, other) => one.at - other.at)
        .map(({ sid }) => sid)
    },
  }
}
