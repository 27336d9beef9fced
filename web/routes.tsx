import { I18nProvider } from '@lingui/react'
import { type ComponentType, StrictMode, useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { type Entry, entryOf, type RouteMeta, screenAt } from '../shared/screens.ts'
import { say, translated } from '../shared/messages.ts'
import { boot, siteName } from './boot.ts'
import { rememberFromUrl } from './from-url.ts'
import { leavePage, registerRouter } from './go.ts'
import { guard } from './guard.ts'
import { i18n } from './i18n.ts'
import { matchPath, patternOf } from './router/match.ts'
import { Catch, useRouterLocation } from './router/Outlet.tsx'
import { currentLocation, navigate, type RouterLocation, startRouter } from './router/router.ts'
import { sessionReady } from './session.ts'
import { Failed } from './ui/States.tsx'
import { Message } from './ui/Text.tsx'

/**
 * Screen of a feature. Its title, meta flags and aliases come from `shared/screens.ts`, which lists every screen. Set a
 * title here only to override the title of that list.
 */
export interface RouteDef {
  /** Path as in `shared/screens.ts`: `/guest/payment/{token}`. */
  path: string
  /** Function that loads the screen on demand as a default export: `() => import('./GuestPaymentScreen.tsx')`. */
  screen: () => Promise<{ default: ComponentType }>
  title?: string
  meta?: RouteMeta
}

interface ShellProps {
  entry: Entry
  /** Layout that shows the screen with `<Outlet/>`. */
  layout: ComponentType
  routes: readonly RouteDef[]
  notFound: ComponentType
  /** True if the screens have no route guard, as on the design page. */
  unguarded?: boolean
}

/** Sets the tab's title to the screen's title and the name of the site. */
export const setTitle = (title: string): void => {
  document.title = `${title} · ${siteName}`
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

const forever = () => new Promise<never>(() => {})

/** Loads the code of a screen. If a new release has replaced the screen's file, the page reloads once. */
async function loadScreen({ path, screen }: RouteDef): Promise<ComponentType> {
  const key = `reloaded:${path}`
  try {
    const { default: Screen } = await screen()
    sessionStorage.removeItem(key)
    return Screen
  } catch (error) {
    if (sessionStorage.getItem(key)) return () => <Failed error={error} onRetry={() => location.reload()} />
    sessionStorage.setItem(key, '1')
    location.reload()
    return forever()
  }
}

/** Starts a shell of the portal: its layout, screens and guard. */
export async function startShell({ entry, layout: Layout, routes, notFound, unguarded }: ShellProps): Promise<void> {
  if (boot.languageUrl) await (await import('./other-language.ts')).readIn(boot.locale, boot.languageUrl)
  const patterns = routes.flatMap((route) =>
    [route.path, ...(screenAt(route.path)?.aliases ?? [])].map((path) => patternOf(path, route)),
  )
  const load = async (path: string): Promise<Pick<RouterLocation, 'Screen' | 'params' | 'title'>> => {
    const match = matchPath(patterns, path)
    if (!match) return { Screen: notFound, params: {}, title: say`Page not found · ${siteName}` }
    const title = translated(match.value.title ?? screenAt(path)?.title ?? '')
    return { Screen: await loadScreen(match.value), params: match.params, title: `${title} · ${siteName}` }
  }
  const check = async (href: string, path: string): Promise<string | null> => {
    await sessionReady
    const instead = unguarded ? null : guard(path)
    const here = currentLocation() as RouterLocation | undefined
    const from = instead ? href : here && here.path + here.query
    if (/sign-?in\/?$/i.test(instead ?? path) && from) rememberFromUrl(new URL(from, location.href))
    if (!instead || entryOf(instead) === entry) return instead
    leavePage(instead, true)
    return forever()
  }
  const push = (href: string, replace: boolean, back?: string) =>
    void navigate(href, replace ? 'replace' : 'push', back)
  registerRouter({ entry, push })
  await startRouter({ guard: check, load })

  const root = document.getElementById('root')
  if (!root) return
  createRoot(root).render(
    <StrictMode>
      <I18nProvider i18n={i18n} defaultComponent={Message}>
        <Catch>
          <Layout />
        </Catch>
      </I18nProvider>
    </StrictMode>,
  )
}
