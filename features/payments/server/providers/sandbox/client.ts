import * as z from 'zod/mini'
import { ProviderRefused, ProviderSilent } from '../provider.ts'

const TIMEOUT_MS = 10_000

export interface SandboxSettings {
  /** URL at which the portal reaches the gateway. */
  url: string
  /** URL at which browsers reach the gateway. */
  publicOrigin: string
  apiKey: string
  webhookSecret: string
  timeoutMs?: number
}

export type GatewayAddress = Pick<SandboxSettings, 'url' | 'timeoutMs'>

/** HTTP client of the gateway. Validates responses. Calls without an account cover all accounts. */
export interface SandboxClient {
  get<T>(account: string | null, path: string, response: z.ZodMiniType<T>): Promise<T>
  /** Posts a request. A call with the same idempotency key returns the original response. */
  post<T>(account: string | null, path: string, response: z.ZodMiniType<T>, body: object, key: string): Promise<T>
}

interface SandboxRequest<T> {
  method: 'GET' | 'POST'
  path: string
  account: string | null
  response: z.ZodMiniType<T>
  body?: object
  key?: string
}

export function connect(settings: SandboxSettings): SandboxClient {
  return {
    get: (account, path, response) => callSandbox(settings, { method: 'GET', path, account, response }),
    post: (account, path, response, body, key) =>
      callSandbox(settings, { method: 'POST', path, account, response, body, key }),
  }
}

/** @throws ProviderSilent if the outcome is unknown, ProviderRefused if the gateway refused */
async function callSandbox<T>(
  settings: SandboxSettings,
  { method, path, account, response, body, key }: SandboxRequest<T>,
): Promise<T> {
  const headers: Record<string, string> = { authorization: `Bearer ${settings.apiKey}` }
  if (account) headers['gateway-account'] = account
  if (key) headers['idempotency-key'] = key
  if (body !== undefined) headers['content-type'] = 'application/json'
  const { status, text } = await send(settings, path, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  // 409: another request with the same idempotency key is running. 429: too many requests.
  if (status >= 500 || status === 409 || status === 429) throw new ProviderSilent(`the gateway answered ${status}`)
  if (status >= 400) throw new ProviderRefused(`the gateway answered ${status}: ${messageOf(text)}`)
  const parsed = response.safeParse(JSON.parse(text))
  if (!parsed.success) throw new ProviderSilent('the gateway answered in another shape', { cause: parsed.error })
  return parsed.data
}

/** @throws ProviderSilent if the gateway does not respond */
export async function send({ url, timeoutMs }: GatewayAddress, path: string, init: RequestInit) {
  try {
    const response = await fetch(url + path, { ...init, signal: AbortSignal.timeout(timeoutMs ?? TIMEOUT_MS) })
    return { status: response.status, text: await response.text() }
  } catch (error) {
    throw new ProviderSilent('the gateway did not answer', { cause: error })
  }
}

const refusal = z.object({ error: z.object({ message: z.string() }) })

/** Returns the gateway's error message, or else the start of the raw response. */
function messageOf(text: string): string {
  try {
    return refusal.parse(JSON.parse(text)).error.message
  } catch {
    return text.slice(0, 200)
  }
}

/** Returns the query string for the list page that follows the given id. */
export const pageAfter = (after: string | null, limit: number): string =>
  new URLSearchParams({ limit: String(limit), ...(after !== null && { starting_after: after }) }).toString()

export const metadata = z.nullish(z.record(z.string(), z.unknown()))

/** Returns the company of a charge, from the metadata that the portal sent to the gateway. */
export const companyOf = (data: z.output<typeof metadata>): number | null => Number(data?.['company_id']) || null
