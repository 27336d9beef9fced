import { type ComponentType, startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { entryOf } from '../shared/screens.ts'
import { rememberFromUrl } from './from-url.ts'
import { leavePage, registerRouter } from './go.ts'
import { guard } from './guard.ts'
import { isClosed } from './modules.ts'
import { page } from './page.ts'
import { noteEntries, released, repeatInput } from './repeat-input.ts'
import { currentLocation, navigate, type RouterLocation, startRouter } from './router/router.ts'
import type { RouteDef } from './routes.tsx'
import { currentSession, sessionReady } from './session.ts'
import { screenOf, routeFinder, type Shell, treeOf } from './shell.tsx'
import { Failed } from './ui/States.tsx'

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
export async function startShell(shell: Shell): Promise<void> {
  const { entry, routes, notFound, unguarded } = shell
  const { href: firstHref } = location
  const { locale, languageUrl } = page()
  if (languageUrl) await (await import('./other-language.ts')).readIn(locale, languageUrl)
  const find = routeFinder(routes)
  const load = async (path: string) => {
    const match = entry === 'citizen' && isClosed(path) ? null : find(path)
    return screenOf(match, match ? await loadScreen(match.value) : notFound)
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
  const start = () => {
    // Only the first screen shows the outcome of a form that was sent without JavaScript.
    page().sentForm = null
    void repeatInput()
  }
  const canHydrate = location.href === firstHref && isRendered(root)
  if (!canHydrate) await released()
  noteEntries()
  // In a transition, React pauses so that the browser can answer inputs.
  if (canHydrate) startTransition(() => void hydrateRoot(root, treeOf(shell, start)))
  else createRoot(root).render(treeOf(shell, start))
}

/**
 * True if React can take over the elements that the server rendered. The server renders pages without a session. A
 * browser's translator moves texts into `font` elements, which React does not find.
 */
const isRendered = (root: HTMLElement): boolean =>
  root.dataset['rendered'] !== undefined &&
  document.documentElement.dataset['rerender'] === undefined &&
  currentSession() === null &&
  !root.querySelector('font')
