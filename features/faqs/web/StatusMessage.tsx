import { useLayoutEffect, useRef } from 'react'

/** Message after an action. The action may have removed its button, so the focus moves here. */
export function StatusMessage({ message }: { message: string }) {
  const messageRef = useRef<HTMLParagraphElement>(null)
  useLayoutEffect(() => {
    if (message !== '') messageRef.current?.focus()
  }, [message])
  return (
    <p ref={messageRef} role="status" tabIndex={-1} className="outline-none">
      {message}
    </p>
  )
}
