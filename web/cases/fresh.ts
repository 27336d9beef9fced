import { useEffect, useRef } from 'react'
import type { CaseCalls } from '../../shared/cases.ts'
import type { Endpoint } from '../../shared/endpoint.ts'
import { useLive } from '../live.ts'
import { reload } from '../query.ts'

/** Delay before lists reload, in milliseconds. One action sends several events, which cause only one reload. */
const GATHER_MS = 400

/** Reloads the shown data of a kind of case. @param own the feature's list call, and its call for one case */
export const reloadCases = (of: CaseCalls, own: readonly Endpoint[]): Promise<unknown> =>
  Promise.all([...own, of.assignees, of.unread, of.present].map(reload))

/** Reloads the shown cases whenever any person adds or changes a case. */
export function useFreshCases(of: CaseCalls, own: readonly Endpoint[]): void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const refresh = () => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void reloadCases(of, own), GATHER_MS)
  }
  useLive(of.events, ({ presence }) => (presence ? void reload(of.present) : refresh()), refresh)
}
