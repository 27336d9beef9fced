/**
 * Database for the data downloaded for offline work. It is separate from the database of actions, so that it can be
 * deleted without opening it.
 */
export const DAY_DATABASE = 'field-day'
/** Storage key of the person who downloaded the data (`stored-session.ts`). */
export const OWNER_KEY = 'field'

/**
 * Returns the person who downloaded their day's work on this device, as JSON. Null if no one downloaded it, or if
 * storage is unavailable.
 */
export function offlineOwner(): string | null {
  try {
    return localStorage.getItem(OWNER_KEY)
  } catch {
    return null
  }
}

/** Erases the offline data at sign-out, and before another person sees the screen. Unsent actions stay. */
export function eraseOfflineData(): void {
  if (!offlineOwner()) return
  localStorage.removeItem(OWNER_KEY)
  indexedDB.deleteDatabase(DAY_DATABASE)
}
