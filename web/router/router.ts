/**
 * The way from an address to a screen. Our screens stand side by side, none within another, and load their own data, so
 * a router of some hundred lines serves them: a general one costs every resident 20 kB more.
 */
import type { ComponentType } from 'react'
import { keepHeight, newEntry, rememberScroll } from './scroll.ts'

/** What is on show. */
export interface RouterLocation {
  path: string
  /** The query string with its question mark, or ''. */
  query: string
  params: Readonly<Record<string, string>>
  Screen: ComponentType
  /** Of the browser's tab. */
  title: string
  /** How we got here, which decides about focus and scrolling. */
  how: NavigationType
}

export type NavigationType = 'first' | 'push' | 'replace' | 'pop'

interface Router {
  /** Where to go instead of a path, or null. Never resolves when the page goes away. */
  guard: (href: string, path: string) => Promise<string | null>
  load: (path: string) => Promise<Pick<RouterLocation, 'Screen' | 'params' | 'title'>>
}

let router: Router
let place: RouterLocation
let round = 0
const listeners = new Set<() => void>()

export const currentPlace = (): RouterLocation => place

export const subscribePlace = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function show(next: RouterLocation): void {
  place = next
  for (const listener of listeners) listener()
}

function enter(href: string, how: NavigationType, back: string | undefined): void {
  if (how === 'push') {
    // What the way back leads to instead begins at its top.
    if (back === undefined) rememberScroll()
    else history.replaceState(newEntry(), '', back)
    history.pushState(newEntry(), '', href)
  }
  if (how === 'replace' || how === 'first') history.replaceState(history.state ?? newEntry(), '', href)
  if (how === 'pop' || how === 'first') keepHeight()
}

/** Goes to an address of this part of the portal. A later call overtakes one whose screen is still loading. */
export async function navigate(href: string, how: NavigationType, back?: string): Promise<void> {
  const mine = ++round
  const { pathname: path, search: query, hash } = new URL(href, location.href)
  if (how !== 'first' && path === place.path) {
    enter(href, how, back)
    return show({ ...place, query, how })
  }
  const instead = await router.guard(href, path)
  if (mine !== round) return
  if (instead) return navigate(instead, how === 'push' ? 'push' : how === 'first' ? 'first' : 'replace')
  const loaded = await router.load(path)
  if (mine !== round) return
  enter(path + query + hash, how, back)
  show({ path, query, how, ...loaded })
}

/** Shows the screen of the page's own address, and follows the history from then on. */
export async function startRouter(mine: Router): Promise<void> {
  router = mine
  history.scrollRestoration = 'manual'
  addEventListener('popstate', () => void navigate(location.href, 'pop'))
  addEventListener('pagehide', rememberScroll)
  await navigate(location.href, 'first')
}
