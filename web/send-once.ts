import { useSyncExternalStore } from 'react'

/** Time in milliseconds after which a save without a response counts as late and is sent again under the same key. */
const TIMEOUT_MS = 20_000
/** Delay before a retry while an earlier attempt is still running on the server, in milliseconds. */
const BUSY_MS = 2000
const MAX_ATTEMPTS = 4

/** Returns 32 hexadecimal digits. `crypto.randomUUID` is unavailable on plain http. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

/**
 * Idempotency keys of calls without a response yet. If the form or the person repeats such a call, the server runs it
 * once.
 */
const keys = new Map<string, string>()

interface PendingCall {
  late: boolean
  stop: AbortController
}
const pendingCalls = new Set<PendingCall>()
const listeners = new Set<() => void>()
const notify = () => {
  for (const listener of listeners) listener()
}
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
const anyLate = () => [...pendingCalls].some(({ late }) => late)

/** True if the response to a save is late. The form then shows a notice and can be closed. */
export const useLateSave = (): boolean => useSyncExternalStore(subscribe, anyLate, () => false)

/** Stops waiting for responses when the person leaves a form. Whether the save succeeded stays unknown. */
export const abortPendingCalls = (): void => {
  for (const { stop } of pendingCalls) stop.abort()
}

interface RepeatedCall<T> {
  /** Call and body as one string, which identifies a repeated call. */
  what: string
  send: (key: string, signal: AbortSignal) => Promise<T>
  /** True if the error is a response of the server. `busy`: an earlier attempt is still running. */
  isResponse: (error: unknown) => boolean | 'busy'
}

/**
 * Sends a save under one idempotency key until the server responds.
 * @returns the response, or null after the last attempt or after `abortPendingCalls`
 */
export async function sendUntilResponse<T>({
  what,
  send,
  isResponse,
}: RepeatedCall<T>): Promise<{ response: T } | null> {
  const key = keys.get(what) ?? newKey()
  keys.set(what, key)
  const wait: PendingCall = { late: false, stop: new AbortController() }
  pendingCalls.add(wait)
  try {
    for (let tries = 0; tries < MAX_ATTEMPTS && !wait.stop.signal.aborted; tries++) {
      const tried = await tryOnce(wait, (signal) => send(key, signal))
      if (tried === 'late') continue
      if ('response' in tried) {
        keys.delete(what)
        return tried
      }
      const responded = isResponse(tried.error)
      if (responded === 'busy') await pause(BUSY_MS)
      else {
        if (responded) keys.delete(what)
        throw tried.error
      }
    }
    return null
  } finally {
    pendingCalls.delete(wait)
    notify()
  }
}

async function tryOnce<T>(
  wait: PendingCall,
  send: (signal: AbortSignal) => Promise<T>,
): Promise<{ response: T } | { error: unknown } | 'late'> {
  const attempt = new AbortController()
  const stop = () => attempt.abort()
  wait.stop.signal.addEventListener('abort', stop)
  const timer = setTimeout(() => {
    wait.late = true
    notify()
    stop()
  }, TIMEOUT_MS)
  try {
    return { response: await send(attempt.signal) }
  } catch (error) {
    return attempt.signal.aborted ? 'late' : { error }
  } finally {
    clearTimeout(timer)
    wait.stop.signal.removeEventListener('abort', stop)
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
