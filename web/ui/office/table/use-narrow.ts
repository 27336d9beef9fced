import { useSyncExternalStore } from 'react'

const narrow = () => globalThis.matchMedia('(max-width: 39.99rem)')

const subscribe = (listener: () => void) => {
  const query = narrow()
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** Is the window as narrow as a phone, where a table becomes cards? */
export const useNarrow = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => narrow().matches,
    () => false,
  )
