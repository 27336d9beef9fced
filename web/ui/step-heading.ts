import { useEffect, useRef } from 'react'

/** Upper part of the window, as a fraction of its height, in which a heading needs no scrolling. */
const IN_VIEW = 0.6
/**
 * Space above a heading in pixels (`scroll-padding-top` in `style.css`). Content above the heading, such as the page
 * title, stays visible.
 */
const COVERED_PX = 96

/**
 * Focuses content that replaces the pressed button or appears far from it, and scrolls to it. A screen reader reads the
 * content, and the keyboard continues there. Usable as a `ref`.
 */
export function arriveAt(element: HTMLElement | null): void {
  if (!element) return
  element.focus({ preventScroll: true })
  const { top } = element.getBoundingClientRect()
  if (top < COVERED_PX || top > innerHeight * IN_VIEW) element.scrollIntoView({ block: 'start' })
}

/**
 * Returns a ref for the heading of new content. If `came` is true, a press opened the content. The heading then gets
 * the focus and scrolls into view.
 */
export function useStepHeading<Element extends HTMLElement = HTMLHeadingElement>(came = true) {
  const heading = useRef<Element>(null)
  useEffect(() => {
    if (came) arriveAt(heading.current)
  }, [came])
  return heading
}
