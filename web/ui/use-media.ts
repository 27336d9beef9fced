import { useCallback, useSyncExternalStore } from 'react'

/** True if the window matches a media query. The component renders again when the result changes. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const mediaQuery = globalThis.matchMedia(query)
      mediaQuery.addEventListener('change', listener)
      return () => mediaQuery.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(
    subscribe,
    () => globalThis.matchMedia(query).matches,
    () => false,
  )
}
