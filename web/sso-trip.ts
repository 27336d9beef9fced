import { leavePage } from './go.ts'

/**
 * Storage key for this tab's state during an SSO sign-in: its purpose, and a secret that only this tab has. The secret
 * prevents a crafted link from signing a person in as someone else.
 */
const KEY = 'sso'

interface SsoRoundTrip {
  browser: string
  /** Path to return to after a test sign-in. Null for a real sign-in. */
  trial: string | null
}

/** Stores the state and redirects to the identity provider. */
export function leaveFor(url: string, trip: SsoRoundTrip): void {
  sessionStorage.setItem(KEY, JSON.stringify(trip))
  leavePage(url)
}

/** Returns and deletes the stored state. */
export function takeTrip(): SsoRoundTrip | null {
  const text = sessionStorage.getItem(KEY)
  sessionStorage.removeItem(KEY)
  try {
    return text === null ? null : (JSON.parse(text) as SsoRoundTrip)
  } catch {
    return null
  }
}
