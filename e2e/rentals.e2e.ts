import { rentals } from '../features/rentals/contract.ts'
import { callOn, newResident, openAs, sessionOf } from './calls.ts'
import { expect, PHONE, tabTo, test } from './fixtures.ts'

test('a resident reserves a pavilion on a phone by the keyboard and is led to its payment', async ({
  page,
  accessible,
}) => {
  const email = await newResident('maplegrove')
  const { token } = await sessionOf('maplegrove', email)
  const { resources } = await callOn('maplegrove', rentals, {}, token)
  const pavilion = resources.find(({ name }) => name === 'Memorial Park pavilion')
  await page.setViewportSize(PHONE)
  await openAs(page, 'maplegrove', email, `/resource-rentals/${pavilion?.id}`)
  const { keyboard } = page
  const press = async (name: string | RegExp) => {
    await tabTo(page, page.getByRole('button', { name }))
    await keyboard.press('Enter')
  }
  for (let week = 0; week < 3; week += 1) await press('Later')
  // One stop of the tab key is the whole grid; the arrows lead on from there.
  const grid = page.getByRole('table', { name: 'Times of the week' })
  await expect(grid).toBeVisible()
  const first = grid.locator('button[tabindex="0"]')
  await expect(first).toHaveAccessibleName(/free$/)
  await tabTo(page, first)
  await keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Choose another time' })).toBeVisible()
  await accessible(page, 'a time of a pavilion')
  await tabTo(page, page.getByLabel('What is it for?'))
  await keyboard.type('Family reunion')
  await tabTo(page, page.getByLabel('How many people come?'))
  await keyboard.type('30')
  await tabTo(page, page.getByLabel(/^I agree/))
  await keyboard.press('Space')
  await press(/^Hold it and pay/)
  await expect(page).toHaveURL(/\/guest\/payment\//)
  await expect(page.getByText('Memorial Park pavilion').first()).toBeVisible()
})
