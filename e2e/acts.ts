import type { BrowserContext, Page } from '@playwright/test'

declare global {
  interface Window {
    /** Records one act of a person. */
    recordAct(act: string): Promise<void>
  }
}

/**
 * Reports the acts of a person in a page: a click, a filled field, a choice, a file, and a key outside of typing.
 * Runs in the browser.
 */
function reportActs(): void {
  const NOT_TYPED = new Set(['button', 'checkbox', 'color', 'file', 'radio', 'range', 'reset', 'submit'])
  const isTyped = (target: EventTarget | null) =>
    target instanceof HTMLTextAreaElement ||
    (target instanceof HTMLInputElement && !NOT_TYPED.has(target.type)) ||
    (target instanceof HTMLElement && target.isContentEditable)
  const nameOf = (target: EventTarget | null): string => {
    if (!(target instanceof Element)) return ''
    const control = target.closest('a, button, label, input, select, textarea, summary, [role]') ?? target
    const label =
      control instanceof HTMLInputElement || control instanceof HTMLSelectElement ? control.labels?.[0] : null
    return (control.getAttribute('aria-label') ?? (label ?? control).textContent).trim().slice(0, 60)
  }
  const record = (act: string, { target }: Event) => void window.recordAct(`${act} ${nameOf(target)}`)
  let filled: EventTarget | null = null
  const capture = { capture: true }
  addEventListener('focusin', () => (filled = null), capture)
  addEventListener(
    'input',
    (event) => {
      if (!event.isTrusted || !isTyped(event.target) || event.target === filled) return
      filled = event.target
      record('fills', event)
    },
    capture,
  )
  addEventListener(
    'pointerdown',
    (event) => event.isTrusted && !isTyped(event.target) && record('clicks', event),
    capture,
  )
  addEventListener(
    'change',
    (event) => {
      const { target } = event
      // A script chooses an option or a file without a click.
      if (target instanceof HTMLSelectElement && !event.isTrusted) record('chooses', event)
      if (target instanceof HTMLInputElement && target.type === 'file') record('chooses a file for', event)
    },
    capture,
  )
  addEventListener(
    'keydown',
    (event) => {
      const isTyping = isTyped(event.target) && event.key !== 'Enter' && event.key !== 'Escape'
      if (event.isTrusted && !isTyping) record(`presses ${event.key} in`, event)
    },
    capture,
  )
}

/** Acts of all pages of a context, oldest first. */
export interface Acts {
  list: string[]
  /** Opens an address that a person types or follows from an email. It counts as one act. */
  open(page: Page, address: string): Promise<void>
}

/** Counts the acts in a browser context from now on. Pages that are already open count only after a reload. */
export async function countActs(context: BrowserContext, list: string[] = []): Promise<Acts> {
  await context.exposeBinding('recordAct', (_, act: string) => void list.push(act))
  await context.addInitScript(reportActs)
  return {
    list,
    open: async (page, address) => {
      list.push(`opens ${new URL(address).pathname}`)
      await page.goto(address)
    },
  }
}
