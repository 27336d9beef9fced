import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Frame, Page } from '@playwright/test'
import type { AxeResults, RunOptions } from 'axe-core'

/** Axe script. It is minified, because each document must parse the script, which takes as long as a check. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** Rules with results that depend on the page width: sizes, scrolling, cards and collapsed menus. */
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
 * Finds violations of WCAG 2.2 AA and axe best practices on a page and in its frames. If a dialog is open, a normal run
 * checks only the dialog. The page behind the dialog is unreachable and is checked separately.
 */
export async function findingsOf(page: Page, rules: Rules): Promise<string[]> {
  const findings = await Promise.all(page.frames().map((frame) => findingsIn(frame, frame === page.mainFrame(), rules)))
  return findings.flat()
}

async function findingsIn(frame: Frame, main: boolean, rules: Rules): Promise<string[]> {
  // A frame without visible content has nothing to check.
  if (!main && !(await frame.locator('body *').first().isVisible())) return []
  if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(AXE)
  return frame.evaluate(
    async ({ tags, only, includesPage }) => {
      const { axe: here } = window as unknown as { axe: InjectedAxe }
      // In forced-colors mode, axe reads the page's colors instead of the colors that the user chose.
      const forced = matchMedia('(forced-colors: active)').matches
      const dialog = includesPage ? undefined : [...document.querySelectorAll(':modal')].at(-1)
      const { violations } = await here.run(dialog ?? document, {
        runOnly: only ? { type: 'rule', values: only } : { type: 'tag', values: tags },
        rules: forced ? { 'color-contrast': { enabled: false } } : {},
        resultTypes: ['violations'],
        // Each frame is checked separately, because axe can't reach frames of other origins.
        iframes: false,
      })
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`)
    },
    // Best practices apply only to whole pages.
    {
      tags: main ? [...TAGS, 'best-practice'] : TAGS,
      only: rules === 'layout' ? LAYOUT : null,
      includesPage: Boolean(process.env['NIGHTLY']),
    },
  )
}
