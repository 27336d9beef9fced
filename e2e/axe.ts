import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Frame, Page } from '@playwright/test'
import type { AxeResults, RunOptions } from 'axe-core'

/** Its smaller half: each document has to read it anew, which takes as long as a look. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** What can go wrong at one width and not at another: sizes, scrolling, and what only cards or folded menus have. */
const LAYOUT = [
  'target-size',
  'scrollable-region-focusable',
  'button-name',
  'link-name',
  'label',
  'aria-hidden-focus',
  'nested-interactive',
  'list',
  'listitem',
  'heading-order',
]

interface InjectedAxe {
  run(context: Document | Element, options: RunOptions): Promise<AxeResults>
}

export type Rules = 'all' | 'layout'

/**
 * What axe finds against WCAG 2.2 AA and its best practices on a page as it stands, and within its frames. By day in a dialog
 * alone, where one is open: nothing else can be reached, and the page behind it is looked at without it.
 */
export async function findingsOf(page: Page, rules: Rules): Promise<string[]> {
  const found = await Promise.all(page.frames().map((frame) => findingsIn(frame, frame === page.mainFrame(), rules)))
  return found.flat()
}

async function findingsIn(frame: Frame, main: boolean, rules: Rules): Promise<string[]> {
  // A frame that only hands something over has nothing to look at.
  if (!main && !(await frame.locator('body *').first().isVisible())) return []
  if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(AXE)
  return frame.evaluate(
    async ({ tags, only, behind }) => {
      const { axe: here } = window as unknown as { axe: InjectedAxe }
      // In forced colours the reader chose them, and axe sees ours.
      const forced = matchMedia('(forced-colors: active)').matches
      const dialog = behind ? undefined : [...document.querySelectorAll(':modal')].at(-1)
      const { violations } = await here.run(dialog ?? document, {
        runOnly: only ? { type: 'rule', values: only } : { type: 'tag', values: tags },
        rules: forced ? { 'color-contrast': { enabled: false } } : {},
        resultTypes: ['violations'],
        // Each frame is looked into by itself, since those of other origins answer nobody else.
        iframes: false,
      })
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`)
    },
    // Best practices are about whole pages.
    {
      tags: main ? [...TAGS, 'best-practice'] : TAGS,
      only: rules === 'layout' ? LAYOUT : null,
      behind: Boolean(process.env['NIGHTLY']),
    },
  )
}
