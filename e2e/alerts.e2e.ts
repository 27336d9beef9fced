import { alerts } from '../features/alerts/list.ts'
import { callOn, openAs, sessionOf } from './calls.ts'
import { allOrFirst, at, DESKTOP, expect, PHONE, tabTo, test, unique } from './fixtures.ts'
import { expectNoSideways } from './screen-checks.ts'

const HOST = 'harborcity'

test('shows an alert and its all-clear on open pages within ten seconds', async ({ page, context, accessible }) => {
  const headline = `Boil water in block ${unique()}`
  const guest = await context.newPage()
  await guest.setViewportSize(PHONE)
  await guest.goto(at(HOST, '/frequently-asked-questions'))
  await openAs(page, HOST, 'admin@harborcity.example', '/municipality/manage/alerts')
  const { keyboard } = page
  const click = async (name: string) => {
    await tabTo(page, page.getByRole('button', { name, exact: true }))
    await keyboard.press('Enter')
  }
  await page.getByRole('button', { name: 'Create alert' }).focus()
  await keyboard.press('Enter')
  await tabTo(page, page.getByLabel('Template'))
  await keyboard.type('Boil')
  await expect(page.getByLabel('Event')).toHaveValue('Boil water advisory')
  const title = page.getByRole('dialog').getByLabel('Headline').first()
  await tabTo(page, title)
  await keyboard.press('Control+a')
  await keyboard.type(headline)
  for (const descriptionField of await page.getByRole('dialog').getByLabel('Details').all())
    await descriptionField.fill('A main broke at Dock Street.')
  await accessible(page, 'an alert that is written')
  await click('Save draft')
  const panel = page.getByRole('dialog', { name: headline })
  await expect(panel.getByText(/^This alert will reach \d+ people/)).toBeVisible()
  await accessible(page, 'whom an alert reaches')
  await click('Send')
  const confirmation = page.getByRole('alertdialog')
  await expect(confirmation.getByText(/emails,/)).toBeVisible()
  await click('Send alert')
  await expect(guest.getByText(headline)).toBeVisible({ timeout: 10_000 })
  await accessible(guest, 'the banner of an alert')
  await guest.getByRole('link', { name: 'Read more' }).click()
  await expect(guest.getByRole('heading', { name: headline })).toBeVisible()
  await accessible(guest, 'an alert as everybody reads it')
  await expect(panel.getByText('Active', { exact: true }).first()).toBeVisible()
  await click('Send all-clear')
  // The form for the all-clear never contains the instructions of the alert.
  await expect(page.getByRole('dialog').getByLabel('Headline').first()).toHaveValue('Boil water advisory is over')
  await tabTo(page, page.getByRole('dialog').getByLabel('Details').first())
  await keyboard.type('Two tests in a row were clean.')
  await click('Send all-clear')
  await expect(page.getByText(/is being sent to the recipients of/)).toBeVisible()
  await expect(async () => {
    await guest.reload()
    await expect(guest.getByText('Two tests in a row were clean.')).toBeVisible({ timeout: 500 })
  }).toPass()
})

test('adds alert areas by address, corners and holes without a mouse @whole', async ({ page, accessible }) => {
  await page.setViewportSize(PHONE)
  const headline = `Gas smell near ${unique()}`
  await openAs(page, 'maplegrove', 'admin@maplegrove.example', '/municipality/manage/alerts')
  const { keyboard } = page
  const click = async (name: string) => {
    await tabTo(page, page.getByRole('button', { name, exact: true }))
    await keyboard.press('Enter')
  }
  await page.getByRole('button', { name: 'Create alert' }).focus()
  await keyboard.press('Enter')
  await tabTo(page, page.getByLabel('Template'))
  await keyboard.type('Boil')
  const dialog = page.getByRole('dialog')
  await tabTo(page, dialog.getByLabel('Headline').first())
  await keyboard.press('Control+a')
  await keyboard.type(headline)
  await tabTo(page, dialog.getByRole('radio', { name: /^Everyone/ }))
  await keyboard.press('ArrowDown')
  await keyboard.press('ArrowDown')
  await expect(dialog.getByRole('radio', { name: /^Areas on the map/ })).toBeChecked()
  // The form refuses an area without corners, because the area contains no people.
  await click('Save draft')
  await expect(dialog.getByText('Add at least three corners to each area and each hole.').first()).toBeVisible()
  await expect(dialog.getByLabel(/^Address at the center of the area/)).toBeFocused()
  await keyboard.type('214 sicamore ln')
  await expect(page.getByRole('option', { name: '214 Sycamore Lane, Maple Grove, PA 17011' })).toBeVisible()
  await keyboard.press('ArrowDown')
  await keyboard.press('Enter')
  await click('Add area')
  await expect(dialog.getByRole('status').filter({ hasText: /corners$/ })).toBeVisible()
  await click('Add a hole to this area')
  const map = dialog.locator('.leaflet-container')
  for (const key of ['ArrowRight', 'ArrowDown', 'ArrowLeft']) {
    await click('Place pin in the center')
    await tabTo(page, map, 'Shift+Tab')
    await keyboard.press(key)
  }
  await expect(dialog.getByText('3 corners', { exact: true })).toBeVisible()
  await accessible(page, 'areas that are drawn')
  await click('Remove hole')
  await click('Save draft')
  await expect(
    page.getByRole('dialog', { name: headline }).getByText(/^This alert will reach \d+ people/),
  ).toBeVisible()
})

