import type { Locator, Page } from '@playwright/test'
import { saveResource, showResource } from '../features/rentals/contract.ts'
import { callOn, openAs, sessionOf } from './calls.ts'
import { DESKTOP, expect, tabTo, test, unique } from './fixtures.ts'
import { addHall } from './halls.ts'
import { expectNoSideways } from './screen-checks.ts'
import { openMore } from './more.ts'

const HOST = 'maplegrove'
const ADMIN = 'admin@maplegrove.example'
const SCREEN = '/municipality/manage/manage-resource-rentals?of=resources'
const WIDTHS = [320, 768, 1280] as const

/** Checks a state of the editor at all widths. */
async function expectGoodAtWidths(
  page: Page,
  accessible: (page: Page, what: string) => Promise<void>,
  what: string,
  back: { width: number; height: number },
) {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    await accessible(page, `${what} at ${width} px`)
    await expectNoSideways(page, `${what} at ${width} px`)
  }
  await page.setViewportSize(back)
}

const partNames = [
  '1. Name and place',
  '2. Opening hours',
  '3. Prices',
  '4. Rules',
  '5. Texts, agreement and photos',
] as const
const partButton = (page: Page, name: string): Locator => page.getByRole('dialog').getByRole('button', { name })

test('adds a resource that is open from May to September by keyboard at 320 px', async ({ page, accessible }) => {
  const size = { width: 320, height: 740 }
  await page.setViewportSize(size)
  await openAs(page, HOST, ADMIN, SCREEN)
  const { keyboard } = page
  const press = async (control: Locator) => {
    await tabTo(page, control)
    await keyboard.press('Enter')
  }
  const type = async (control: Locator, text: string) => {
    await tabTo(page, control)
    await keyboard.type(text)
  }
  await openMore(page, 'the list')
  await press(page.getByRole('button', { name: 'Add a resource' }))
  const dialog = page.getByRole('dialog')
  const name = `Shelter ${unique()}`
  await type(dialog.getByLabel('Name', { exact: true }), name)
  await press(partButton(page, partNames[1]))
  const season = dialog.getByRole('listitem').filter({ has: page.getByRole('group', { name: 'First day' }) })
  // Three acts make the season: two months and the closing time.
  await type(season.getByRole('group', { name: 'First day' }).getByLabel('Month'), 'May')
  await type(season.getByRole('group', { name: 'Last day' }).getByLabel('Month'), 'Sep')
  await type(season.getByLabel('Closes'), '8:00 PM')
  await expect(season.getByText('May 1 to September 30, every day, 8:00 AM to 8:00 PM, regular price')).toBeVisible()
  // The year shows its gaps, each with a button.
  const year = dialog.getByRole('region', { name: 'The year in order' })
  await expect(year.getByRole('listitem')).toHaveText([/^January 1 to April 30: closed/, /^May 1/, /^October 1/])
  await press(year.getByRole('button', { name: 'Add a season October 1 to December 31' }))
  const winter = season.nth(1)
  await expect(winter.getByRole('group', { name: 'First day' }).getByLabel('Month')).toBeFocused()
  await type(winter.getByRole('group', { name: 'First day' }).getByLabel('Month'), 'Sep')
  await expect(winter.getByText('September 1 to September 30, every day: season 1 applies instead.')).toBeVisible()
  await type(winter.getByLabel('Weekdays'), 'Choose')
  for (const day of ['Monday', 'Wednesday', 'Friday', 'Saturday', 'Sunday']) {
    await tabTo(page, winter.getByLabel(day, { exact: true }))
    await keyboard.press('Space')
  }
  await type(winter.getByLabel('Price in this season'), 'Lower')
  await press(partButton(page, partNames[2]))
  await press(dialog.getByRole('button', { name: 'Add an add-on' }))
  await expect(dialog.getByLabel('Add-on', { exact: true })).toBeFocused()
  await keyboard.type('Grill')
  await press(dialog.getByRole('button', { name: 'Save' }))
  // Errors appear at their fields, which are open.
  await expect(dialog.getByText('2 entries need correction')).toBeVisible()
  await expect(winter.getByLabel('Lower by')).toBeFocused()
  await expectGoodAtWidths(page, accessible, 'errors in two parts', size)
  await keyboard.type('25')
  await type(dialog.getByRole('listitem').getByLabel('Price', { exact: true }), '15')
  await press(dialog.getByRole('button', { name: 'Save' }))
  await expect(page.getByText(`“${name}” was added.`)).toBeVisible()
  // The editor of the new resource follows, with spaces, closures and photos.
  await expect(page.getByRole('dialog', { name })).toBeVisible()
  const { token } = await sessionOf(HOST, ADMIN)
  const resourceId = Number(new URL(page.url()).searchParams.get('rental'))
  const { form } = await callOn(HOST, showResource, { resourceId }, token)
  expect(form).toMatchObject({
    glAccount: '',
    seasons: [
      { from: '05-01', until: '09-30', days: [1, 2, 3, 4, 5, 6, 7], opens: '08:00', closes: '20:00', percent: 100 },
      { from: '09-01', until: '12-31', days: [2, 4], percent: 75 },
    ],
    addons: [{ name: 'Grill', cents: 1500 }],
  })
})

