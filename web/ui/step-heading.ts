import { useEffect, useRef } from 'react'

/** The heading of a step that came: it gets the focus, so that it is read out and the keyboard goes on from there. */
export function useStepHeading(moved: boolean) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (moved) heading.current?.focus()
  }, [moved])
  return heading
}
