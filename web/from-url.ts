/** Storage key of the page that the person wanted before the sign-in page (spec 6.2: fromURL). */
const KEY = 'fromURL'

/** Paths of sign-in pages. They are never stored as the page to open, so an earlier stored page stays. */
const ENTRY_PATH = /^\/(?:(?:admin\/)?sign-?in|sign-up|reset-password|sso-\w[\w-]*|sso\/[\w-]+)\/?$/i

/** Stores a path of this origin with its query. /utility-index is stored as /utility-portal. */
export function rememberFromUrl({ pathname, search }: Pick<URL, 'pathname' | 'search'>): void {
  if (ENTRY_PATH.test(pathname)) return
  sessionStorage.setItem(KEY, /^\/utility-index\/?$/i.test(pathname) ? '/utility-portal' : pathname + search)
}

/** Sets the page to open after sign-in. */
export const goOnTo = (path: string): void => sessionStorage.setItem(KEY, path)

/**
 * Returns the stored path once. Accepts only paths of this origin, so that no one is redirected elsewhere after
 * sign-in.
 */
export function takeFromUrl(): string | null {
  const href = sessionStorage.getItem(KEY)
  sessionStorage.removeItem(KEY)
  return href && /^\/(?![/\\])/.test(href) ? href : null
}
