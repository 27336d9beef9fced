import { useLayoutEffect, useRef } from 'react'

/** Message after an action. Its button may be gone, so the focus moves here. */
export function StatusMessage({ words }: { words: string }) {
  const messageRef = useRef<HTMLParagraphElement>(null)
  useLayoutEffect(() => {
    if (words !== '') messageRef.current?.focus()
  }, [words])
  return (
    <p ref={messageRef} role="status" tabIndex={-1} className="outline-none">
      {words}
    </p>
  )
}
