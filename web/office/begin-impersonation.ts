import { useSyncExternalStore } from 'react'
import { CHANNEL, ENDED_MESSAGE, POLL_MS } from '../../shared/impersonation.ts'
import { say, translated } from '../../shared/words.ts'
import { CallError, sentenceOf } from '../call.ts'

/** Why no window opened (specification 8.4): `denied` is the server's no, anything else `failed`. */
export class ImpersonationFailure extends Error {
  readonly kind: 'denied' | 'failed'
  constructor(kind: 'denied' | 'failed', message: string) {
    super(message)
    this.name = 'ImpersonationFailure'
    this.kind = kind
  }
}

export const POPUP_BLOCKED = 'Popup was blocked'

/** Turns the server's answer to "may I" into the two failures of specification 8.4. */
export const asked = <T>(answer: Promise<T>): Promise<T> =>
  answer.catch((error: unknown) => {
    const denied = error instanceof CallError && error.status === 403
    throw new ImpersonationFailure(
      denied ? 'denied' : 'failed',
      sentenceOf(error) || say`Insufficient privileges for impersonation`,
    )
  })

/** A hand-off that the server allowed. */
export interface StartedImpersonation {
  url: string
  handOff: string
  of: 'citizen' | 'municipality'
  /** Ends the session on the server, however its window went. */
  end: () => Promise<unknown>
}

/** Asked this often without an answer, a window that looks closed is closed. */
const MAX_ATTEMPTS = 3

let ended: StartedImpersonation['of'] | null = null
const listeners = new Set<() => void>()
const show = (of: StartedImpersonation['of'] | null) => {
  ended = of
  for (const listener of listeners) listener()
}

/** Whose window was closed just now, until the dialog about it is gone. */
export const useEnded = () =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => ended,
    () => null,
  )

export const forgetEnded = (): void => show(null)

/**
 * Opens the window and looks every second whether it is closed, from whatever screen. A municipality's window that leaves
 * the back office for a page that keeps no opener looks closed, and the session ends. A resident's window on another
 * origin can't be watched at all: it ends by its own button, or after 30 minutes.
 */
export function openWindow(begun: StartedImpersonation): void {
  const opened = globalThis.open(begun.url, '_blank')
  if (!opened) {
    void begun.end().catch(() => {})
    throw new ImpersonationFailure('failed', translated(POPUP_BLOCKED))
  }
  if (begun.of === 'municipality' || new URL(begun.url, location.href).origin === location.origin) watch(opened, begun)
}

function watch(opened: Window, { url, handOff, of, end }: StartedImpersonation): void {
  const { origin } = new URL(url, location.href)
  // A page of residents may not keep its opener: of our own origin, it answers over a channel for as long as it is there.
  const channel = origin === location.origin ? new BroadcastChannel(CHANNEL) : null
  let unanswered = 0
  const over = () => {
    clearInterval(poll)
    removeEventListener('message', told)
    channel?.close()
    // "Closed" is said once the server knows it; should that not arrive, it ends by itself after 30 minutes at the latest.
    void end()
      .catch(() => {})
      .then(() => show(of))
  }
  const told = ({ origin: from, source, data }: MessageEvent<unknown>) => {
    if (from === origin && source === opened && data === ENDED_MESSAGE) over()
  }
  const poll = setInterval(() => {
    if (!opened.closed) return
    if (!channel || unanswered >= MAX_ATTEMPTS) return over()
    unanswered++
    channel.postMessage({ ask: handOff })
  }, POLL_MS)
  addEventListener('message', told)
  channel?.addEventListener('message', ({ data }: MessageEvent<{ here?: string; ended?: string }>) => {
    if (data.here === handOff) unanswered = 0
    if (data.ended === handOff) over()
  })
}
