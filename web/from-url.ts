/** Storage key of the page to open after sign-in (spec 6.2: fromURL). */
const KEY = 'fromURL'

/** Paths of sign-in pages. They never replace the stored page, because sign-in must not lead back to them. */
const ENTRY_PATH = /^\/(?:(?:admin\/)?sign-?in|sign-up|reset-password|sso-\w[\w-]*|sso\/[\w-]+)\/?$/i

/** Stores the page to open after sign-in: path and query on this origin. Stores /utility-index as /utility-portal. */
export function rememberFromUrl({ pathname, search }: Pick<URL, 'pathname' | 'search'>): void {
  if (ENTRY_PATH.test(pathname)) return
  sessionStorage.setItem(KEY, /^\/utility-index\/?$/i.test(pathname) ? '/utility-portal' : pathname + search)
}

/** Sets the page to open after sign-in. */
export const goOnTo = (path: string): void => sessionStorage.setItem(KEY, path)

/**
 * Returns and deletes the stored path. Accepts only paths of this origin, so that sign-in never redirects to another
 * site.
 */
export function takeFromUrl(): string | null {
  const href = sessionStorage.getItem(KEY)
  sessionStorage.removeItem(KEY)
  return href && /^\/(?![/\\])/.test(href) ? href : null
}
