import { useSyncExternalStore } from 'react'
import { CHANNEL, ENDED_MESSAGE, POLL_MS } from '../../shared/impersonation.ts'
import { say, translated } from '../../shared/messages.ts'
import { CallError, messageOf } from '../call.ts'

/** Error if no impersonation window opened (spec 8.4): `denied` if the server refused, otherwise `failed`. */
export class ImpersonationFailure extends Error {
  readonly kind: 'denied' | 'failed'
  constructor(kind: 'denied' | 'failed', message: string) {
    super(message)
    this.name = 'ImpersonationFailure'
    this.kind = kind
  }
}

export const POPUP_BLOCKED = 'Popup was blocked'

/** Converts an error of the call to one of the two failures of spec 8.4. */
export const reportRefusal = <T>(response: Promise<T>): Promise<T> =>
  response.catch((error: unknown) => {
    const denied = error instanceof CallError && error.status === 403
    throw new ImpersonationFailure(
      denied ? 'denied' : 'failed',
      messageOf(error) || say`Insufficient privileges for impersonation`,
    )
  })

/** Impersonation that the server has allowed. */
export interface StartedImpersonation {
  url: string
  handOff: string
  of: 'citizen' | 'municipality'
  /** Ends the session on the server, regardless of how its window was closed. */
  end: () => Promise<unknown>
}

/**
 * Number of unanswered checks after which a window that looks closed counts as closed. A page cannot answer until its
 * scripts are loaded, which takes long on a slow connection.
 */
const MAX_ATTEMPTS = 30

let ended: StartedImpersonation['of'] | null = null
const listeners = new Set<() => void>()
const setEnded = (of: StartedImpersonation['of'] | null) => {
  ended = of
  for (const listener of listeners) listener()
}

/** Returns the portal type of the impersonation that just ended. Null after its dialog is closed. */
export const useEnded = () =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => ended,
    () => null,
  )

export const forgetEnded = (): void => setEnded(null)

/**
 * Opens the window of an impersonation. On every screen, checks each second whether the window is closed, and then ends
 * the session. A municipality window also looks closed if it opens a page without an opener, so its session ends too. A
 * resident's window on another origin can't be watched. Its session ends when staff click its button, or after 30
 * minutes.
 */
export function openWindow(started: StartedImpersonation): void {
  const opened = globalThis.open(started.url, '_blank')
  if (!opened) {
    void started.end().catch(() => {})
    throw new ImpersonationFailure('failed', translated(POPUP_BLOCKED))
  }
  if (started.of === 'municipality' || new URL(started.url, location.href).origin === location.origin)
    watch(opened, started)
}

function watch(opened: Window, { url, handOff, of, end }: StartedImpersonation): void {
  const { origin } = new URL(url, location.href)
  // If a resident's page loses the reference to its opener, its window looks closed. On our own origin, an open page
  // therefore also responds over a channel.
  const channel = origin === location.origin ? new BroadcastChannel(CHANNEL) : null
  let missedPings = 0
  const finish = () => {
    clearInterval(poll)
    removeEventListener('message', onMessage)
    channel?.close()
    // Reports "closed" only after the server has ended the session. If that request fails, the session ends after 30
    // minutes at most.
    void end()
      .catch(() => {})
      .then(() => setEnded(of))
  }
  const onMessage = ({ origin: from, source, data }: MessageEvent<unknown>) => {
    if (from === origin && source === opened && data === ENDED_MESSAGE) finish()
  }
  const poll = setInterval(() => {
    if (!opened.closed) return
    if (!channel || missedPings >= MAX_ATTEMPTS) return finish()
    missedPings++
    channel.postMessage({ requested: handOff })
  }, POLL_MS)
  addEventListener('message', onMessage)
  channel?.addEventListener('message', ({ data }: MessageEvent<{ here?: string; ended?: string }>) => {
    if (data.here === handOff) missedPings = 0
    if (data.ended === handOff) finish()
  })
}
