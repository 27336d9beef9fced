/**
 * Navigation between screens. The router opens the screens of the current shell. To open a screen of another shell, the
 * browser loads a new page.
 */
import { type Entry, entryOf } from '../shared/screens.ts'

interface Mover {
  entry: Entry
  push: (href: string, replace: boolean, back?: string) => void
}

let mover: Mover | null = null

/** Registers the entry and router of a shell. Called once, before the shell renders. */
export const moveWith = (next: Mover): void => {
  mover = next
}

/** True if the current shell contains the screen, so that no page load is needed. */
export const isOwnHref = (href: string): boolean =>
  mover !== null && href.startsWith('/') && entryOf(href) === mover.entry

interface NavigateOptions {
  replace?: boolean
  /** Page that the Back button opens instead of the current screen, for example after a form is sent. */
  back?: string
}

/** Opens a path of this origin (with query) or a URL of another origin. */
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
