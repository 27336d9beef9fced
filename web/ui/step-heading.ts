import { useEffect, useRef } from 'react'

/** Upper part of the window, as a fraction of its height. A heading in this part does not need to scroll into view. */
const IN_VIEW = 0.6
/**
 * Space above a heading in pixels (`scroll-padding-top` in `style.css`). Content above the heading, such as the page
 * title, stays visible.
 */
const COVERED_PX = 96

/**
 * Focuses content that replaces the pressed button or appears far from it, and scrolls to the content. A screen reader
 * then reads the content, and keyboard users continue there. Can be used as a `ref`.
 */
export function arriveAt(element: HTMLElement | null): void {
  if (!element) return
  element.focus({ preventScroll: true })
  const { top } = element.getBoundingClientRect()
  if (top < COVERED_PX || top > innerHeight * IN_VIEW) element.scrollIntoView({ block: 'start' })
}

/**
 * Returns a ref for the heading of new content. If `came` is true, the heading gets the focus and scrolls into view,
 * because a press opened the content.
 */
export function useStepHeading<Element extends HTMLElement = HTMLHeadingElement>(came = true) {
  const heading = useRef<Element>(null)
  useEffect(() => {
    if (came) arriveAt(heading.current)
  }, [came])
  return heading
}
