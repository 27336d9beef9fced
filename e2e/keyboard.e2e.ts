import type { Locator, Page } from '@playwright/test'
import { sendRequest } from '../features/support/contract.ts'
import { callOn, openAs } from './calls.ts'
import { allOrFirst, at, expect, tabTo, test } from './fixtures.ts'
import { expectNoSideways } from './screen-checks.ts'

/**
 * Widths for the keyboard tests of the kit's controls. The tests move the focus to each control with the Tab key only.
 */

const WIDTHS = [1280, 320] as const

/** True if the focus is on the element or inside it. */
const has = (area: Locator): Promise<boolean> => area.evaluate((one) => one.contains(document.activeElement))

const pressKey = async (page: Page, control: Locator, key = 'Enter') => {
  await tabTo(page, control)
  await page.keyboard.press(key)
}

for (const width of allOrFirst(WIDTHS)) {
  test.describe(`at ${width} px @whole`, () => {
    test.use({ viewport: { width, height: 900 } })

    test('searches, filters, groups, pages and saves views of a list', async ({ page, accessible }) => {
      test.slow()
      await openAs(page, 'maplegrove', 'admin@maplegrove.example', '/municipality/reports/login?dates=last-month')
      const count = page.getByRole('status').filter({ hasText: /\d sign-ins?/ })
      await expect(count).toBeVisible()
      const filters = page.getByRole('button', { name: /^Filters/ })
      if (width < 700) await pressKey(page, filters)
      await tabTo(page, page.getByRole('combobox', { name: 'Outcome', exact: true }))
      await page.keyboard.type('Denied')
      await expect(page).toHaveURL(/outcome=refused/)
      await expect(page.getByRole('list', { name: 'Active filters' })).toContainText('Denied')
      await expectNoSideways(page, 'a filtered list')
      await accessible(page, 'a filtered list')
      await tabTo(page, page.getByRole('combobox', { name: 'Group by' }))
      await page.keyboard.type('Outcome')
      const group = page.getByRole('button', { name: /^Denied / })
      await pressKey(page, group)
      await expect(group).toHaveAttribute('aria-expanded', 'true')
      await accessible(page, 'an open group')
      await pressKey(page, page.getByRole('button', { name: 'Views' }))
      const views = page.getByRole('dialog', { name: 'Saved views' })
      await pressKey(page, views.getByLabel('Name for the current view'))
      await expect(views.getByText('Enter a name.').first()).toBeVisible()
      await accessible(page, 'saved views with a mistake')
      await page.keyboard.press('Escape')
      await expect(page.getByRole('button', { name: 'Views' })).toBeFocused()
      await pressKey(page, page.getByRole('button', { name: 'Remove the filter Outcome' }))
      await expect(page).not.toHaveURL(/outcome=/)
    })

    test('adds a wrong field, fixes, moves and undoes it in the builder', async ({ page, accessible }) => {
      test.slow()
      await page.goto(at('', '/design?part=field-sets'))
      const grid = page.getByRole('grid', { name: 'Steps and fields' })
      await pressKey(page, page.getByRole('button', { name: 'Add a field', exact: true }))
      const dialog = page.getByRole('dialog', { name: 'Add a field' })
      await pressKey(page, dialog.getByRole('button', { name: 'Done' }))
      await expect(dialog.getByRole('alert')).toContainText('Enter a label for this field.')
      await accessible(page, 'a field with a mistake')
      await tabTo(page, dialog.getByLabel('Label'))
      await page.keyboard.type('Color of the collar')
      await pressKey(page, dialog.getByRole('button', { name: 'Done' }))
      await expect(dialog).toBeHidden()
      const row = grid.getByRole('row').filter({ hasText: 'Color of the collar' })
      await expect(row).toBeVisible()
      // Arrow keys move between rows, and Tab moves to the buttons of a row.
      for (let n = 0; n < 150 && !(await has(grid)); n++) await page.keyboard.press('Tab')
      for (let n = 0; n < 60 && !(await has(row)); n++) await page.keyboard.press('ArrowDown')
      const up = row.getByRole('button', { name: 'Move Color of the collar up' })
      await tabTo(page, up)
      await page.keyboard.press('Enter')
      const undo = page.getByRole('button', { name: /^Undo: Moved “Color of the collar”/ })
      await expect(undo).toBeVisible()
      await expectNoSideways(page, 'the builder')
      await accessible(page, 'the builder after a move')
      await pressKey(page, undo)
      await expect(undo).toHaveCount(0)
      await pressKey(page, page.getByRole('button', { name: /^Undo: / }))
      await expect(row).toHaveCount(0)
    })

    test('types and selects a place and puts it on the map', async ({ page, accessible }) => {
      test.slow()
      await openAs(page, 'maplegrove', 'admin@maplegrove.example', '/municipality/manage/places')
      const field = page.getByRole('combobox', { name: 'Address' })
      await tabTo(page, field)
      await page.keyboard.type('214 sycamore ln')
      await expect(page.getByRole('option', { name: /^214 Sycamore Lane/ })).toBeVisible()
      await accessible(page, 'the list of addresses')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await expect(page.getByText('We found this address.')).toBeVisible()
      await pressKey(page, page.getByRole('button', { name: 'Show on the map' }))
      const map = page.getByRole('application', { name: 'Map for placing a pin' })
      await expect(map.getByRole('button', { name: 'Zoom in' })).toBeVisible()
      await tabTo(page, map)
      await page.keyboard.press('+')
      // A pin close to an address chooses that address, and the map ignores keys while it moves. So the test moves the
      // map until no address is at its center.
      await expect(async () => {
        await map.focus()
        for (const key of ['ArrowLeft', 'ArrowUp']) await page.keyboard.press(key)
        await pressKey(page, page.getByRole('button', { name: 'Place pin in the center' }))
        await expect(page.getByRole('button', { name: 'Remove the pin' })).toBeVisible({ timeout: 1000 })
      }).toPass({ timeout: 15_000 })
      await expectNoSideways(page, 'the map with a pin')
      await accessible(page, 'the map with a pin')
    })

    test('opens a request from the list, answers it and closes it', async ({ page, accessible }) => {
      test.slow()
      const word = `Tab${width}x${Date.now() % 1_000_000}`
      const { number } = await callOn('maplegrove', sendRequest, {
        ...{ name: `Ann ${word}`, email: `${word}@example.org`.toLowerCase(), phone: '', category: 'site' },
        message: `The page of ${word} stays white after I press the button.`,
      })
      await openAs(page, 'admin', 'support@mainstreet.example', `/admin/support?query=${word}`)
      const view = page.getByRole('button', { name: `View ${number}` })
      await pressKey(page, view)
      const panel = page.getByRole('dialog', { name: `Request ${number}` })
      await expect(panel.getByText(word).first()).toBeVisible()
      await accessible(page, 'a request that is open')
      await pressKey(page, panel.getByRole('button', { name: 'Start work' }))
      await expect(panel.getByText('In Progress').first()).toBeVisible()
      await tabTo(page, panel.getByRole('textbox', { name: 'Reply' }))
      await page.keyboard.type('Please try another browser.')
      await pressKey(page, panel.getByRole('button', { name: /^Send/ }))
      await expect(panel.getByRole('listitem').filter({ hasText: 'Please try another browser.' })).toBeVisible()
      await expectNoSideways(page, 'an answered request')
      await accessible(page, 'an answered request')
      await page.keyboard.press('Escape')
      await expect(panel).toHaveCount(0)
      await expect(view).toBeFocused()
    })
  })
}
