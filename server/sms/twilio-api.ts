import * as z from 'zod/mini'
import type { Config } from '../config.ts'
import { UNREACHED } from './provider.ts'

const ANSWERS_WITHIN_MS = 15_000

const refused = z.object({ code: z.optional(z.number()) })
/** What fails before there is a connection, so that nothing can have got there. */
const NEVER_SENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'UND_ERR_CONNECT_TIMEOUT']

/** Twilio did not take what it was asked, under a code of its own; 429: not now; UNREACHED: it was never asked. */
export class TwilioRefusal extends Error {
  readonly code: string

  constructor(code: string) {
    super(`Twilio refused: ${code}`)
    this.code = code
  }
}

type Account = Pick<Config['sms'], 'accountSid' | 'authToken' | 'apiUrl'>

/**
 * Asks for a resource of the account, as `Messages.json`; with a form it is made.
 * @throws TwilioRefusal; anything else leaves open whether it was done
 */
export async function askTwilio(
  { accountSid, authToken, apiUrl }: Account,
  resource: string,
  { query, form }: { query?: URLSearchParams; form?: URLSearchParams },
): Promise<unknown> {
  const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`
  const search = query ? `?${query}` : ''
  let answer: Response
  try {
    answer = await fetch(`${apiUrl}/2010-04-01/Accounts/${accountSid}/${resource}${search}`, {
      ...(form ? { method: 'POST', body: form } : { method: 'GET' }),
      headers: { authorization, accept: 'application/json' },
      signal: AbortSignal.timeout(ANSWERS_WITHIN_MS),
      redirect: 'error',
    })
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as { code?: string }
    throw NEVER_SENT.includes(code ?? '') ? new TwilioRefusal(UNREACHED) : error
  }
  if (answer.ok) return answer.json()
  if (answer.status === 429) throw new TwilioRefusal('429')
  const said = refused.safeParse(await answer.json().catch(() => null))
  if (answer.status >= 400 && answer.status < 500) throw new TwilioRefusal(String(said.data?.code ?? answer.status))
  throw new Error(`Twilio answered ${answer.status}`)
}
