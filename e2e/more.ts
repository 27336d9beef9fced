import type { Locator, Page } from '@playwright/test'

/**
 * Opens the menu `⋯` of a row, or of 'the list'. Its actions are then visible in the same scope.
 * @param of name of the row. If absent, the scope has only one menu
 */
export async function openMore(scope: Page | Locator, of: string | RegExp = ''): Promise<void> {
  const name = typeof of === 'string' ? `More actions for ${of}` : of
  await scope.getByRole('button', { name }).first().click()
}
