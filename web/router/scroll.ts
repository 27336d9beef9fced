/** Remembers how far each entry of the history was scrolled, and goes back there once the screen is long enough. */

const KEY = 'scrolled'
const MOST = 50
const LONGEST_WAIT_MS = 2000

type Places = Record<string, number>

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
  const places = Object.entries({ ...remembered(), [entry()]: Math.round(scrollY) }).slice(-MOST)
  try {
    sessionStorage.setItem(KEY, JSON.stringify(Object.fromEntries(places)))
  } catch {
    // then the way back starts at the top
  }
}

let stop = () => {}

/** Goes to where this entry was left. What loads later may still be missing below: it is waited for, until somebody scrolls. */
export function restoreScroll(): void {
  stop()
  const target = remembered()[entry()] ?? 0
  scrollTo(0, target)
  if (Math.abs(scrollY - target) < 2) return
  const growing = new ResizeObserver(() => {
    scrollTo(0, target)
    if (Math.abs(scrollY - target) < 2) stop()
  })
  const timer = setTimeout(() => stop(), LONGEST_WAIT_MS)
  const moved = ['wheel', 'touchstart', 'keydown'] as const
  stop = () => {
    growing.disconnect()
    clearTimeout(timer)
    for (const kind of moved) removeEventListener(kind, stop)
    stop = () => {}
  }
  for (const kind of moved) addEventListener(kind, stop, { passive: true })
  growing.observe(document.body)
}