for (const [device, size] of allOrFirst([
  ['at a desk @whole', DESKTOP],
  ['on a phone @whole', PHONE],
] as const))
  test(`shows each state of the staff screens for alerts, by keyboard ${device}`, async ({ page, accessible }) => {
    test.slow()
    const TWO = 'maplegrove' // Two of this company's staff may send alerts.
    const [PATH, headline] = ['/municipality/manage/alerts', `Leave the pier ${unique()}`]
    const checkScreen = async (what: string) => {
      await expectNoSideways(page, what)
      await accessible(page, what)
    }
    const click = async (name: string, within = page.getByRole('dialog').last()) => {
      await within.getByRole('button', { name, exact: true }).press('Enter')
    }
    await page.setViewportSize(size)
    await openAs(page, TWO, 'admin@maplegrove.example', `${PATH}?write=1`)
    const editor = page.getByRole('dialog', { name: 'Create alert' })
    await click('Save draft')
    await expect(editor.getByLabel('Event')).toBeFocused()
    await checkScreen('an alert of which nothing is said')

    // A template replaces typed text only after confirmation.
    const title = editor.getByLabel('Headline').first()
    await title.fill(headline)
    await editor.getByLabel('Template').selectOption({ label: 'Flood' })
    const confirmation = page.getByRole('alertdialog')
    await checkScreen('a template over what was typed')
    await click('Keep my text', confirmation)
    await expect(title).toHaveValue(headline)
    await editor.getByLabel('Template').selectOption({ label: 'Flood' })
    await click('Replace my text', confirmation)
    await expect(title).toHaveValue('Flood: leave low-lying areas now')
    await title.fill(headline)

    for (const [kind, errorMessage] of [
      [/^Zones/, 'Choose at least one zone.'],
      [/^Accounts on a route/, 'Choose at least one route.'],
      [/^People who submitted a form/, 'Choose a form.'],
    ] as const) {
      await editor.getByRole('radio', { name: kind }).press('Space')
      await click('Save draft')
      await expect(editor.getByText(errorMessage).first()).toBeVisible()
      await checkScreen(`an alert without its area: ${errorMessage}`)
    }
    await editor.getByRole('radio', { name: /^Everyone/ }).press('Space')
    await click('Save draft')
    const panel = page.getByRole('dialog', { name: headline })
    await expect(panel.getByText('You cannot send this alert yet')).toBeVisible()
    await expect(panel.getByText(/^This alert will reach \d+ people/)).toBeVisible()
    await expect(panel.getByRole('button', { name: 'Send', exact: true })).toBeDisabled()
    await checkScreen('a draft with a blank')

    await click('Edit alert')
    const change = page.getByRole('dialog', { name: 'Edit alert' })
    for (const label of ['Details', 'Instructions'])
      for (const field of await change.getByLabel(label).all()) await field.fill('Go inland.')
    await click('Save draft')
    await click('Send')
    await expect(confirmation.getByText('someone else must approve it', { exact: false })).toBeVisible()
    await checkScreen('an alert that asks for a second person')
    await click('Submit for approval', confirmation)
    await expect(panel.getByText('You submitted this alert. Someone else must approve it.')).toBeVisible()
    await checkScreen('an alert that waits for a second person')
    const address = page.url()

    const manager = await page.context().newPage()
    await manager.setViewportSize(size)
    await openAs(manager, TWO, 'manager@maplegrove.example', new URL(address).pathname + new URL(address).search)
    const managerDialog = manager.getByRole('dialog', { name: headline })
    // A dialog asks the approver to confirm and shows the recipients.
    await managerDialog.getByRole('button', { name: 'Approve and send' }).press('Enter')
    const approved = manager.getByRole('alertdialog')
    await expect(approved.getByText(/^This alert will reach \d+ people/)).toBeVisible()
    await accessible(manager, 'the question before an alert is approved')
    await approved.getByRole('button', { name: 'Go back' }).press('Enter')
    await expect(managerDialog.getByRole('button', { name: 'Approve and send' })).toBeFocused()
    await managerDialog.getByRole('button', { name: 'Return to author' }).press('Enter')
    await accessible(manager, 'why an alert is sent back')
    const why = manager.getByRole('dialog').last()
    await why.getByRole('textbox').fill('Which pier?')
    await why.getByRole('button', { name: 'Return to author' }).press('Enter')
    await expect(managerDialog.getByText('Draft', { exact: true }).first()).toBeVisible()
    await manager.close()

    // The other window shows the change and its reason without a reload.
    await expect(panel.getByText('Which pier?')).toBeVisible()
    await click('Remove')
    await checkScreen('the question before a draft is removed')
    await click('Remove draft', confirmation)
    await expect(panel).toBeHidden()

    const ADMIN = 'admin@harborcity.example'
    const { token } = await sessionOf(HOST, ADMIN)
    const { rows } = await callOn(HOST, alerts.call, { filters: { status: 'sent' } } as never, token)
    for (const [query, name] of [
      [`?alert=${rows[0]?.id}&follow=update`, /^Update/],
      [`?alert=${rows[0]?.id}&follow=cancel`, /^Cancel/],
      [`?alert=${rows[0]?.id}&follow=all_clear`, /^All-clear/],
      ['?work=services', 'Services'],
      ['?work=settings', 'Approval rules'],
    ] as const) {
      await openAs(page, HOST, ADMIN, PATH + query)
      await expect(page.getByRole('dialog', { name })).toBeVisible()
      await checkScreen(`alerts, ${query.replace(/\d+/, 'n')}`)
    }
    for (const path of ['/municipality/manage/alerts/sources', '/municipality/reports/alerts']) {
      await page.goto(at(HOST, path))
      await expect(page.getByRole('button', { name: 'Views' })).toBeVisible()
      await checkScreen(path)
    }
  })

