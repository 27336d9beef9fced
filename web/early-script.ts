import type { EarlyInput } from './repeat-input.ts'

interface EarlyFiles {
  /** Main script of the page. */
  script: string
  /** Other files that the main script imports. */
  preloads: readonly string[]
}

/** Returns the inline script of a page that the server has rendered. */
export const earlyScript = (files: EarlyFiles): string => `(${runEarly.toString()})(${JSON.stringify(files)})`

/**
 * Loads the script of a page after its first paint, because an earlier request delays the paint on a slow connection.
 * If the person presses or types earlier, loads the script immediately and records the input (`repeat-input.ts`). Runs
 * in the browser before any other code, so it uses nothing from outside the function.
 */
function runEarly({ script, preloads }: EarlyFiles): void {
  type Field = HTMLInputElement
  let isStarted = false
  const start = () => {
    if (isStarted) return
    isStarted = true
    const add = (tag: string, values: object) =>
      document.head.append(Object.assign(document.createElement(tag), values))
    for (const href of preloads) add('link', { rel: 'modulepreload', href })
    // If the script fails to load, the page shows the phone number of the company.
    const onerror = () => (document.documentElement.dataset['failed'] = '')
    add('script', { type: 'module', src: script, onerror })
  }
  const early: EarlyInput = { fields: new Map(), pressed: -1, stop: () => {} }
  const indexOf = (element: Element, selector: string) => [...document.querySelectorAll(selector)].indexOf(element)
  window.earlyInput = early
  const noteField = ({ target }: Event) => {
    const field = target as Field
    const value = field.files ?? (/^(?:checkbox|radio)$/.test(field.type) ? field.checked : field.value)
    early.fields.set(indexOf(field, 'input,select,textarea'), value)
  }
  const notePress = (event: Event) => {
    const button = (event.target as Element).closest('button')
    if (!button) return
    event.preventDefault()
    early.pressed = indexOf(button, 'button')
  }
  const on = { input: noteField, click: notePress, pointerdown: start, keydown: start, focusin: start }
  for (const [type, listener] of Object.entries(on)) addEventListener(type, listener, true)
  early.stop = () => {
    for (const [type, listener] of Object.entries(on)) removeEventListener(type, listener, true)
  }
  try {
    // The server renders the page for a first visit. If this tab has a draft or a session, or another tab may have a
    // session (`session.ts`), the script renders the page again.
    const isReturning = Object.keys(sessionStorage).some((key) => /^(?:tkn$|draft:)/.test(key))
    if (isReturning || localStorage.getItem('sessionInTabs') !== null) {
      document.documentElement.dataset['rerender'] = ''
      start()
    }
  } catch {
    // If the browser blocks storage, this tab has no session and no draft.
  }
  const idle = window.requestIdleCallback ?? ((work: () => void) => setTimeout(work, 200))
  addEventListener('load', () => idle(start, { timeout: 2000 }))
}
