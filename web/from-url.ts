/** Where somebody was going before they were asked to sign in (specification 6.2: fromURL). */
const KEY = 'fromURL'

/** The ways in lead nowhere by themselves: what was remembered before them stays. */
const WAY_IN = /^\/(?:(?:admin\/)?sign-?in|sign-up|reset-password|sso-\w[\w-]*|sso\/[\w-]+)\/?$/i

/** Remembers a path of this origin with its query. Coming from /utility-index means /utility-portal. */
export function rememberFromUrl({ pathname, search }: Pick<URL, 'pathname' | 'search'>): void {
  if (WAY_IN.test(pathname)) return
  sessionStorage.setItem(KEY, /^\/utility-index\/?$/i.test(pathname) ? '/utility-portal' : pathname + search)
}

/** Names where to go after signing in, without being there. */
export const goOnTo = (path: string): void => sessionStorage.setItem(KEY, path)

/** Hands out what was remembered, once. Only a path of this origin: nobody is led elsewhere after signing in. */
export function takeFromUrl(): string | null {
  const href = sessionStorage.getItem(KEY)
  sessionStorage.removeItem(KEY)
  return href && /^\/(?![/\\])/.test(href) ? href : null
}
