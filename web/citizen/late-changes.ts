/**
 * Time after a click or key press, in milliseconds. A change within this time is the result of that input, so the
 * person expects it.
 */
const REACTION_MS = 250
const FADE_MS = 160
/** Duration of a fade that lasts only one frame, in milliseconds. For people who prefer reduced motion. */
const FRAME_MS = 16
/** Delay that groups changes into one check, because measuring each element takes a millisecond or two. */
const REST_MS = 100
/** Tolerance in pixels. Smaller differences are rounding of the layout. */
const PIXELS = 2

interface ElementPosition {
  left: number
  top: number
  /** Distance from the top of the page, independent of scrolling. */
  pageTop: number
  isVisible: boolean
}

function positionOf(element: Element): ElementPosition {
  const { left, top, width, height } = element.getBoundingClientRect()
  return { left, top, pageTop: top + scrollY, isVisible: width > 0 && height > 0 }
}

const differ = (one: number, other: number): boolean => Math.abs(one - other) > PIXELS

const isInFlow = (element: Element): boolean => getComputedStyle(element).position !== 'absolute'

const hasMoved = (from: ElementPosition, to: ElementPosition): boolean =>
  from.isVisible &&
  to.isVisible &&
  // While the page scrolls, a sticky element changes only its position on the page. Other elements change only their
  // position in the window. So an element that changes both has moved.
  (differ(from.left, to.left) || (differ(from.top, to.top) && differ(from.pageTop, to.pageTop)))

/**
 * Fades in elements at their new position if a late response moves them. People then see no jump, and Cumulative Layout
 * Shift stays 0.
 * @returns a function that stops this
 */
export function fadeMovedElements(root: HTMLElement | null): () => void {
  if (!root) return () => {}
  const calm = matchMedia('(prefers-reduced-motion: reduce)')
  let lastInputAt = -Infinity
  let positions = new Map<Element, ElementPosition>()
  const remember = () => {
    positions = new Map([...root.querySelectorAll(':not(svg *)')].map((element) => [element, positionOf(element)]))
  }
  let timer: ReturnType<typeof setTimeout> | undefined
  const rememberSoon = () => {
    clearTimeout(timer)
    timer = setTimeout(remember, REST_MS)
  }
  const compare = () => {
    if (performance.now() - lastInputAt > REACTION_MS) {
      const moved = new Set<Element>()
      for (const [element, from] of positions) {
        if (!element.isConnected || !hasMoved(from, positionOf(element))) continue
        // Children of a fading element fade with it. Positioned elements, such as a tooltip or a map pin, move on
        // purpose.
        if (!moved.has(element.parentElement ?? root) && isInFlow(element))
          element.animate([{ opacity: 0 }, { opacity: 1 }], { duration: calm.matches ? FRAME_MS : FADE_MS })
        moved.add(element)
      }
    }
    rememberSoon()
  }
  const ended = new AbortController()
  const listen = { capture: true, passive: true, signal: ended.signal }
  for (const eventName of ['pointerdown', 'keydown', 'input'])
    addEventListener(eventName, () => (lastInputAt = performance.now()), listen)
  for (const layout of ['resize', 'load']) addEventListener(layout, rememberSoon, listen)
  // For tables that scroll sideways. Scrolling of the page itself is already handled.
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
