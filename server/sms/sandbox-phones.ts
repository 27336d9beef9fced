import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Jobs } from '../jobs.ts'
import type { Tx } from '../tenancy.ts'
import { signatureOf } from './signature.ts'

/** What the sandbox's texts and calls stand on. */
export interface Phones {
  config: Config
  clock: Clock
  jobs: Jobs
  outside: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
}

/** Signed for the address that everybody knows us by, and sent to this machine. */
export async function tellPortal({ sms }: Config, url: string, said: Record<string, string>): Promise<string> {
  const body = new URLSearchParams(said)
  const { pathname, search } = new URL(url)
  const answer = await fetch(sms.nearUrl + pathname + search, {
    method: 'POST',
    headers: { 'x-twilio-signature': signatureOf(sms.authToken, url, body) },
    body,
    signal: AbortSignal.timeout(15_000),
  })
  if (!answer.ok) throw new Error(`the portal answered a call of the sandbox with ${answer.status}`)
  return answer.text()
}

const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" }
/** The text of an answer's element. */
export const plain = (xml: string): string =>
  xml.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? entity)
