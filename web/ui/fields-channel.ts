import { translated } from '../../shared/words.ts'
/**
 * The line to the gateway's hosted fields: a frame of another origin, so that card and bank numbers never touch this
 * page. The frame says that it is there, gets one end of a channel, and everything else goes through that.
 */

export interface FieldsState {
  complete: boolean
  empty: boolean
  /** Of a card, by its first digits; null where nobody can tell. */
  brand: string | null
  /** True if the person changed a value, false if a field only lost the focus. */
  typed: boolean
}

interface Listener {
  onReady: () => void
  onChange: (state: FieldsState) => void
  onHeight: (pixels: number) => void
  onEnter: () => void
}

/** The fields gave no token; the sentence says why. Nothing was sent anywhere. */
export class FieldsRefused extends Error {
  /** The first field that is wrong, by the gateway's name for it. */
  readonly field: string | undefined

  constructor(message: string, field?: string) {
    super(message)
    this.field = field
  }
}

const ANSWER_MS = 20_000
/** A check waits no longer: the form shows its own errors then. */
const CHECK_MS = 1500
const SILENT = 'The card or bank fields did not answer. Nothing was charged. Try again.'
const INCOMPLETE = 'Check the card or bank details above.'

/** What comes from the frame. */
type Message =
  | { type: 'change'; complete: boolean; empty: boolean; brand?: string; typed?: boolean }
  | { type: 'checked'; requestId: string; errors: Record<string, string> }
  | { type: 'resize'; height: number }
  | { type: 'token'; requestId: string; token: string }
  | { type: 'error'; requestId: string; errors?: Record<string, string>; message?: string }
  | { type: 'focus' | 'blur' | 'submit' }

export interface FieldsLine {
  /** Asks for a single-use token of what was typed. @throws {FieldsRefused} */
  tokenize(): Promise<string>
  /** Has the fields show what is missing or wrong, and returns a sentence, or ''. It makes no token and leaves the focus. */
  check(): Promise<string>
  focus(field?: string): void
  close(): void
}

/** Waits for the frame and speaks to it. Only the gateway's own frame is listened to. */
export function openLine(
  frame: HTMLIFrameElement,
  origin: string,
  theme: Record<string, string>,
  on: Listener,
): FieldsLine {
  let port: MessagePort | null = null
  const waiting = new Map<string, { give: (token: string) => void; refuse: (reason: FieldsRefused) => void }>()
  const checking = new Map<string, (sentence: string) => void>()
  let count = 0

  const hear = ({ data }: MessageEvent<Message>) => {
    if (data.type === 'change') {
      const { complete, empty, brand = null, typed = false } = data
      on.onChange({ complete, empty, brand, typed })
    }
    if (data.type === 'checked')
      checking.get(data.requestId)?.(Object.keys(data.errors).length > 0 ? translated(INCOMPLETE) : '')
    if (data.type === 'resize') on.onHeight(data.height)
    if (data.type === 'submit') on.onEnter()
    if (data.type === 'token') waiting.get(data.requestId)?.give(data.token)
    if (data.type === 'error') {
      const field = Object.keys(data.errors ?? {})[0]
      waiting
        .get(data.requestId)
        ?.refuse(new FieldsRefused(data.message || (field && data.errors?.[field]) || translated(INCOMPLETE), field))
    }
  }
  const connect = (event: MessageEvent<{ type?: string } | null>) => {
    if (
      event.origin !== origin ||
      event.source !== frame.contentWindow ||
      event.data?.type !== 'mainstreet-fields-ready'
    )
      return
    port?.close()
    const channel = new MessageChannel()
    port = channel.port1
    port.onmessage = hear
    frame.contentWindow?.postMessage({ type: 'mainstreet-fields-connect', theme }, origin, [channel.port2])
    on.onReady()
  }
  addEventListener('message', connect)

  return {
    tokenize: () =>
      new Promise((resolve, reject) => {
        if (!port) return reject(new FieldsRefused(translated(SILENT)))
        const requestId = `request-${++count}`
        const timer = setTimeout(() => end(() => reject(new FieldsRefused(translated(SILENT)))), ANSWER_MS)
        const end = (tell: () => void) => {
          clearTimeout(timer)
          waiting.delete(requestId)
          tell()
        }
        waiting.set(requestId, {
          give: (token) => end(() => resolve(token)),
          refuse: (reason) => end(() => reject(reason)),
        })
        port.postMessage({ type: 'tokenize', requestId })
      }),
    check: () =>
      new Promise((resolve) => {
        const requestId = `request-${++count}`
        const end = (sentence: string) => {
          clearTimeout(timer)
          checking.delete(requestId)
          resolve(sentence)
        }
        const timer = setTimeout(() => end(''), CHECK_MS)
        checking.set(requestId, end)
        port?.postMessage({ type: 'check', requestId })
      }),
    focus: (field) => {
      frame.focus()
      port?.postMessage({ type: 'focus', ...(field && { field }) })
    },
    close: () => {
      removeEventListener('message', connect)
      port?.close()
      for (const { refuse } of waiting.values()) refuse(new FieldsRefused(translated(SILENT)))
      for (const end of checking.values()) end('')
    },
  }
}

const names = ['ink', 'muted', 'edge', 'link', 'surface', 'danger'] as const

/** The town's colours, so that the fields look like ours. */
export function themeOf(element: Element): Record<string, string> {
  const style = getComputedStyle(element)
  return Object.fromEntries(
    names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]).filter(([, value]) => value),
  )
}
