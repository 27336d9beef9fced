/** Navigation between screens. Within a shell, the router navigates. A screen of another shell loads a new page. */
import { type Entry, entryOf } from '../shared/screens.ts'

interface Mover {
  entry: Entry
  push: (href: string, replace: boolean, back?: string) => void
}

let mover: Mover | null = null

/** Registers a shell's entry and router once, before it renders. */
export const moveWith = (next: Mover): void => {
  mover = next
}

/** True if this shell contains the screen, so no page load is needed. */
export const isOwnHref = (href: string): boolean =>
  mover !== null && href.startsWith('/') && entryOf(href) === mover.entry

interface NavigateOptions {
  replace?: boolean
  /** Target of the browser's Back button, in place of the current screen, for example after a sent form. */
  back?: string
}

/** Opens a path of this origin (with query) or another origin. */
export function go(href: string, { replace = false, back }: NavigateOptions = {}): void {
  if (mover && isOwnHref(href)) mover.push(href, replace, back)
  else if (replace) location.replace(href)
  else location.assign(href)
}

/** Returns the URL of this screen with these query changes. Null removes a parameter. */
export function withQuery(changes: Readonly<Record<string, string | null>>): string {
  const query = new URLSearchParams(location.search)
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === '') query.delete(name)
    else query.set(name, value)
  }
  const text = query.toString()
  return location.pathname + (text && `?${text}`)
}

/** Changes the query string in place, without leaving the screen. Null removes a parameter. */
export const setQuery = (changes: Readonly<Record<string, string | null>>): void =>
  mover?.push(withQuery(changes), true)
