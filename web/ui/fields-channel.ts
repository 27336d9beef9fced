import { translated } from '../../shared/messages.ts'
/**
 * Channel to the payment provider's hosted fields. Their frame has another origin, so that card and bank numbers never
 * reach this page. The loaded frame receives one end of a channel for all further messages.
 */

export interface FieldsState {
  complete: boolean
  empty: boolean
  /** Card brand, determined by the first digits. Null if unknown. */
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

/** Error if the fields return no token. Its message states the reason. No data was sent. */
export class FieldsRefused extends Error {
  /** Name of the first invalid field, as the provider names it. */
  readonly field: string | undefined

  constructor(message: string, field?: string) {
    super(message)
    this.field = field
  }
}

const RESPONSE_TIMEOUT_MS = 20_000
/** Time limit of a check, in milliseconds. After that, the form shows only its own errors. */
const CHECK_MS = 1500
const SILENT = 'The card or bank fields did not respond. Nothing was charged. Try again.'
const INCOMPLETE = 'Check the card or bank details.'

type Message =
  | { type: 'change'; complete: boolean; empty: boolean; brand?: string; typed?: boolean }
  | { type: 'checked'; requestId: string; errors: Record<string, string> }
  | { type: 'resize'; height: number }
  | { type: 'token'; requestId: string; token: string }
  | { type: 'error'; requestId: string; errors?: Record<string, string>; message?: string }
  | { type: 'focus' | 'blur' | 'submit' }

export interface FieldsLine {
  /** Requests a single-use token for the typed data. @throws {FieldsRefused} */
  tokenize(): Promise<string>
  /**
   * Makes the fields show missing or invalid values. Returns a message, or '' if no error is known. Creates no token
   * and does not move the focus.
   */
  check(): Promise<string>
  focus(field?: string): void
  close(): void
}

/** Opens the channel to the provider's frame. Accepts messages only from that frame. */
export function openLine(
  frame: HTMLIFrameElement,
  origin: string,
  theme: Record<string, string>,
  on: Listener,
): FieldsLine {
  let port: MessagePort | null = null
  const pendingRequests = new Map<string, { give: (token: string) => void; refuse: (reason: FieldsRefused) => void }>()
  const checking = new Map<string, (message: string) => void>()
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
    if (data.type === 'token') pendingRequests.get(data.requestId)?.give(data.token)
    if (data.type === 'error') {
      const field = Object.keys(data.errors ?? {})[0]
      pendingRequests
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
        const timer = setTimeout(() => end(() => reject(new FieldsRefused(translated(SILENT)))), RESPONSE_TIMEOUT_MS)
        const end = (finish: () => void) => {
          clearTimeout(timer)
          pendingRequests.delete(requestId)
          finish()
        }
        pendingRequests.set(requestId, {
          give: (token) => end(() => resolve(token)),
          refuse: (reason) => end(() => reject(reason)),
        })
        port.postMessage({ type: 'tokenize', requestId })
      }),
    check: () =>
      new Promise((resolve) => {
        const requestId = `request-${++count}`
        const end = (message: string) => {
          clearTimeout(timer)
          checking.delete(requestId)
          resolve(message)
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
      for (const { refuse } of pendingRequests.values()) refuse(new FieldsRefused(translated(SILENT)))
      for (const end of checking.values()) end('')
    },
  }
}

const names = ['ink', 'muted', 'edge', 'link', 'surface', 'danger'] as const

/** Returns the company's colors, so that the fields match the page. */
export function themeOf(element: Element): Record<string, string> {
  const style = getComputedStyle(element)
  return Object.fromEntries(
    names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]).filter(([, value]) => value),
  )
}
