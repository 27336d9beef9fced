import { useCallback, useSyncExternalStore } from 'react'

/** Does the window meet a media query? It is asked anew whenever that changes. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const asked = globalThis.matchMedia(query)
      asked.addEventListener('change', listener)
      return () => asked.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(
    subscribe,
    () => globalThis.matchMedia(query).matches,
    () => false,
  )
}
