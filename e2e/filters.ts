import type { Locator, Page } from '@playwright/test'

/** Reveals a filter. Filters without enough room are behind a button. */
export async function reveal(page: Page, field: Locator): Promise<Locator> {
  const more = page.getByRole('button', { name: /^More filters/ })
  await field.or(more).first().waitFor()
  if (!(await field.isVisible())) await more.click()
  return field
}
