import type { Locator, Page } from '@playwright/test'

/** Makes a filter visible. If the window is too narrow for the filter, clicks “More filters” first. */
export async function reveal(page: Page, field: Locator): Promise<Locator> {
  const more = page.getByRole('button', { name: /^More filters/ })
  await field.or(more).first().waitFor()
  if (!(await field.isVisible())) await more.click()
  return field
}
