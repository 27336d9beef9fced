/**
 * Router that finds the screen of a URL. Screens are not nested and load their own data, so about a hundred lines are
 * enough. A general router library would add 20 kB to every resident's download.
 */
import type { ComponentType } from 'react'
import { newEntry } from './entry-state.ts'
import { keepHeight, rememberScroll } from './scroll.ts'

/** The current screen and its URL. */
export interface RouterLocation {
  path: string
  /** The query string with its question mark, or ''. */
  query: string
  params: Readonly<Record<string, string>>
  Screen: ComponentType
  /** Title of the browser's tab. */
  title: string
  /** Type of navigation, which determines focus and scrolling. */
  how: NavigationType
}

export type NavigationType = 'first' | 'push' | 'replace' | 'pop'

interface Router {
  /** Returns the redirect for a path, or null. Never resolves if the redirect loads a new page. */
  guard: (href: string, path: string) => Promise<string | null>
  load: (path: string) => Promise<Pick<RouterLocation, 'Screen' | 'params' | 'title'>>
}

let router: Router
let current: RouterLocation
let round = 0
const listeners = new Set<() => void>()

export const currentLocation = (): RouterLocation => current

export const subscribeLocation = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Sets the location of the page that the server renders. */
export function setLocation(next: RouterLocation): void {
  current = next
}

function show(next: RouterLocation): void {
  current = next
  for (const listener of listeners) listener()
}

function enter(href: string, how: NavigationType, back: string | undefined): void {
  if (how === 'push') {
    // The entry for `back` replaces the current history entry. Its screen then starts at the top.
    if (back === undefined) rememberScroll()
    else history.replaceState(newEntry(), '', back)
    history.pushState(newEntry(), '', href)
  }
  if (how === 'replace' || how === 'first') history.replaceState(history.state ?? newEntry(), '', href)
  if (how === 'pop' || how === 'first') keepHeight()
}

/** Opens a URL of this shell. If an earlier call is still loading its screen, that screen is no longer shown. */
export async function navigate(href: string, how: NavigationType, back?: string): Promise<void> {
  const ownRound = ++round
  const { pathname: path, search: query, hash } = new URL(href, location.href)
  if (how !== 'first' && path === current.path) {
    enter(href, how, back)
    return show({ ...current, query, how })
  }
  const instead = await router.guard(href, path)
  if (ownRound !== round) return
  if (instead) return navigate(instead, how === 'push' ? 'push' : how === 'first' ? 'first' : 'replace')
  const loaded = await router.load(path)
  if (ownRound !== round) return
  enter(path + query + hash, how, back)
  show({ path, query, how, ...loaded })
}

/** Shows the screen for the page's URL. Follows the Back and Forward buttons of the browser. */
export async function startRouter(newRouter: Router): Promise<void> {
  router = newRouter
  history.scrollRestoration = 'manual'
  addEventListener('popstate', () => void navigate(location.href, 'pop'))
  addEventListener('pagehide', rememberScroll)
  await navigate(location.href, 'first')
}
