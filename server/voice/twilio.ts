import * as z from 'zod/mini'
import type { Config } from '../config.ts'
import { fetchTwilio, TwilioRefusal } from '../sms/twilio-api.ts'
import { type VoiceProvider, VoiceRefused } from './provider.ts'

/** Ring time in seconds, about five rings. */
const RINGS_SECONDS = 30

const CALL_ID = /^CA[0-9a-fA-F]{32}$/
const made = z.object({ sid: z.string().check(z.regex(CALL_ID)) })
const callRecord = z.object({
  sid: z.nullable(z.string()),
  to: z.nullable(z.string()),
  from: z.nullable(z.string()),
  date_created: z.nullable(z.string()),
})
const listed = z.object({ calls: z.array(callRecord) })
const statusResponse = z.object({
  status: z.string(),
  answered_by: z.nullish(z.string()),
  duration: z.nullish(z.string()),
})

/** Client for Twilio's Calls resource. Uses plain HTTP requests. */
export function twilioVoice(account: Config['sms']): VoiceProvider {
  const callTwilio = (resource: string, of: Parameters<typeof fetchTwilio>[2]) =>
    fetchTwilio(account, resource, of).catch((error: unknown) => {
      throw error instanceof TwilioRefusal ? new VoiceRefused(error.code) : error
    })
  return {
    name: 'twilio',
    knowsKeys: false,
    call: async ({ to, from, twiml, keysUrl, statusUrl }) => {
      const form = new URLSearchParams({ To: to, From: from, Twiml: twiml })
      form.set('Timeout', String(RINGS_SECONDS))
      form.set('StatusCallback', statusUrl)
      for (const event of ['initiated', 'ringing', 'answered', 'completed']) form.append('StatusCallbackEvent', event)
      // Detects answering machines, so that an alert is spoken only after a machine's tone. Calls with a code skip the
      // detection, because only a person at the phone needs the code.
      if (keysUrl) form.set('MachineDetection', 'DetectMessageEnd')
      return made.parse(await callTwilio('Calls.json', { form })).sid
    },
    // Does not filter by StartTime, because queued calls have no StartTime.
    find: async ({ to, from }, since) => {
      const query = new URLSearchParams({ To: to, From: from, PageSize: '50' })
      const { calls } = listed.parse(await callTwilio('Calls.json', { query }))
      return calls
        .flatMap(({ sid, to: phone, from: by, date_created }) => {
          const at = Date.parse(date_created ?? '')
          return sid !== null && phone === to && by === from && at >= since.getTime() ? [{ sid, at }] : []
        })
        .toSorted((one, other) => one.at - other.at)
        .map(({ sid }) => sid)
    },
    fetchCall: async (id) => {
      if (!CALL_ID.test(id)) return null
      try {
        const { status, answered_by, duration } = statusResponse.parse(await callTwilio(`Calls/${id}.json`, {}))
        return { id, status, answeredBy: answered_by ?? '', seconds: Number(duration ?? 0), code: '' }
      } catch (error) {
        if (error instanceof VoiceRefused && error.code === '20404') return null
        throw error
      }
    },
  }
}
