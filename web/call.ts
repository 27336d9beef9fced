import { CALL_PREFIX } from '../shared/call-prefix.ts'
import type { ResponseOf, RequestInputOf, Endpoint } from '../shared/endpoint.ts'
import { screenAt } from '../shared/screens.ts'
import { say, translated } from '../shared/messages.ts'
import { rememberFromUrl } from './from-url.ts'
import { go } from './go.ts'
import { sendUntilResponse } from './send-once.ts'
import { currentSession, expireSession, applyPrivileges, isResident, may } from './session.ts'

const OFFLINE = 'We could not reach the server. Check your internet connection and try again.'
const NO_RESPONSE =
  'We did not get a response in time. Your entries are still here. Try again in a minute. Nothing will be saved twice.'
const ONLY_RESIDENTS = 'Only residents can see this. You are signed in as staff.'
const UNREADABLE = 'The server sent a response that we could not read. Try again in a minute.'

/** Error of a failed call. `status` 0: the server was not reached, and the result is unknown. */
export class CallError extends Error {
  readonly status: number
  readonly code: string
  /** Errors for the fields of a form, by field name. */
  readonly fields: Record<string, string>
  /** Reference to quote to support. */
  readonly reference: string | undefined
  readonly details: Record<string, unknown>

  constructor(
    status: number,
    code: string,
    message: string,
    details: Record<string, unknown> = {},
    reference?: string,
  ) {
    super(message)
    this.name = 'CallError'
    this.status = status
    this.code = code
    this.details = details
    this.fields = (details.fields as Record<string, string> | undefined) ?? {}
    this.reference = reference
  }

  /** True if the server was not reached or its response was lost. */
  get unreached(): boolean {
    return this.status === 0
  }
}

/** Returns a message for the person from any thrown value. */
export const messageOf = (error: unknown): string =>
  error instanceof CallError ? error.message : say`Something went wrong on this page. Reload it and try again.`

/**
 * Refuses a read in the browser if the server would refuse it, because the server counts each refused call as an
 * attack. Calls made by a button always go to the server.
 */
export async function refuseIfNotPermitted({ access: { audience: takes, privilege } }: Endpoint): Promise<void> {
  const session = currentSession()
  if (!session || isResident(session)) return
  if (takes === 'citizen') throw new CallError(403, 'not_allowed', translated(ONLY_RESIDENTS))
  if (!privilege || may(...privilege)) return
  // Loaded on demand, because residents do not need these labels.
  const { missingPermission } = await import('../shared/privilege-labels.ts')
  const audience = !session.impersonating && session.companyId === null ? 'platform' : 'municipality'
  throw new CallError(403, 'not_allowed', missingPermission(privilege, audience))
}

export interface CallOptions {
  signal?: AbortSignal
  /**
   * Idempotency key of an `idempotent` call that the caller resends itself. Without a key, `call` creates one and
   * retries until the server responds.
   */
  idempotencyKey?: string
}

/** Returns the session headers of spec 7 that have a value. */
export function sessionHeaders(): Record<string, string> {
  const session = currentSession()
  if (!session) return {}
  return {
    authorization: `Bearer ${session.token}`,
    userId: session.userId,
    ...(session.companyId && { companyId: session.companyId }),
    ...(session.impersonating && { overSeeingEye: 'true' }),
  }
}

/**
 * Makes a call and returns its response, typed by its contract.
 * @throws {CallError} for any failure, with a message for the person
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  ...[body, options = {}]: Record<never, never> extends RequestInputOf<E>
    ? [body?: RequestInputOf<E>, options?: CallOptions]
    : [body: RequestInputOf<E>, options?: CallOptions]
): Promise<ResponseOf<E>> {
  const text = JSON.stringify(body ?? {})
  const once = async ({ signal, idempotencyKey }: CallOptions) => {
    const sent = endpoint.method === 'POST'
    const response = await send(CALL_PREFIX + endpoint.path, {
      method: endpoint.method,
      headers: {
        ...(sent && { 'content-type': 'application/json' }),
        ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
      },
      ...(sent && { body: text }),
      ...(signal && { signal }),
    })
    return (await jsonOf(response, signal)) as ResponseOf<E>
  }
  if (!endpoint.idempotent || options.idempotencyKey) return once(options)
  const result = await sendUntilResponse({
    what: `${endpoint.path} ${text}`,
    send: (idempotencyKey, signal) => once({ idempotencyKey, signal }),
    isResponse: (error) =>
      error instanceof CallError && (error.code === 'in_flight' ? 'busy' : error.status >= 400 && error.status < 500),
  })
  if (!result) throw new CallError(0, 'no_response', translated(NO_RESPONSE))
  return result.response
}

/** Makes a multipart call (spec 7.1) with short fields and an optional file. */
export async function callWithFile<E extends Endpoint>(
  { path }: E,
  fields: Record<string, string>,
  file?: Blob | null,
  signal?: AbortSignal,
  key?: string,
): Promise<ResponseOf<E>> {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.append(name, value)
  if (file) body.append('file', file)
  const response = await send(CALL_PREFIX + path, {
    method: 'POST',
    body,
    ...(key && { headers: { 'idempotency-key': key } }),
    ...(signal && { signal }),
  })
  return (await jsonOf(response, signal)) as ResponseOf<E>
}

/** Runs `fetch` with the session's headers. Turns every failure into a `CallError`. A 401 ends the session. */
export async function send(url: string, init: RequestInit): Promise<Response> {
  let response: Response
  const token = currentSession()?.token
  try {
    response = await fetch(url, {
      ...init,
      headers: { ...sessionHeaders(), ...(init.headers as Record<string, string>) },
    })
  } catch (error) {
    if (init.signal?.aborted) throw error
    throw new CallError(0, 'unreached', translated(OFFLINE))
  }
  applyPrivileges(response.headers.get('x-rights'), token)
  if (response.ok) return response
  const failure = await failureOf(response)
  if (failure.status === 401) leaveForSignIn()
  throw failure
}

async function jsonOf(response: Response, signal?: AbortSignal): Promise<unknown> {
  try {
    return await response.json()
  } catch (error) {
    if (signal?.aborted) throw error
    throw new CallError(0, 'unreadable', translated(UNREADABLE))
  }
}

interface FailureBody {
  message?: string
  msg?: string
  code?: string
  details?: Record<string, unknown>
}

async function failureOf(response: Response): Promise<CallError> {
  const body = (await response.json().catch(() => ({}))) as FailureBody
  const reference = (body.details?.requestId as string | undefined) ?? response.headers.get('x-request-id') ?? undefined
  return new CallError(
    response.status,
    body.code ?? 'failed',
    body.message ?? body.msg ?? translated(UNREADABLE),
    body.details,
    reference,
  )
}

/**
 * Ends the expired session and opens the sign-in page of this part of the portal, unless that page is already open
 * (spec 8.1).
 */
function leaveForSignIn(): void {
  expireSession()
  const here = location.pathname
  const admin = /^\/admin(?:\/|$)/i.test(here) || screenAt(here)?.meta.onlyAdmin === true
  const signIn = admin ? '/admin/sign-in' : '/sign-in'
  const there = screenAt(here)?.path === signIn
  if (there) return
  rememberFromUrl(location)
  go(signIn)
}
