import type { Locator, Page } from '@playwright/test'

/** Shows a filter. If the window has no room for a filter, the filter is behind a button. */
export async function reveal(page: Page, field: Locator): Promise<Locator> {
  const more = page.getByRole('button', { name: /^More filters/ })
  await field.or(more).first().waitFor()
  if (!(await field.isVisible())) await more.click()
  return field
}
