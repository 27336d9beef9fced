/**
 * What this tab keeps while somebody is away at the issuer that signs them in: a secret that only the tab which was sent
 * can show (so nobody can be signed in as another by a link), and what the trip is for.
 */
const KEY = 'sso'

interface SsoRoundTrip {
  browser: string
  /** Where a trial ends; null: it is a sign-in. */
  trial: string | null
}

/** Keeps it and leaves for the issuer. */
export function leaveFor(url: string, trip: SsoRoundTrip): void {
  sessionStorage.setItem(KEY, JSON.stringify(trip))
  location.assign(url)
}

/** Hands it out, once. */
export function takeTrip(): SsoRoundTrip | null {
  const text = sessionStorage.getItem(KEY)
  sessionStorage.removeItem(KEY)
  try {
    return text === null ? null : (JSON.parse(text) as SsoRoundTrip)
  } catch {
    return null
  }
}
