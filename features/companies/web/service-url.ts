/** A service's url is a path of this portal, perhaps without its slash, perhaps with a query. */
export function pathOf(url: string): string {
  const path = url.trim().replace(/[?#].*$/, '')
  // Never two slashes: that would be another host.
  return `/${path.replace(/^[/\\]+/, '')}`
}

/** A click on such a tile does nothing; it holds links of its own (specification 2.8). */
export const isRelocation = (url: string): boolean => /^\/relocate\/?$/i.test(pathOf(url))

/** Where a tile leads: its path, with the url's query string as `?resource=` (specification 2.8). */
export function tileHref(url: string): string {
  const query = /\?([^#]*)/.exec(url)?.[1]
  return pathOf(url) + (query ? `?resource=${encodeURIComponent(query)}` : '')
}
