import { useEffect, useEffectEvent, useRef, useState } from 'react'

let isPointerDown = false
if (typeof window !== 'undefined') {
  addEventListener('pointerdown', () => (isPointerDown = true), { capture: true })
  for (const end of ['pointerup', 'pointercancel'])
    addEventListener(end, () => (isPointerDown = false), { capture: true })
}

/** Runs `act` after the pointer is released and the click has been handled. Returns a function that cancels `act`. */
function afterPointerUp(act: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const soon = () => (timer = setTimeout(act))
  if (!isPointerDown) soon()
  else for (const end of ['pointerup', 'pointercancel']) addEventListener(end, soon, { once: true })
  return () => {
    clearTimeout(timer)
    for (const end of ['pointerup', 'pointercancel']) removeEventListener(end, soon)
  }
}

/**
 * Returns whether the person has left a field, so that the form can show its error. A button press also makes the
 * person leave the field. The error then waits until the press has ended, because it would move the button away from
 * the pointer.
 */
export function useLeft(): [left: boolean, leave: () => void, enter: () => void] {
  const [left, setLeft] = useState(false)
  const cancel = useRef(() => {})
  const enter = () => {
    cancel.current()
    setLeft(false)
  }
  const leave = () => {
    cancel.current()
    cancel.current = afterPointerUp(() => setLeft(true))
  }
  const stop = useEffectEvent(() => cancel.current())
  useEffect(() => () => stop(), [])
  return [left, leave, enter]
}
