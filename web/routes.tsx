import { I18nProvider } from '@lingui/react'
import { type ComponentType, StrictMode, useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { type Entry, entryOf, type RouteMeta, screenAt } from '../shared/screens.ts'
import { say, translated } from '../shared/words.ts'
import { boot, placeName } from './boot.ts'
import { rememberFromUrl } from './from-url.ts'
import { moveWith } from './go.ts'
import { guard } from './guard.ts'
import { i18n } from './i18n.ts'
import { matchPath, patternOf } from './router/match.ts'
import { Catch, usePlace } from './router/Outlet.tsx'
import { currentPlace, navigate, type RouterLocation, startRouter } from './router/router.ts'
import { sessionReady } from './session.ts'
import { Failed } from './ui/States.tsx'
import { Sentence } from './ui/Text.tsx'

/**
 * A screen of a feature. Title, meta flags and other spellings of the path come from `shared/screens.ts`, where every
 * screen is listed; give a title here only to differ.
 */
export interface RouteDef {
  /** As in `shared/screens.ts`: `/guest/payment/{token}`. */
  path: string
  /** `() => import('./GuestPaymentScreen.tsx')`: a default export, loaded when somebody goes there. */
  screen: () => Promise<{ default: ComponentType }>
  title?: string
  meta?: RouteMeta
}

interface ShellProps {
  entry: Entry
  /** Shows the screen with `<Outlet/>`. */
  layout: ComponentType
  routes: readonly RouteDef[]
  notFound: ComponentType
  /** No guard stands before the screens: the design page. */
  unguarded?: boolean
}

/** The tab's title: the screen, then the town. */
export const setTitle = (title: string): void => {
  document.title = `${title} · ${placeName}`
}

/** For a screen whose title depends on what it shows. */
export const useTitle = (title: string): void => useEffect(() => setTitle(title), [title])

/** A parameter of the path: `useParam('token')` in `/guest/payment/{token}`. */
export const useParam = (name: string): string => usePlace().params[name] ?? ''

/** The path on show, without query. */
export const usePath = (): string => usePlace().path

/** The query string on show, as one text that changes when it changes. */
export const useQueryText = (): string => usePlace().query

/** A parameter of the query, or null. */
export const useQueryParam = (name: string): string | null => new URLSearchParams(useQueryText()).get(name)

const forever = () => new Promise<never>(() => {})

/** A release came in between and the screen's file is gone: the page is loaded anew, once. */
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

/** Starts a part of the portal: its layout, its screens, the guard before them. */
export async function startShell({ entry, layout: Layout, routes, notFound, unguarded }: ShellProps): Promise<void> {
  if (boot.languageUrl) await (await import('./other-language.ts')).readIn(boot.locale, boot.languageUrl)
  const patterns = routes.flatMap((route) =>
    [route.path, ...(screenAt(route.path)?.aliases ?? [])].map((path) => patternOf(path, route)),
  )
  const load = async (path: string): Promise<Pick<RouterLocation, 'Screen' | 'params' | 'title'>> => {
    const match = matchPath(patterns, path)
    if (!match) return { Screen: notFound, params: {}, title: say`Page not found · ${placeName}` }
    const title = translated(match.value.title ?? screenAt(path)?.title ?? '')
    return { Screen: await loadScreen(match.value), params: match.params, title: `${title} · ${placeName}` }
  }
  const check = async (href: string, path: string): Promise<string | null> => {
    await sessionReady
    const instead = unguarded ? null : guard(path)
    const here = currentPlace() as RouterLocation | undefined
    const from = instead ? href : here && here.path + here.query
    if (/sign-?in\/?$/i.test(instead ?? path) && from) rememberFromUrl(new URL(from, location.href))
    if (!instead || entryOf(instead) === entry) return instead
    location.replace(instead)
    return forever()
  }
  const push = (href: string, replace: boolean, back?: string) =>
    void navigate(href, replace ? 'replace' : 'push', back)
  moveWith({ entry, push })
  await startRouter({ guard: check, load })

  const place = document.getElementById('root')
  if (!place) return
  createRoot(place).render(
    <StrictMode>
      <I18nProvider i18n={i18n} defaultComponent={Sentence}>
        <Catch>
          <Layout />
        </Catch>
      </I18nProvider>
    </StrictMode>,
  )
}
