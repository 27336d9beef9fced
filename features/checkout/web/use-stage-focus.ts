import { useEffect, useLayoutEffect, useRef } from 'react'
import { startAtTop } from '../../../web/router/scroll.ts'
import type { View } from './use-payment.ts'

/**
 * Moves the focus to the result when the view changes or a response arrives. After a pending fee charge ends, the page
 * remounts and can lose the focus, so this hook restores it.
 */
export function useStageFocus(view: View | null, round: number, fee: string): void {
  const feeBefore = useRef(fee)
  useEffect(() => {
    const isFinished = feeBefore.current === 'waiting' && fee !== 'waiting'
    feeBefore.current = fee
    if (isFinished && document.activeElement === document.body) focusOutcome()
  }, [fee])
  const stageBefore = useRef<string | null>(null)
  useLayoutEffect(() => {
    // After a reload, the short message about a lost payment replaces the long form, so the page scrolls to the top.
    if (view === 'checking' && stageBefore.current === null) startAtTop()
  }, [view])
  useEffect(() => {
    const stage = view && `${view} ${round}`
    const isChanged = stageBefore.current !== null && stage !== null && stageBefore.current !== stage
    stageBefore.current = stage
    if (isChanged && focusOutcome()) globalThis.scrollTo({ top: 0 })
  }, [view, round])
}

function focusOutcome(): boolean {
  const heading = document.getElementById('outcome')
  if (!heading) return false
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
  return true
}
