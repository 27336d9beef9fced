import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Jobs } from '../jobs.ts'
import type { Tx } from '../tenancy.ts'
import { signatureOf } from './signature.ts'

/** Context that the sandbox for text messages and calls needs. */
export interface Phones {
  config: Config
  clock: Clock
  jobs: Jobs
  outside: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
}

/** Sends a callback to the portal on this machine. The signature is for the portal's public URL. */
export async function notifyPortal({ sms }: Config, url: string, form: Record<string, string>): Promise<string> {
  const body = new URLSearchParams(form)
  const { pathname, search } = new URL(url)
  const reply = await fetch(sms.nearUrl + pathname + search, {
    method: 'POST',
    headers: { 'x-twilio-signature': signatureOf(sms.authToken, url, body) },
    body,
    signal: AbortSignal.timeout(15_000),
  })
  if (!reply.ok) throw new Error(`the portal answered a call of the sandbox with ${reply.status}`)
  return reply.text()
}

const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" }
/** Decodes the text of an XML element in the portal's response. */
export const plain = (xml: string): string =>
  xml.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? entity)
