import * as z from 'zod/mini'
import type { Config } from '../config.ts'
import { UNREACHED } from './provider.ts'

const TIMEOUT_MS = 15_000

const refused = z.object({ code: z.optional(z.number()) })
/** Error codes of a failed connection. With these codes, the request never reached Twilio. */
const NEVER_SENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'UND_ERR_CONNECT_TIMEOUT']

/**
 * Error of a request that Twilio refused, with Twilio's code. 429 means that the portal may try again later. UNREACHED
 * means that the request never reached Twilio.
 */
export class TwilioRefusal extends Error {
  readonly code: string

  constructor(code: string) {
    super(`Twilio refused: ${code}`)
    this.code = code
  }
}

type Account = Pick<Config['sms'], 'accountSid' | 'authToken' | 'apiUrl'>

/**
 * Calls Twilio's API for a resource of the account, such as `Messages.json`. With a form, creates the resource.
 * @throws TwilioRefusal if Twilio refuses. After any other error, the result is unknown
 */
export async function fetchTwilio(
  { accountSid, authToken, apiUrl }: Account,
  resource: string,
  { query, form }: { query?: URLSearchParams; form?: URLSearchParams },
): Promise<unknown> {
  const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`
  const search = query ? `?${query}` : ''
  let response: Response
  try {
    response = await fetch(`${apiUrl}/2010-04-01/Accounts/${accountSid}/${resource}${search}`, {
      ...(form ? { method: 'POST', body: form } : { method: 'GET' }),
      headers: { authorization, accept: 'application/json' },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: 'error',
    })
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as { code?: string }
    throw NEVER_SENT.includes(code ?? '') ? new TwilioRefusal(UNREACHED) : error
  }
  if (response.ok) return response.json()
  if (response.status === 429) throw new TwilioRefusal('429')
  const parsed = refused.safeParse(await response.json().catch(() => null))
  if (response.status >= 400 && response.status < 500)
    throw new TwilioRefusal(String(parsed.data?.code ?? response.status))
  throw new Error(`Twilio answered ${response.status}`)
}
