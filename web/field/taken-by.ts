/** Separate database for the offline data, so that the data can be erased without opening the database. */
export const DAY_DATABASE = 'field-day'
/** Storage key of the person who downloaded the data (`stored-session.ts`). */
export const WHO = 'field'

/**
 * Returns the person who downloaded their day's work on this device, as JSON. Null if no one did, or without storage.
 */
export function tookAlong(): string | null {
  try {
    return localStorage.getItem(WHO)
  } catch {
    return null
  }
}

/** Erases the offline data at sign-out, and before another person sees the screen. Unsent actions stay. */
export function eraseOfflineData(): void {
  if (!tookAlong()) return
  localStorage.removeItem(WHO)
  indexedDB.deleteDatabase(DAY_DATABASE)
}
