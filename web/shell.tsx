import { I18nProvider } from '@lingui/react'
import { type ComponentType, type ReactNode, StrictMode, useEffect } from 'react'
import { type Entry, screenAt } from '../shared/screens.ts'
import { say, translated } from '../shared/messages.ts'
import { i18n } from './i18n.ts'
import { page } from './page.ts'
import { matchPath, type Match, patternOf } from './router/match.ts'
import { Catch } from './router/Outlet.tsx'
import type { RouterLocation } from './router/router.ts'
import type { RouteDef } from './routes.tsx'
import { Message } from './ui/Text.tsx'

/** A part of the portal with its own layout: residents, staff or administrators. */
export interface Shell {
  entry: Entry
  /** Layout that shows the screen with `<Outlet/>`. */
  layout: ComponentType
  routes: readonly RouteDef[]
  notFound: ComponentType
  /** True if the screens have no route guard, as on the design page. */
  unguarded?: boolean
}

/** Returns a function that finds the route of a path. It returns null for an unknown path. */
export function routeFinder(routes: readonly RouteDef[]): (path: string) => Match<RouteDef> | null {
  const patterns = routes.flatMap((route) =>
    [route.path, ...(screenAt(route.path)?.aliases ?? [])].map((path) => patternOf(path, route)),
  )
  return (path) => matchPath(patterns, path)
}

type ScreenParts = Pick<RouterLocation, 'Screen' | 'params' | 'title'>

/** Returns the screen of a route, or the page for an unknown path, with the title of the browser's tab. */
export function screenOf(match: Match<RouteDef> | null, Screen: ComponentType): ScreenParts {
  const { siteName } = page()
  if (!match) return { Screen, params: {}, title: say`Page not found · ${siteName}` }
  const title = match.value.title?.() ?? translated(screenAt(match.value.path)?.title ?? '')
  return { Screen, params: match.params, title: `${title} · ${siteName}` }
}

/**
 * Returns the tree of a shell. The server and the browser use the same tree, so that the browser can take over the
 * server's page.
 */
export const treeOf = ({ layout: Layout }: Shell, onStart?: () => void): ReactNode => (
  <StrictMode>
    <I18nProvider i18n={i18n} defaultComponent={Message}>
      <Started onStart={onStart}>
        <Catch>
          <Layout />
        </Catch>
      </Started>
    </I18nProvider>
  </StrictMode>
)

/** Calls `onStart` when its content first handles events. */
function Started({ onStart, children }: { onStart: (() => void) | undefined; children: ReactNode }) {
  useEffect(() => onStart?.(), [onStart])
  return children
}
