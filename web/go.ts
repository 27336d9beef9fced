/**
 * Navigation between screens. The router opens the screens of the current shell. To open a screen of another shell, the
 * browser loads a new page.
 */
import { type Entry, entryOf } from '../shared/screens.ts'

interface ShellRouter {
  entry: Entry
  push: (href: string, replace: boolean, back?: string) => void
}

let shellRouter: ShellRouter | null = null

/** Registers the entry and router of a shell. Called once, before the shell renders. */
export const registerRouter = (next: ShellRouter): void => {
  shellRouter = next
}

/** True if the current shell contains the screen, so that no page load is needed. */
export const isOwnHref = (href: string): boolean =>
  shellRouter !== null && href.startsWith('/') && entryOf(href) === shellRouter.entry

interface NavigateOptions {
  replace?: boolean
  /** Page that the Back button opens instead of the current screen, for example after a form is sent. */
  back?: string
}

/**
 * Opens another page, by code. Back then reloads this page, because the kept page would show the work that was in
 * progress, such as a sign-in.
 */
export function leavePage(href: string, replace = false): void {
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) location.reload()
  })
  if (replace) location.replace(href)
  else location.assign(href)
}

/** Opens a path of this origin (with query) or a URL of another origin. */
export function go(href: string, { replace = false, back }: NavigateOptions = {}): void {
  if (shellRouter && isOwnHref(href)) shellRouter.push(href, replace, back)
  else leavePage(href, replace)
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
  shellRouter?.push(withQuery(changes), true)
