import { type ComponentType, useEffect } from 'react'
import type { Endpoint } from '../shared/endpoint.ts'
import type { RenderKind, RouteMeta } from '../shared/screens.ts'
import { page } from './page.ts'
import { useRouterLocation } from './router/Outlet.tsx'

/** URL of a screen, with the parameters of its path. */
export interface ScreenUrl {
  params: Readonly<Record<string, string>>
  query: URLSearchParams
}

/** Module of a screen, loaded on demand. */
interface ScreenModule {
  default: ComponentType
  /** Returns the public calls that the screen makes first. The server makes them, if it renders the screen. */
  calls?: (url: ScreenUrl) => readonly (readonly [Endpoint, object])[]
  /** True if only the browser can render these responses of `calls`. */
  needsBrowser?: (responses: readonly unknown[]) => boolean
}

/**
 * Screen of a feature. Its title, meta flags and aliases come from `shared/screens.ts`, which lists every screen. Set a
 * title here only to override the title of that list.
 */
export interface RouteDef {
  /** Path as in `shared/screens.ts`: `/guest/payment/{token}`. */
  path: string
  /** Function that loads the screen on demand: `() => import('./GuestPaymentScreen.tsx')`. */
  screen: () => Promise<ScreenModule>
  /** Returns the title of this page in the reader's language. If undefined, the page has the title of the list. */
  title?: () => string | undefined
  meta?: RouteMeta
  /**
   * Set for a screen that the server renders for visitors. Everyone gets an equal `cached` page. A `fresh` page is
   * rendered for each request, with the query and the responses of the screen's calls. A `token` page is a fresh page
   * behind a secret link, and no cache keeps it. The script renders all other screens in an empty page.
   */
  rendered?: RenderKind
  /**
   * True if the script of a rendered screen starts soon after the page is loaded. Set for screens with parts that only
   * the script can show, such as a map. Otherwise, the script starts at the first input.
   */
  startsUnprompted?: boolean
}

/** Sets the tab's title to the screen's title and the name of the site. */
export const setTitle = (title: string): void => {
  document.title = `${title} · ${page().siteName}`
}

/** Sets the screen's title, if it depends on the screen's data. */
export const useTitle = (title: string): void => useEffect(() => setTitle(title), [title])

/** Returns a path parameter: `useParam('token')` in `/guest/payment/{token}`. */
export const useParam = (name: string): string => useRouterLocation().params[name] ?? ''

/** Returns the current path, without query. */
export const usePath = (): string => useRouterLocation().path

/** Returns the current query string. */
export const useQueryText = (): string => useRouterLocation().query

/** Returns a query parameter, or null. */
export const useQueryParam = (name: string): string | null => new URLSearchParams(useQueryText()).get(name)
