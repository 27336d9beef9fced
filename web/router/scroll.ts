/** Remembers how far each entry of the history was scrolled, and goes back there once the screen is long enough. */

const KEY = 'scrolled-of'
const MAX_ENTRIES = 50
const MAX_WAIT_MS = 2000

/** How far it was scrolled, and how tall it was. */
type Places = Record<string, readonly [number, number]>

function remembered(): Places {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as Places
  } catch {
    return {}
  }
}

const entry = () => (history.state as { key?: string } | null)?.key ?? 'first'

/** A key for a new entry of the history, for `pushState`. */
export const newEntry = () => ({ key: Math.random().toString(36).slice(2) })

export function rememberScroll(): void {
  const places = Object.entries({
    ...remembered(),
    [entry()]: [Math.round(scrollY), document.body.scrollHeight] as const,
  }).slice(-MAX_ENTRIES)
  try {
    sessionStorage.setItem(KEY, JSON.stringify(Object.fromEntries(places)))
  } catch {
    // then the way back starts at the top
  }
}

const here = () => remembered()[entry()] ?? ([0, 0] as const)

let stop = () => {}

/**
 * Before a screen is drawn again that was scrolled: what loads later finds its place kept (`--kept-height` of the layout) for a
 * while, or until somebody scrolls, so that nothing moves when it comes.
 */
export function keepHeight(): void {
  stop()
  const [target, height] = here()
  if (target === 0) return
  const { style } = document.documentElement
  style.setProperty('--kept-height', `${height}px`)
  const timer = setTimeout(() => stop(), MAX_WAIT_MS)
  const moved = ['wheel', 'touchstart', 'keydown'] as const
  stop = () => {
    style.removeProperty('--kept-height')
    clearTimeout(timer)
    for (const kind of moved) removeEventListener(kind, stop)
    stop = () => {}
  }
  for (const kind of moved) addEventListener(kind, stop, { passive: true })
}

/** Goes to where this entry was left. */
export const restoreScroll = (): void => scrollTo(0, here()[0])
