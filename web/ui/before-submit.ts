import { createContext, use, useEffect, useEffectEvent } from 'react'

export type Wait = () => Promise<void>

/** What the fields of the surrounding form still finish before its rules look at the values. */
export const BeforeSubmit = createContext<Set<Wait> | null>(null)

/** Lets a field finish a look-up when its form is sent: the same press acts on the result. */
export function useBeforeSubmit(finish: Wait): void {
  const waiting = use(BeforeSubmit)
  const wait = useEffectEvent(finish)
  useEffect(() => {
    if (!waiting) return
    const one = () => wait()
    waiting.add(one)
    return () => void waiting.delete(one)
  }, [waiting])
}
