import type { Page } from '@playwright/test'
import { PSEUDO, plainMessages } from '../test/pseudo.ts'
import { at, expect, PASSWORD, test } from './fixtures.ts'

test.use({ locale: PSEUDO })

const HOST = 'maplegrove'
const messages = plainMessages()

/** Returns visible texts that the catalog contains but that were not translated. */
async function untranslated(page: Page): Promise<string[]> {
  const visibleTexts = await page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const texts: string[] = []
    while (walker.nextNode()) {
      const { parentElement, textContent } = walker.currentNode
      if (parentElement?.checkVisibility()) texts.push(textContent?.trim() ?? '')
    }
    return texts
  })
  return [...new Set(visibleTexts)].filter((text) => messages.has(text))
}

test('translates pages, forms, refusals, menus, lists and states for another language', async ({ page }) => {
  await page.goto(at(HOST, '/sign-in'))
  await expect(page.locator('html')).toHaveAttribute('lang', PSEUDO)
  await expect(page).toHaveTitle(/^⟦Sign In⟧ · Maple Grove/)
  expect(await untranslated(page)).toEqual([])

  // Checks the validation messages that the form shows in the browser.
  const signIn = page.getByRole('button', { name: '⟦Sign In⟧', exact: true })
  await signIn.click()
  await expect(page.getByText('⟦Enter your password.⟧').first()).toBeVisible()

  // Checks an error message of the server.
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
  await page.goto(at(HOST, path))
  await expect(page.getByRole('heading', { level: 1 })).toContainText('⟦')
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  expect(await untranslated(page), path).toEqual([])
})
