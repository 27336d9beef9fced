import type { Page } from '@playwright/test'
import { PSEUDO, plainMessages } from '../test/pseudo.ts'
import { at, expect, PASSWORD, test } from './fixtures.ts'

test.use({ locale: PSEUDO })

const TOWN = 'maplegrove'
const messages = plainMessages()

/** Texts on show that the catalogue has, and that were not looked up in it. */
async function untranslated(page: Page): Promise<string[]> {
  const shown = await page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const texts: string[] = []
    while (walker.nextNode()) {
      const { parentElement, textContent } = walker.currentNode
      if (parentElement?.checkVisibility()) texts.push(textContent?.trim() ?? '')
    }
    return texts
  })
  return [...new Set(shown)].filter((text) => messages.has(text))
}

test('whoever reads another language reads it everywhere: pages, forms, refusals, menus, lists and states', async ({
  page,
}) => {
  await page.goto(at(TOWN, '/sign-in'))
  await expect(page.locator('html')).toHaveAttribute('lang', PSEUDO)
  await expect(page).toHaveTitle(/^⟦Sign In⟧ · Maple Grove/)
  expect(await untranslated(page)).toEqual([])

  // The rules of a form, in the browser.
  const signIn = page.getByRole('button', { name: '⟦Sign In⟧', exact: true })
  await signIn.click()
  await expect(page.getByText('⟦Enter your password.⟧').first()).toBeVisible()

  // A refusal, from the server.
  await page.getByLabel('⟦Email⟧').fill('admin@maplegrove.example')
  await page.getByLabel('⟦Password⟧', { exact: true }).fill('Wrong-Word#1')
  await signIn.click()
  await expect(page.getByRole('alert').filter({ hasText: /⟦.*⟧/ }).first()).toBeVisible()
  await page.getByLabel('⟦Password⟧', { exact: true }).fill(PASSWORD)
  await signIn.click()
  await page.waitForURL((url) => url.pathname.startsWith('/municipality'))

  await page.getByRole('link', { name: '⟦Manage Municipality⟧' }).click()
  await expect(page.getByRole('columnheader', { name: '⟦Department⟧' })).toBeVisible()
  await expect(page.getByRole('cell', { name: '⟦Active⟧' }).first()).toBeVisible()
  const path = '/municipality/reports/payments'
  await page.goto(at(TOWN, path))
  await expect(page.getByRole('heading', { level: 1 })).toContainText('⟦')
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  expect(await untranslated(page), path).toEqual([])
})