test('shows all five parts of a stored resource and moves a season by keyboard', async ({ page, accessible }) => {
  await page.setViewportSize(DESKTOP)
  const { resourceId, admin } = await addHall('18:00', {
    seasons: ['08:00', '10:00'].map((opens, at) => ({
      ...{ from: '01-01', until: '12-31', days: at === 0 ? [6, 7] : [1, 2, 3, 4, 5, 6, 7], opens, closes: '22:00' },
      percent: at === 0 ? 125 : 100,
    })),
  })
  await openAs(page, HOST, ADMIN, `${SCREEN}&rental=${resourceId}`)
  await expect(partButton(page, partNames[4])).toBeVisible()
  await expectGoodAtWidths(page, accessible, 'the closed parts', DESKTOP)
  for (const part of partNames) {
    await tabTo(page, partButton(page, part))
    await page.keyboard.press('Enter')
  }
  await expectGoodAtWidths(page, accessible, 'the open parts', DESKTOP)
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('All year, Saturday and Sunday: season 1 applies instead.')).toBeVisible()
  const down = dialog.getByRole('button', { name: 'Move season 1: All year down' })
  await tabTo(page, down, 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('This season never applies', { exact: false })).toBeVisible()
  await page.keyboard.press('Control+Home')
  await tabTo(page, dialog.getByRole('button', { name: 'Save' }))
  await page.keyboard.press('Enter')
  await expect(page.getByText(/saved\.$/).first()).toBeVisible()
  const { form } = await callOn(HOST, showResource, { resourceId }, admin)
  expect(form.seasons.map(({ percent }) => percent)).toEqual([100, 125])
})

test('keeps typed seasons over a reload and a colleague’s save', async ({ page, accessible }) => {
  await page.setViewportSize(DESKTOP)
  const { resourceId, admin } = await addHall('18:00', {})
  await openAs(page, HOST, ADMIN, `${SCREEN}&rental=${resourceId}`)
  const dialog = page.getByRole('dialog')
  await partButton(page, partNames[1]).click()
  await dialog.getByLabel('Closes').selectOption('21:00')
  await page.reload()
  await partButton(page, partNames[1]).click()
  await expect(dialog.getByLabel('Closes')).toHaveValue('21:00')
  const { form } = await callOn(HOST, showResource, { resourceId }, admin)
  const [first] = form.seasons
  const seasons = [{ ...(first as NonNullable<typeof first>), closes: '23:00' }]
  await callOn(HOST, saveResource, { ...form, resourceId, seasons, resourceRules: 'No glass.', basis: form }, admin)
  await dialog.getByRole('button', { name: 'Save' }).click()
  const choice = dialog.getByRole('group', { name: 'Opening hours' })
  await expect(choice).toContainText('6:00 PM to 11:00 PM')
  await expect(choice).toContainText('6:00 PM to 9:00 PM')
  await expectGoodAtWidths(page, accessible, 'two changes of the opening hours', DESKTOP)
  await choice.getByRole('radio', { name: /^You/ }).check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(/saved\.$/).first()).toBeVisible()
  const { form: now } = await callOn(HOST, showResource, { resourceId }, admin)
  expect(now).toMatchObject({ resourceRules: 'No glass.', seasons: [{ closes: '21:00' }] })
})
