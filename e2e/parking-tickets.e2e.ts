import { formatDate, formatShortDate } from '../shared/dates.ts'
import { enterTicket, saveViolation } from '../features/parking-tickets/contract.ts'
import { callOn, openAs, sessionOf } from './calls.ts'
import { dayFromNow } from './clock.ts'
import { at, expect, PHONE, test, unique } from './fixtures.ts'
import { expectGood } from './screen-checks.ts'
import { linkIn, emailTo } from './mail.ts'
import { expectPaid, fillCard, pay } from './pay.ts'
import { openMore } from './more.ts'

const ADMIN = 'admin@maplegrove.example'
const OFFICE = '/municipality/manage/parking-tickets'

/** Enters a parking ticket as staff. No other test uses the ticket. */
async function written(issuedDate = dayFromNow(-2)): Promise<{ citation: string; plate: string }> {
  const { token } = await sessionOf('maplegrove', ADMIN)
  const citation = `E-${unique()}`
  const plate = unique().slice(-7)
  const location = { text: '12 Main Street', addressId: null, lat: null, lon: null, metres: null }
  await callOn(
    'maplegrove',
    enterTicket,
    {
      ...{
        citation,
        plate,
        plateState: 'PA',
        violation: '10',
        vehicle: 'Red Ford',
        officer: 'Ada Finch',
        location,
      },
      ...{ issuedDate, issuedTime: '09:30', notes: '', email: '', warning: false },
    },
    token,
  )
  return { citation, plate }
}

