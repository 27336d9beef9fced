import { createContext, use, useEffect, useEffectEvent } from 'react'

export type Wait = () => Promise<void>

/** Look-ups that fields of the surrounding form finish before its rules check the values. */
export const BeforeSubmit = createContext<Set<Wait> | null>(null)

/** Lets a field finish a look-up when its form is sent, so that the same press uses the result. */
export function useBeforeSubmit(finish: Wait): void {
  const pendingLookups = use(BeforeSubmit)
  const wait = useEffectEvent(finish)
  useEffect(() => {
    if (!pendingLookups) return
    const one = () => wait()
    pendingLookups.add(one)
    return () => void pendingLookups.delete(one)
  }, [pendingLookups])
}
