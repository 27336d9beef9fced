import { useEffect, useRef } from 'react'

/** The part of the window, from the top, in which a heading is seen without scrolling. */
const IN_VIEW = 0.6
/** The room above a heading (`scroll-padding-top` in `style.css`). Content above that stays, such as the title of the page. */
const COVERED_PX = 96

/**
 * Gives the focus to content that replaces the pressed button or comes far from it, and scrolls to it. A screen reader
 * reads it out, and the keyboard goes on from there. Fits as a `ref`.
 */
export function arriveAt(element: HTMLElement | null): void {
  if (!element) return
  element.focus({ preventScroll: true })
  const { top } = element.getBoundingClientRect()
  if (top < COVERED_PX || top > innerHeight * IN_VIEW) element.scrollIntoView({ block: 'start' })
}

/** The heading of new content. If `came`, a press brought it here: it gets the focus, in view. */
export function useStepHeading<Element extends HTMLElement = HTMLHeadingElement>(came = true) {
  const heading = useRef<Element>(null)
  useEffect(() => {
    if (came) arriveAt(heading.current)
  }, [came])
  return heading
}
