import '../web/no-page.ts'
import type { Messages } from '@lingui/core'
import { renderToString } from 'react-dom/server'
import type { BootData } from '../shared/boot.ts'
import { guard } from '../web/guard.ts'
import { activate } from '../web/other-language.ts'
import { pageOf, withPage } from '../web/page.ts'
import { setLocation } from '../web/router/router.ts'
import { screenOf, routeFinder, treeOf } from '../web/shell.tsx'
import { citizenShell } from './citizen-shell.tsx'

export { earlyScript } from '../web/early-script.ts'

const find = routeFinder(citizenShell.routes)

/** Renders the HTML and the title of a residents' page. Returns null for a page that only the browser renders. */
export async function renderPage(
  boot: BootData,
  path: string,
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
  if (within(() => guard(path)) !== null) return null
  // The code of the screen loads outside the page, because loading takes time.
  const { default: Screen } = await within(match.value.screen)
  return within(() => {
    const screen = screenOf(match, Screen)
    setLocation({ path, query: '', how: 'first', ...screen })
    return { html: renderToString(treeOf(citizenShell)), title: screen.title }
  })
}
