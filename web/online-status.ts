import { useSyncExternalStore } from 'react'
import { page } from './page.ts'

/** Online status after a change on this page. Null if it did not change. */
let changed: boolean | null = null
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Shows a new online status of the municipality without a reload of the page. */
export function setOnline(isOnline: boolean): void {
  changed = isOnline
  for (const listener of listeners) listener()
}

/** True if residents can use the portal of the page's municipality. */
export const useOnline = (): boolean => useSyncExternalStore(subscribe, () => changed ?? page().company?.isOnline === 1)
