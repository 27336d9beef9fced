import type { Page } from '@playwright/test'
import fc from 'fast-check'
import { makeTheme } from '../shared/theme.ts'
import { openAs } from './calls.ts'
import { at, test } from './fixtures.ts'

const THEMES = 200
const color = fc.integer({ min: 0, max: 0xffffff }).map((n) => `#${n.toString(16).padStart(6, '0')}`)

/** Applies a company's chosen colors to the open page. */
async function wear(page: Page, background: string, text: string): Promise<void> {
  const { tokens } = makeTheme(background, text)
  await page.evaluate((values) => {
    for (const [name, value] of Object.entries(values)) document.documentElement.style.setProperty(`--${name}`, value)
  }, tokens)
}

async function checkThemes(page: Page, accessible: (page: Page, what: string) => Promise<void>, what: string) {
  for (const [background, text] of fc.sample(fc.tuple(color, color), { numRuns: THEMES, seed: 20_261_121 })) {
    await wear(page, background, text)
    await accessible(page, `${what} in ${background} and ${text}`)
  }
}

test(`keeps the landing page readable in ${THEMES} random themes`, async ({ page, accessible }) => {
  await page.goto(at('maplegrove'))
  await page.getByRole('heading', { name: 'Top Services' }).waitFor()
  await checkThemes(page, accessible, 'the landing page')
})

test(`keeps the payment report readable in ${THEMES} random themes`, async ({ page, accessible }) => {
  await openAs(page, 'maplegrove', 'staff@maplegrove.example', '/municipality/reports/payments')
  await page.getByRole('row').nth(3).waitFor()
  await checkThemes(page, accessible, 'the payment report')
})
