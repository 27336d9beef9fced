/** Returns the path of a service's URL. The URL may lack the leading slash or include a query. */
export function pathOf(url: string): string {
  const path = url.trim().replace(/[?#].*$/, '')
  // Removes extra leading slashes, because a path that starts with two slashes would be a URL of another host.
  return `/${path.replace(/^[/\\]+/, '')}`
}

/** True for the relocation tile. A click on the tile does nothing, because the tile contains links (spec 2.8). */
export const isRelocation = (url: string): boolean => /^\/relocate\/?$/i.test(pathOf(url))

/** Returns the target of a tile: its path, with the url's query string as `?resource=` (spec 2.8). */
export function tileHref(url: string): string {
  const query = /\?([^#]*)/.exec(url)?.[1]
  return pathOf(url) + (query ? `?resource=${encodeURIComponent(query)}` : '')
}
