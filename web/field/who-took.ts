/** What was taken along is a database of its own, so that it can be erased without being opened. */
export const DAY_DATABASE = 'field-day'
/** Under which name the browser remembers who took it along (`kept-session.ts`). */
export const WHO = 'field'

/** Who took their day along on this device, as JSON; null where nobody did, or where the browser keeps nothing. */
export function tookAlong(): string | null {
  try {
    return localStorage.getItem(WHO)
  } catch {
    return null
  }
}

/** Erases what was taken along: at signing out, and before another person is shown anything. What waits to be sent stays. */
export function eraseTaken(): void {
  if (!tookAlong()) return
  localStorage.removeItem(WHO)
  indexedDB.deleteDatabase(DAY_DATABASE)
}