test('finds a ticket on a phone, shows legal options and accepts payment', async ({ page, accessible }) => {
  test.slow()
  await page.setViewportSize(PHONE)
  const { citation, plate } = await written()
  await page.goto(at('maplegrove'))
  await page.getByRole('link', { name: 'Parking Tickets' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Parking Tickets')
  const find = page.getByRole('button', { name: 'Find tickets' })
  await find.press('Enter')
  await expect(page.getByText('Enter the citation number, or the plate and its state.').first()).toBeVisible()
  await expect(page.getByLabel('Citation number')).toBeFocused()
  await page.getByLabel('Citation number').fill('NO-SUCH-TICKET')
  await find.press('Enter')
  await expect(page.getByText(/^No ticket matches your entries\./)).toBeVisible()
  await expectGood(page, accessible, 'a ticket that was not found')
  await page.setViewportSize(PHONE)
  await page.getByLabel('Citation number').fill(citation.toLowerCase())
  await find.press('Enter')
  await expect(page.getByRole('heading', { name: 'Your ticket' })).toBeFocused()
  const card = page.getByRole('article', { name: citation })
  await page.reload()
  await expect(page.getByLabel('Citation number')).toHaveValue(citation.toLowerCase())
  await find.press('Enter')
  for (const text of ['Expired meter', 'Open', 'Alternatives to payment', 'community service'])
    await expect(card).toContainText(text)
  await expect(card.getByRole('button', { name: 'Contest this ticket' })).toHaveCount(0)
  // The license plate without the citation number is enough to find the ticket.
  await page.getByLabel('Citation number').fill('')
  await page.getByLabel('License plate').fill(plate)
  await page.getByLabel('State').fill('PA')
  await find.press('Enter')
  await expect(card).toContainText(`PA ${plate}`)
  // “Add to cart” keeps this page open. “Pay” opens the payment page.
  const cart = page.getByRole('banner').getByRole('link', { name: /^Cart/ })
  await expect(cart).toHaveAccessibleName('Cart, empty')
  await card.getByRole('button', { name: 'Add to cart', exact: true }).press('Enter')
  await expect(page.getByText(`Ticket ${citation} is in your cart.`)).toBeVisible()
  await expect(cart).toHaveAccessibleName('Cart, 1 item')
  await expect(card).toBeVisible()
  await card.getByRole('button', { name: 'Pay $20.00' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'Review and pay' })).toBeVisible()
  // A ticket has no credit balance, so the choices are only full and partial payment.
  await expect(page.getByRole('radio', { name: /^Partial/ })).toBeVisible()
  await expect(page.getByRole('radio', { name: /^Other/ })).toHaveCount(0)
  await fillCard(page)
  await pay(page)
  await expectPaid(page)
  await expect(page.getByText(citation).first()).toBeVisible()
  await page.goto(at('maplegrove', '/parking-ticket-payment'))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Parking Ticket Payment')
  await page.getByLabel('Citation number').fill(citation)
  await page.getByLabel('License plate').fill('')
  await page.getByLabel('State').fill('')
  await page.getByRole('button', { name: 'Find tickets' }).press('Enter')
  await expect(page.getByText('This ticket is paid. Thank you.')).toBeVisible()
})

test('records contest, hearing and decision for both sides @whole', async ({ page, browser, accessible }) => {
  test.slow()
  const { citation, plate } = await written()
  const email = `driver-${citation.toLowerCase()}@mail.example`
  await page.goto(at('maplegrove', '/parking-tickets'))
  await page.getByLabel('Citation number').fill(citation)
  await page.getByLabel('License plate').fill(plate)
  await page.getByLabel('State').fill('PA')
  await page.getByRole('button', { name: 'Find tickets' }).press('Enter')
  await page.getByRole('button', { name: 'Contest this ticket' }).press('Enter')
  const form = page.getByRole('region', { name: `Contest ticket ${citation}` })
  await form.getByRole('button', { name: 'Submit contest request' }).press('Enter')
  await expect(form.getByText('Tell us why the ticket is wrong. Use at least 10 characters.').first()).toBeVisible()
  await expectGood(page, accessible, 'a contest with errors')
  await form.getByLabel('Why is the ticket wrong?').fill('The meter took my coins and showed nothing.')
  await form.getByLabel('Name').fill('Ann Reese')
  await form.getByLabel('Email').fill(email)
  await form.getByRole('button', { name: 'Submit contest request' }).press('Enter')
  await expect(page.getByText(/^We received your contest request C\d+\./)).toBeVisible()
  const card = page.getByRole('article', { name: citation })
  await expect(card).toContainText('This ticket is contested.')
  await expect(card.getByRole('button', { name: /^Pay/ })).toHaveCount(0)

  const office = await (await browser.newContext()).newPage()
  await openAs(office, 'maplegrove', ADMIN, `${OFFICE}?search=${citation}`)
  const row = office.getByRole('row').filter({ hasText: citation })
  await expect(row).toContainText('Contested')
  await row.getByRole('button', { name: `View ${citation}` }).click()
  const panel = office.getByRole('dialog', { name: `Ticket ${citation}` })
  await expect(panel.getByText('The meter took my coins and showed nothing.')).toBeVisible()
  await expectGood(office, accessible, 'a contested ticket')
  await panel.getByRole('textbox', { name: 'Reply' }).fill('Which meter was it?')
  await panel.getByRole('button', { name: 'Send reply' }).click()
  await expect(office.getByText(`Your reply was sent to ${email}.`)).toBeVisible()
  await panel.getByRole('button', { name: 'Schedule hearing' }).click()
  const hearingDay = dayFromNow(100)
  await panel.getByLabel('Day').fill(hearingDay)
  await panel.getByLabel('Time', { exact: true }).fill('10:30')
  await expect(panel.getByLabel('Location')).toHaveValue(/Borough Hall/)
  await panel.getByRole('button', { name: 'Schedule hearing' }).press('Enter')
  await expect(panel.getByText(`${formatShortDate(hearingDay)}, 10:30 AM`).first()).toBeVisible()
  await panel.getByRole('button', { name: 'Dismiss ticket' }).click()
  const why = office.getByRole('dialog', { name: 'Dismiss ticket' })
  await why.getByLabel('Reason').fill('The meter was out of order.')
  await office.keyboard.press('Enter')
  await expect(panel.getByText('Void', { exact: true }).first()).toBeVisible()

  const message = await emailTo(email, new RegExp(`^Decision on ticket ${citation}$`))
  expect(message).toContain('The meter was out of order.')
  await page.setViewportSize(PHONE)
  await page.goto(at('maplegrove', linkIn(message)))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your Contest Request')
  for (const text of [
    'Which meter was it?',
    `Your hearing is on ${formatDate(hearingDay)}, 10:30 AM`,
    'Your contest request was successful',
  ])
    await expect(page.getByRole('listitem').filter({ hasText: text })).toBeVisible()
  await expect(page.getByText('This contest request has been decided.')).toBeVisible()
  await expectGood(page, accessible, 'a contest that is decided')
  await office.context().close()
})

test('enters a mailed contest at the counter after an extension @whole', async ({ page, accessible }) => {
  const { citation, plate } = await written(dayFromNow(-80))
  await page.setViewportSize(PHONE)
  await page.goto(at('maplegrove', '/parking-tickets'))
  await page.getByLabel('Citation number').fill(citation)
  await page.getByLabel('License plate').fill(plate)
  await page.getByLabel('State').fill('PA')
  await page.getByRole('button', { name: 'Find tickets' }).press('Enter')
  const card = page.getByRole('article', { name: citation })
  await expect(card).toContainText('The deadline to contest this ticket was')
  await expect(card.getByRole('button', { name: 'Contest this ticket' })).toHaveCount(0)

  await page.setViewportSize({ width: 1280, height: 900 })
  await openAs(page, 'maplegrove', ADMIN, `${OFFICE}?search=${citation}`)
  await page.getByRole('button', { name: `View ${citation}` }).click()
  const panel = page.getByRole('dialog', { name: `Ticket ${citation}` })
  await panel.getByRole('button', { name: 'Extend contest deadline' }).press('Enter')
  const more = page.getByRole('dialog', { name: 'Extend contest deadline' })
  await more.getByLabel('New deadline').fill(dayFromNow(7))
  await more.getByLabel('Reason').fill('Was in the hospital.')
  await more.getByLabel('Reason').press('Enter')
  await expect(page.getByText(`Ticket ${citation} can be contested until`, { exact: false })).toBeVisible()
  await expect(more).toBeHidden()
  await panel.getByRole('button', { name: 'Enter contest request' }).press('Enter')
  const form = page.getByRole('dialog', { name: `Enter contest request for ticket ${citation}` })
  await form.getByRole('button', { name: 'Enter contest request' }).press('Enter')
  await expect(form.getByText(/^Enter an address, a phone number or an email/).first()).toBeVisible()
  await expectGood(page, accessible, 'a contest on paper with errors')
  await form.getByLabel('Why is the ticket wrong?').fill('The sign was covered by snow.')
  await form.locator('input[type=file]').setInputFiles({
    name: 'letter.png',
    mimeType: 'image/png',
    buffer: await page.screenshot(),
  })
  await expect(form.getByRole('button', { name: 'Delete letter.png' })).toBeVisible()
  await form.getByLabel('Name').fill('Walt Ames')
  await form.getByLabel('Address').fill('4 Elm Street')
  await form.getByLabel('Address').press('Enter')
  await expect(page.getByText(/Contest request C\d+ entered\. No email was provided/)).toBeVisible()
  for (const text of ['The sign was covered by snow.', 'letter.png', 'Walt Ames, 4 Elm Street'])
    await expect(panel.getByText(text).first()).toBeVisible()
})

test('writes and corrects a ticket by keyboard only @whole', async ({ page, accessible }) => {
  test.slow()
  const citation = `K-${unique()}`
  await openAs(page, 'maplegrove', ADMIN, OFFICE)
  await page.getByRole('button', { name: 'Enter ticket' }).press('Enter')
  const form = page.getByRole('dialog', { name: 'Enter ticket' })
  await form.getByRole('button', { name: 'Enter ticket' }).press('Enter')
  await expect(form.getByLabel('Citation number')).toBeFocused()
  await expectGood(page, accessible, 'a ticket with errors')
  await page.keyboard.type(citation)
  await form.getByLabel('Violation').selectOption('10')
  await form.getByLabel('License plate').fill('key 123')
  await form.getByLabel('Day').fill('2026-01-05')
  await form.getByLabel('Time').fill('08:15')
  await form.getByLabel('Officer').press('Enter')
  await expect(page.getByText(`Ticket ${citation} entered.`)).toBeVisible()
  const panel = page.getByRole('dialog', { name: `Ticket ${citation}` })
  await expect(panel).toContainText('PA KEY123')
  await panel.getByRole('button', { name: 'Correct ticket' }).press('Enter')
  const correct = page.getByRole('dialog', { name: `Correct ticket ${citation}` })
  await correct.getByLabel('Vehicle').fill('Blue Honda Civic')
  await correct.getByRole('button', { name: 'Save' }).press('Enter')
  await expect(panel).toContainText('Blue Honda Civic')
  await panel.getByRole('button', { name: 'Void' }).press('Enter')
  await page.getByRole('dialog', { name: 'Void' }).getByLabel('Reason').fill('Wrong car.')
  await page.keyboard.press('Enter')
  await expect(panel.getByText('Wrong car.')).toBeVisible()
})

test('previews and imports tickets next to codes, settings, boot list and report @whole', async ({
  page,
  accessible,
}) => {
  test.slow()
  const { token } = await sessionOf('maplegrove', ADMIN)
  const code = `Z${unique().slice(-6)}`
  await callOn(
    'maplegrove',
    saveViolation,
    { violationId: null, code, description: 'Two wheels on the walk', amountCents: 1500, active: true },
    token,
  )
  const citation = `I-${unique()}`
  const csv = (line: string) => ({
    name: 'tickets.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`citation,plate,state,violation,issued\n${line}`),
  })
  await openAs(page, 'maplegrove', ADMIN, OFFICE)
  await openMore(page, 'the list')
  await page.getByRole('button', { name: 'Import' }).click()
  const panel = page.getByRole('dialog', { name: 'Import tickets' })
  const file = panel.locator('input[type=file]')
  await file.setInputFiles(csv(`${citation},ABC123,PA,NONE,2026-01-05 08:00`))
  await panel.getByRole('button', { name: 'Preview changes' }).click()
  const errorList = panel.getByRole('list', { name: 'Rows with errors' })
  await expect(errorList.getByText('Violation code NONE does not exist. Add it first.')).toBeVisible()
  await expectGood(page, accessible, 'an import with a wrong row')
  const errors = page.waitForEvent('download')
  await panel.getByRole('button', { name: 'Download rows with errors' }).click()
  expect((await errors).suggestedFilename()).toBe('rows-with-errors.csv')
  await file.setInputFiles({
    name: 'tickets.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`Tkt No;Tag;Tag State;Viol;Date Issued;Beat\n${citation};ABC123;PA;${code};2026-01-05 08:00;4`),
  })
  await panel.getByRole('button', { name: 'Preview changes' }).click()
  await expect(panel.getByText('Check the columns of your file. Then preview the changes.')).toBeVisible()
  await panel.getByLabel('Content of Beat').selectOption('Officer')
  await expectGood(page, accessible, 'the columns of an import')
  await panel.getByRole('button', { name: 'Preview changes' }).click()
  await expect(panel.getByText('The file is ready to import. Nothing has changed yet.')).toBeVisible()
  await panel.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(panel.getByText('File imported.')).toBeVisible()

  await page.goto(at('maplegrove', `${OFFICE}?tab=codes&search=${code}`))
  await page.getByRole('button', { name: `Edit ${code}` }).click()
  const edit = page.getByRole('dialog', { name: `Code ${code}` })
  await edit.getByLabel('Amount').fill('18.50')
  await edit.getByRole('button', { name: 'Save' }).press('Enter')
  await expect(page.getByRole('row').filter({ hasText: code })).toContainText('$18.50')
  await page.goto(at('maplegrove', `${OFFICE}?panel=settings`))
  const settings = page.getByRole('dialog', { name: 'Parking ticket settings' })
  await settings.getByRole('button', { name: 'Add a step' }).click()
  await settings.getByLabel('Day', { exact: true }).last().fill('')
  await settings.getByRole('button', { name: 'Save' }).press('Enter')
  await expect(settings.getByText('Enter a number of days from 1 to 730.').first()).toBeVisible()
  await expectGood(page, accessible, 'the settings of parking tickets with an error')
  await settings.getByRole('button', { name: 'Discard' }).press('Enter')
  await page.goto(at('maplegrove', `${OFFICE}?tab=boot`))
  await expect(page.getByText(/^This list shows plates with at least 3 unpaid tickets/)).toBeVisible()
  await expect(page.getByRole('row')).not.toHaveCount(1)
  await page.goto(
    at('maplegrove', `/municipality/reports/parking-ticket?search=${citation}&fromDate=2026-01-01&toDate=2026-01-31`),
  )
  await expect(page.getByRole('row').filter({ hasText: citation })).toContainText('$15.00')
})
