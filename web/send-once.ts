import { useSyncExternalStore } from 'react'

/** So long a save waits for its answer before it says so, and is sent again under the same key. */
const TIMEOUT_MS = 20_000
/** An earlier try is still at work on the server. */
const BUSY_MS = 2000
const MAX_ATTEMPTS = 4

/** 32 hexadecimal digits; `crypto.randomUUID` is not there on plain http. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** Keys of what was sent and not answered: sent again, by the form or by the person, it happens once. */
const keys = new Map<string, string>()

interface PendingCall {
  late: boolean
  stop: AbortController
}
const waiting = new Set<PendingCall>()
const listeners = new Set<() => void>()
const tell = () => {
  for (const listener of listeners) listener()
}
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
const anyLate = () => [...waiting].some(({ late }) => late)

/** Is the answer to a save late? The form says so then, and can be left. */
export const useLateSave = (): boolean => useSyncExternalStore(subscribe, anyLate, () => false)

/** Whoever leaves a form waits for its answer no longer. Whether it was saved is not known. */
export const stopWaiting = (): void => {
  for (const { stop } of waiting) stop.abort()
}

interface RepeatedCall<T> {
  /** The call and its body, as one text. */
  what: string
  send: (key: string, signal: AbortSignal) => Promise<T>
  /** Was it answered, be it by a refusal? `busy`: an earlier try is still at work. */
  isAnswered: (error: unknown) => boolean | 'busy'
}

/**
 * Sends a save until it is answered, under one key.
 * @returns the answer, or null where none came in all tries, or where nobody waits for it any more
 */
export async function untilAnswered<T>({ what, send, isAnswered }: RepeatedCall<T>): Promise<{ answer: T } | null> {
  const key = keys.get(what) ?? newKey()
  keys.set(what, key)
  const wait: PendingCall = { late: false, stop: new AbortController() }
  waiting.add(wait)
  try {
    for (let tries = 0; tries < MAX_ATTEMPTS && !wait.stop.signal.aborted; tries++) {
      const tried = await tryOnce(wait, (signal) => send(key, signal))
      if (tried === 'late') continue
      if ('answer' in tried) {
        keys.delete(what)
        return tried
      }
      const answered = isAnswered(tried.error)
      if (answered === 'busy') await pause(BUSY_MS)
      else {
        if (answered) keys.delete(what)
        throw tried.error
      }
    }
    return null
  } finally {
    waiting.delete(wait)
    tell()
  }
}

async function tryOnce<T>(
  wait: PendingCall,
  send: (signal: AbortSignal) => Promise<T>,
): Promise<{ answer: T } | { error: unknown } | 'late'> {
  const attempt = new AbortController()
  const stop = () => attempt.abort()
  wait.stop.signal.addEventListener('abort', stop)
  const timer = setTimeout(() => {
    wait.late = true
    tell()
    stop()
  }, TIMEOUT_MS)
  try {
    return { answer: await send(attempt.signal) }
  } catch (error) {
    return attempt.signal.aborted ? 'late' : { error }
  } finally {
    clearTimeout(timer)
    wait.stop.signal.removeEventListener('abort', stop)
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
