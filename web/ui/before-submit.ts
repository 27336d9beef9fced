import { createContext, use, useEffect, useEffectEvent } from 'react'

export type Wait = () => Promise<void>

/** Look-ups of a form's fields. They must finish before the form's rules check the values. */
export const BeforeSubmit = createContext<Set<Wait> | null>(null)

/** Lets a field finish a look-up when its form is sent, so that the submission includes the result. */
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
