/** What follows a press within this time is its answer: somebody who pressed looks for it, and expects the page to change. */
const REACTION_MS = 250
const FADE_MS = 160
/** One frame, for those who want nothing to be animated. */
const FRAME_MS = 16
/** What changes at once is looked over once: to ask each element where it stands takes a millisecond or two. */
const REST_MS = 100
/** Less than this is a rounding of the layout. */
const PIXELS = 2

interface ElementPosition {
  left: number
  top: number
  /** Its distance from the top of the page, which scrolling doesn't change. */
  pageTop: number
  isShown: boolean
}

function placeOf(element: Element): ElementPosition {
  const { left, top, width, height } = element.getBoundingClientRect()
  return { left, top, pageTop: top + scrollY, isShown: width > 0 && height > 0 }
}

const differ = (one: number, other: number): boolean => Math.abs(one - other) > PIXELS

const isInFlow = (element: Element): boolean => getComputedStyle(element).position !== 'absolute'

const hasMoved = (from: ElementPosition, to: ElementPosition): boolean =>
  from.isShown &&
  to.isShown &&
  // What sticks to the window moves on the page while one scrolls, and all else in the window.
  (differ(from.left, to.left) || (differ(from.top, to.top) && differ(from.pageTop, to.pageTop)))

/**
 * Where an answer that comes late changes the page, whatever it pushes aside fades in at its new place: it jumps before
 * nobody's eyes, and Cumulative Layout Shift stays 0.
 * @returns ends it
 */
export function fadeWhatLateAnswersMove(root: HTMLElement | null): () => void {
  if (!root) return () => {}
  const calm = matchMedia('(prefers-reduced-motion: reduce)')
  let pressedAt = -Infinity
  let places = new Map<Element, ElementPosition>()
  const remember = () => {
    places = new Map([...root.querySelectorAll(':not(svg *)')].map((element) => [element, placeOf(element)]))
  }
  let timer: ReturnType<typeof setTimeout> | undefined
  const rememberSoon = () => {
    clearTimeout(timer)
    timer = setTimeout(remember, REST_MS)
  }
  const compare = () => {
    if (performance.now() - pressedAt > REACTION_MS) {
      const moved = new Set<Element>()
      for (const [element, from] of places) {
        if (!element.isConnected || !hasMoved(from, placeOf(element))) continue
        // What stands in something that fades fades with it, and what is placed by itself (a tip, a map's pin) was moved on purpose.
        if (!moved.has(element.parentElement ?? root) && isInFlow(element))
          element.animate([{ opacity: 0 }, { opacity: 1 }], { duration: calm.matches ? FRAME_MS : FADE_MS })
        moved.add(element)
      }
    }
    rememberSoon()
  }
  const ended = new AbortController()
  const listen = { capture: true, passive: true, signal: ended.signal }
  for (const press of ['pointerdown', 'keydown', 'input'])
    addEventListener(press, () => (pressedAt = performance.now()), listen)
  for (const layout of ['resize', 'load']) addEventListener(layout, rememberSoon, listen)
  // Of a table that is wider than its place; the page's own scrolling is reckoned with.
  addEventListener('scroll', ({ target }) => target !== document && rememberSoon(), listen)
  const observer = new MutationObserver(compare)
  observer.observe(root, {
    childList: true,
    subtree: true,
    characterData: true,
    attributeFilter: ['class', 'hidden'],
  })
  remember()
  return () => {
    clearTimeout(timer)
    ended.abort()
    observer.disconnect()
  }
}
