import { at, DESKTOP, expect, test } from './fixtures.ts'
import { openAs } from './calls.ts'
import { openMore } from './more.ts'
import { expectNoSideways } from './screen-checks.ts'

const HOST = 'maplegrove'
const MANAGE = '/municipality/manage'

/** Screens with a list of records that staff can copy. `opened` is the page or panel of the copy. */
const lists = [
  { what: 'form', path: `${MANAGE}/manage-forms-and-docs`, opened: 'dialog' },
  { what: 'resource', path: `${MANAGE}/manage-resource-rentals?of=resources`, opened: 'dialog' },
  { what: 'category', path: `${MANAGE}/customer-communication/categories`, opened: 'page' },
  { what: 'template', path: '/municipality/inspections?tab=templates', opened: 'dialog' },
  { what: 'work order template', path: '/municipality/work-orders?tab=templates', opened: 'dialog' },
  { what: 'plan', path: '/municipality/work-orders?tab=plans', opened: 'dialog' },
] as const

test('copies a record of each kind from its list by keyboard and opens the copy', async ({ page, accessible }) => {
  test.slow()
  await page.setViewportSize(DESKTOP)
  await openAs(page, HOST, 'admin@maplegrove.example', lists[0].path)
  for (const { what, path, opened } of lists) {
    await page.goto(at(HOST, path))
    await openMore(page, /^More actions for (?!the list)/)
    const copy = page.getByRole('button', { name: /^Copy (?!from another)/ }).first()
    const name = ((await copy.getAttribute('aria-label')) ?? '').replace(/^Copy /, '')
    await copy.press('Enter')
    await expect(page.getByText(`“Copy of ${name}” was created.`), what).toBeVisible()
    const copyOf = page.getByText(`Copy of ${name}`).first()
    if (opened === 'dialog') await expect(page.getByRole('dialog')).toBeVisible()
    else await expect(copyOf).toBeVisible()
    for (const width of [320, 768, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      await accessible(page, `the copy of a ${what} at ${width} px`)
      await expectNoSideways(page, `the copy of a ${what} at ${width} px`)
    }
  }
})
