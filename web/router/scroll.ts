import { entryState } from './entry-state.ts'

/** Scroll positions of history entries. They are restored after Back, Forward and a reload. */

const KEY = 'scrolled-of'
const MAX_ENTRIES = 50
const MAX_WAIT_MS = 2000

/** Scroll position and page height of each history entry, in pixels. */
type ScrollPositions = Record<string, readonly [number, number]>

function remembered(): ScrollPositions {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as ScrollPositions
  } catch {
    return {}
  }
}

const entry = () => entryState().key ?? 'first'

export function rememberScroll(): void {
  const positions = Object.entries({
    ...remembered(),
    [entry()]: [Math.round(scrollY), document.body.scrollHeight] as const,
  }).slice(-MAX_ENTRIES)
  try {
    sessionStorage.setItem(KEY, JSON.stringify(Object.fromEntries(positions)))
  } catch {
    // If the browser blocks storage, a screen starts at the top after Back.
  }
}

const here = () => remembered()[entry()] ?? ([0, 0] as const)

let stop = () => {}

/**
 * Reserves the height of a scrolled screen before it renders again (`--kept-height` of the layout). Without this,
 * content that loads late would change the scroll position. The reservation ends when the person scrolls, or after a
 * time limit.
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

export const restoreScroll = (): void => scrollTo(0, here()[0])

/** Starts at the top of a screen with other content than before the reload. */
export function startAtTop(): void {
  stop()
  scrollTo(0, 0)
  rememberScroll()
}
