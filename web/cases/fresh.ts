import { useEffect, useRef } from 'react'
import type { CaseCalls } from '../../shared/cases.ts'
import type { Endpoint } from '../../shared/endpoint.ts'
import { useLive } from '../live.ts'
import { reload } from '../query.ts'

/** One step makes several events at once; the lists are asked once for all of them. */
const GATHER_MS = 400

/** Asks anew what is on show of a kind of case. @param own the feature's list, and its call that shows one */
export const reloadCases = (of: CaseCalls, own: readonly Endpoint[]): Promise<unknown> =>
  Promise.all([...own, of.assignees, of.unread].map(reload))

/** The same whenever one comes or changes, also by somebody else's hand. */
export function useFreshCases(of: CaseCalls, own: readonly Endpoint[]): void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const askAnew = () => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void reloadCases(of, own), GATHER_MS)
  }
  useLive(of.events, askAnew, askAnew)
}
