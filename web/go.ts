/** Moves between screens. Within a shell the router does it; to another shell the browser loads its page. */
import { type Entry, entryOf } from '../shared/screens.ts'

interface Mover {
  entry: Entry
  push: (href: string, replace: boolean, back?: string) => void
}

let mover: Mover | null = null

/** Each shell names its entry and its router once, before it renders. */
export const moveWith = (mine: Mover): void => {
  mover = mine
}

/** Does this shell hold the screen, so that no page has to be loaded? */
export const isMine = (href: string): boolean => mover !== null && href.startsWith('/') && entryOf(href) === mover.entry

interface NavigateOptions {
  replace?: boolean
  /** Where the browser's way back leads instead of to the screen that is left, as where a form that was sent stood on it. */
  back?: string
}

/** Goes to a path of this origin (with query), or to another origin. */
export function go(href: string, { replace = false, back }: NavigateOptions = {}): void {
  if (mover && isMine(href)) mover.push(href, replace, back)
  else if (replace) location.replace(href)
  else location.assign(href)
}

/** The address of this screen with these changes of its query. Null drops a parameter. */
export function withQuery(changes: Readonly<Record<string, string | null>>): string {
  const query = new URLSearchParams(location.search)
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === '') query.delete(name)
    else query.set(name, value)
  }
  const text = query.toString()
  return location.pathname + (text && `?${text}`)
}

/** Changes the query string in place, without leaving the screen: null drops a parameter. */
export const setQuery = (changes: Readonly<Record<string, string | null>>): void =>
  mover?.push(withQuery(changes), true)
