import { useEffect, useEffectEvent } from 'react'
import type { ResponseOf, Endpoint } from '../shared/endpoint.ts'
import { CallError, refuseIfNotPermitted, send } from './call.ts'

const FIRST_WAIT_MS = 1000
const MAX_WAIT_MS = 30_000

/** Splits received text into the data of complete server-sent events and the incomplete rest. */
export function takeEvents(text: string): { events: string[]; rest: string } {
  const blocks = text.replaceAll('\r\n', '\n').split('\n\n')
  const rest = blocks.pop() ?? ''
  const events = blocks.flatMap((block) => {
    const lines = block.split('\n').filter((line) => line.startsWith('data:'))
    return lines.length > 0 ? [lines.map((line) => line.slice(5).replace(/^ /, '')).join('\n')] : []
  })
  return { events, rest }
}

async function listen(
  path: string,
  signal: AbortSignal,
  onOpen: () => void,
  onEvent: (data: unknown) => void,
): Promise<void> {
  const response = await send(`/api/v2/${path}`, { headers: { accept: 'text/event-stream' }, signal })
  if (!response.body) return
  onOpen()
  let buffer = ''
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const { events, rest } = takeEvents(buffer + value)
    buffer = rest
    for (const event of events) onEvent(JSON.parse(event))
  }
}

/**
 * Reads an event stream with `fetch`, because EventSource can't send headers. Reconnects automatically with increasing
 * delays, until the signal aborts or the server refuses (4xx). Calls `onReopen` after a reconnect, because events may
 * have been missed.
 */
export async function liveEvents(
  path: string,
  onEvent: (data: unknown) => void,
  { signal, onReopen }: { signal: AbortSignal; onReopen?: () => void },
): Promise<void> {
  let wait = FIRST_WAIT_MS
  for (let opened = 0; !signal.aborted;) {
    try {
      await listen(
        path,
        signal,
        () => {
          wait = FIRST_WAIT_MS
          if (opened++ > 0) onReopen?.()
        },
        onEvent,
      )
    } catch (error) {
      if (error instanceof CallError && error.status >= 400 && error.status < 500 && error.status !== 429) return
    }
    if (signal.aborted) return
    await pause(wait * (0.75 + Math.random() / 2), signal)
    wait = Math.min(wait * 2, MAX_WAIT_MS)
  }
}

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true },
    )
  })

/** Receives the events of an `events` call while the component is mounted. Calls `onReopen` after an interruption. */
export function useLive<E extends Endpoint>(
  endpoint: E,
  onEvent: (event: ResponseOf<E>) => void,
  onReopen?: () => void,
): void {
  const heard = useEffectEvent(onEvent)
  const reopened = useEffectEvent(() => onReopen?.())
  useEffect(() => {
    const stop = new AbortController()
    const follow = () =>
      liveEvents(endpoint.path, (data) => heard(data as ResponseOf<E>), { signal: stop.signal, onReopen: reopened })
    // If the person lacks the privilege, no events are requested.
    refuseIfNotPermitted(endpoint).then(follow, () => {})
    return () => stop.abort()
  }, [endpoint])
}
