import '../web/no-page.ts'
import type { Messages } from '@lingui/core'
import { renderToString } from 'react-dom/server'
import type { PageUrl } from '../server/page-texts.ts'
import type { BootData } from '../shared/boot.ts'
import type { Endpoint } from '../shared/endpoint.ts'
import type { RenderKind } from '../shared/screens.ts'
import { alertCheck } from '../features/alerts/web/citizen.ts'
import { earlyScript as earlyScriptOf } from '../web/early-script.ts'
import { guard } from '../web/guard.ts'
import { isClosed } from '../web/modules.ts'
import { activate } from '../web/other-language.ts'
import { pageOf, withPage } from '../web/page.ts'
import { fillQueries, queries } from '../web/query.ts'
import { setLocation } from '../web/router/router.ts'
import { screenOf, routeFinder, treeOf } from '../web/shell.tsx'
import { citizenShell } from './citizen-shell.tsx'

const find = routeFinder(citizenShell.routes)

/** Returns how the server renders the page of a path. Null for a page that only the browser renders. */
export const kindOf = (path: string): RenderKind | null => find(path)?.value.rendered ?? null

/** Returns the inline script that loads the main script of a page, and the files that it imports. */
export const earlyScript = async (
  path: string,
  files: { script: string; preloads: readonly string[] },
): Promise<string> =>
  earlyScriptOf({
    ...files,
    isUnprompted: find(path)?.value.startsUnprompted ?? false,
    alerts: await alertCheck(),
  })

/** Returns the calls that a page makes first. */
export async function callsOf({ path, query }: PageUrl): Promise<readonly (readonly [Endpoint, object])[]> {
  const match = find(path)
  const { calls } = (await match?.value.screen()) ?? {}
  return calls?.({ params: match?.params ?? {}, query: new URLSearchParams(query) }) ?? []
}

/**
 * Renders the HTML and the title of a residents' page, with the responses of its calls in `boot.responses`. Returns
 * null for a page that only the browser renders.
 */
export async function renderPage(
  boot: BootData,
  { path, query }: PageUrl,
  messages: Messages,
): Promise<{ html: string; title: string } | null> {
  const match = find(path)
  if (match?.value.rendered === undefined) return null
  const page = pageOf(boot)
  const within = <T,>(work: () => T) =>
    withPage(page, () => {
      activate(boot.locale, messages)
      return work()
    })
  if (within(() => guard(path) !== null || isClosed(path))) return null
  // The code of the screen loads outside the page, because loading takes time.
  const { default: Screen, needsBrowser } = await within(match.value.screen)
  if (needsBrowser?.(boot.responses.map(({ response }) => response))) return null
  return within(() => {
    const screen = screenOf(match, Screen)
    setLocation({ path, query, how: 'first', ...screen })
    fillQueries()
    try {
      return { html: renderToString(treeOf(citizenShell)), title: screen.title }
    } finally {
      queries.clear()
    }
  })
}
