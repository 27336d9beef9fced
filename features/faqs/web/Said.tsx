import { useLayoutEffect, useRef } from 'react'

/** What is said once something was told. Its button may be gone by then: the keyboard goes on from here. */
export function Said({ words }: { words: string }) {
  const place = useRef<HTMLParagraphElement>(null)
  useLayoutEffect(() => {
    if (words !== '') place.current?.focus()
  }, [words])
  return (
    <p ref={place} role="status" tabIndex={-1} className="outline-none">
      {words}
    </p>
  )
}
