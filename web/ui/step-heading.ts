import { useEffect, useRef } from 'react'

/** Upper fraction of the window in which a heading is visible without scrolling. */
const IN_VIEW = 0.6
/**
 * Space above a heading (`scroll-padding-top` in `style.css`). Content above it, such as the page title, stays visible.
 */
const COVERED_PX = 96

/**
 * Focuses and scrolls to content that replaces the pressed button or appears far from it. A screen reader reads it out,
 * and the keyboard continues there. Usable as a `ref`.
 */
export function arriveAt(element: HTMLElement | null): void {
  if (!element) return
  element.focus({ preventScroll: true })
  const { top } = element.getBoundingClientRect()
  if (top < COVERED_PX || top > innerHeight * IN_VIEW) element.scrollIntoView({ block: 'start' })
}

/**
 * Ref for the heading of new content. If `came`, a press opened it: the heading gets the focus and is scrolled into
 * view.
 */
export function useStepHeading<Element extends HTMLElement = HTMLHeadingElement>(came = true) {
  const heading = useRef<Element>(null)
  useEffect(() => {
    if (came) arriveAt(heading.current)
  }, [came])
  return heading
}