test('writes a template and asks its blank once for both languages @whole', async ({ page, accessible }) => {
  const name = `Trail ${unique()}`
  const path = '/municipality/manage/alerts'
  await openAs(page, HOST, 'admin@harborcity.example', `${path}?work=templates`)
  const panel = page.getByRole('dialog', { name: 'Templates' })
  await expect(panel.getByText('Boil water advisory lifted')).toBeVisible()
  await accessible(page, 'the templates of alerts')
  await panel.getByRole('button', { name: 'Add template' }).press('Enter')
  const editor = page.getByRole('dialog', { name: 'Add template' })
  await editor.getByRole('button', { name: 'Save', exact: true }).press('Enter')
  await expect(editor.getByText('Enter a name of at least 3 characters.').first()).toBeVisible()
  await accessible(page, 'a template without a name')
  await editor.getByLabel('Name').fill(name)
  await editor.getByLabel('Event').fill('Trail closed')
  await editor.getByLabel('Headline').first().fill('The trail at [place] is closed')
  await editor.getByLabel('Headline').last().fill('El sendero en [lugar] está cerrado')
  await editor.getByRole('button', { name: 'Save', exact: true }).press('Enter')
  await expect(panel.getByText(name, { exact: true })).toBeVisible()

  await page.goto(at(HOST, `${path}?write=1`))
  const alert = page.getByRole('dialog', { name: 'Create alert' })
  await alert.getByLabel('Template').selectOption({ label: name })
  await alert.getByLabel('Blank: place').fill('Mill Creek')
  await accessible(page, 'the blanks of a template')
  await alert.getByRole('button', { name: 'Fill in the blanks' }).press('Enter')
  await expect(alert.getByLabel('Headline').first()).toHaveValue('The trail at Mill Creek is closed')
  await expect(alert.getByLabel('Headline').last()).toHaveValue('El sendero en Mill Creek está cerrado')
  await expect(alert.getByLabel('Blank: place')).toHaveCount(0)

  await page.goto(at(HOST, `${path}?work=templates`))
  await panel.getByRole('button', { name: `Remove ${name}` }).press('Enter')
  const confirmation = page.getByRole('alertdialog')
  await accessible(page, 'the removal of a template')
  await confirmation.getByRole('button', { name: 'Remove template' }).press('Enter')
  await expect(panel.getByText(name, { exact: true })).toHaveCount(0)
})
