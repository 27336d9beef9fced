import type { EarlyInput } from './repeat-input.ts'

/** Parameters of the inline script of a page. */
interface EarlyOptions {
  /** Main script of the page. */
  script: string
  /** Other files that the main script imports. */
  preloads: readonly string[]
  /** True if the main script loads without an input, as soon as the page is loaded and the browser is idle. */
  isUnprompted: boolean
  /** URL of the call that returns the current alerts, and the time between two such calls in milliseconds. */
  alerts: { url: string; pollMs: number }
}

/** Returns the inline script of a page that the server has rendered. */
export const earlyScript = (options: EarlyOptions): string =>
  `(${runEarly.toString()})(${JSON.stringify(options)},${watch.toString()})`

/**
 * On a phone, loads the main script of a page at the first input. An early request would delay the first paint on a slow
 * connection. Records the input until then (`repeat-input.ts`). A page without input also loads its script if an alert
 * starts or ends. Runs in the browser before any other code, so it uses nothing from outside the function.
 */
function runEarly({ script, preloads, isUnprompted, alerts }: EarlyOptions, watchAlerts: typeof watch): void {
  type Field = HTMLInputElement
  type Reloaded = { href: string; entries: [number, string | boolean][] }
  const root = document.documentElement
  let isStarted = false
  // A new release may have replaced the script since the page was loaded.
  const reloadOnce = () => {
    try {
      if (sessionStorage.getItem('reloaded')) return false
      const entries = [...early.fields].filter(([, value]) => !(value instanceof FileList))
      sessionStorage.setItem('reloaded', JSON.stringify({ href: location.href, entries }))
      return true
    } catch {
      return false
    }
  }
  const start = () => {
    if (isStarted) return
    isStarted = true
    const add = (tag: string, values: object) =>
      document.head.append(Object.assign(document.createElement(tag), values))
    for (const href of preloads) add('link', { rel: 'modulepreload', href })
    const onerror = () => {
      if (reloadOnce()) location.reload()
      // The page shows the phone number of the company.
      else root.dataset['failed'] = ''
    }
    add('script', { type: 'module', src: script, onerror })
  }
  const early: EarlyInput = { fields: new Map(), pressed: -1, focused: -1, isHeld: false, stop: () => {} }
  const indexOf = (element: Element, selector: string) => [...document.querySelectorAll(selector)].indexOf(element)
  window.earlyInput = early
  const noteField = ({ target }: Event) => {
    const field = target as Field
    const value = field.files ?? (/^(?:checkbox|radio)$/.test(field.type) ? field.checked : field.value)
    early.fields.set(indexOf(field, 'input,select,textarea'), value)
    start()
  }
  const notePress = (event: Event) => {
    const button = (event.target as Element).closest('button')
    if (!button) return
    event.preventDefault()
    // React must not act on this press, because it is repeated.
    event.stopPropagation()
    early.pressed = indexOf(button, 'button')
    start()
  }
  const noteFocus = ({ target }: Event) => {
    early.focused = indexOf(target as Element, 'input,select,textarea')
    start()
  }
  const noteHeld = ({ type }: Event) => {
    early.isHeld = type === 'pointerdown'
    start()
  }
  const on = {
    ...{ input: noteField, click: notePress, focusin: noteFocus, keydown: start },
    ...{ pointerdown: noteHeld, pointerup: noteHeld, pointercancel: noteHeld },
  }
  for (const [type, listener] of Object.entries(on)) addEventListener(type, listener, true)
  early.stop = () => {
    for (const [type, listener] of Object.entries(on)) removeEventListener(type, listener, true)
  }
  try {
    // The server renders the page for a first visit. The script renders it again for a tab with a draft, a session, a
    // sent payment or a sent form. Another tab may have a session, too (`session.ts`).
    const isReturning = Object.keys(sessionStorage).some((key) => /^(?:tkn$|draft:|payment-sent:)/.test(key))
    // `useSent` and `useStepHistory` keep a sent form or a later step in the history entry.
    if (isReturning || history.state?.sent || history.state?.steps || localStorage.getItem('sessionInTabs') !== null) {
      root.dataset['rerender'] = ''
      start()
    }
    // A tab with an open cart (`cart.ts`) shows it.
    if (sessionStorage.getItem('cart')) start()
    const reloaded = sessionStorage.getItem('reloaded')
    if (reloaded) {
      const { href, entries } = JSON.parse(reloaded) as Reloaded
      if (href === location.href) early.fields = new Map(entries)
      start()
    }
  } catch {
    // If the browser blocks storage, this tab has no session and no draft.
  }
  // Another tab signs in.
  addEventListener('storage', ({ key, newValue }) => key === 'sessionInTabs' && newValue && start())
  watchAlerts(alerts, start)
  const idle = window.requestIdleCallback ?? ((work: () => void) => setTimeout(work, 200))
  // Without a mouse, the person sees no control react before the first press.
  if (isUnprompted || matchMedia('(hover: hover)').matches)
    addEventListener('load', () => idle(start, { timeout: 2000 }))
}

/** Starts the main script if an alert or a notice starts or ends. Until then, a page shows those of its first load. */
function watch({ url, pollMs }: EarlyOptions['alerts'], start: () => void): void {
  type Banner = { site?: string; alerts: { id: number; headline: string }[]; notices: { text: string }[] }
  const keyOf = ({ alerts, notices }: Banner) =>
    JSON.stringify([alerts.map(({ id, headline }) => [id, headline]), notices.map(({ text }) => text)])
  const checkAlerts = async () => {
    if (document.querySelector('script[type=module]')) return clearInterval(timer)
    if (document.hidden) return
    const boot = JSON.parse(document.getElementById('boot')?.textContent ?? '') as Banner
    if (boot.site !== 'company') return
    const body = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }
    const response = await fetch(url, body)
    if (response.ok && keyOf((await response.json()) as Banner) !== keyOf(boot)) start()
  }
  // After a failed call, the next one may succeed.
  const check = () => void checkAlerts().catch(() => {})
  const timer = setInterval(check, pollMs)
  addEventListener('visibilitychange', check)
}
