/** Separate database for the data taken along, so that it can be erased without opening it. */
export const DAY_DATABASE = 'field-day'
/** Storage key of the person who took it along (`kept-session.ts`). */
export const WHO = 'field'

/** Returns the person who took their day along on this device, as JSON. Null if no one did, or without storage. */
export function tookAlong(): string | null {
  try {
    return localStorage.getItem(WHO)
  } catch {
    return null
  }
}

/** Erases the data taken along: at sign-out, and before another person sees the screen. Unsent actions stay. */
export function eraseOfflineData(): void {
  if (!tookAlong()) return
  localStorage.removeItem(WHO)
  indexedDB.deleteDatabase(DAY_DATABASE)
}
