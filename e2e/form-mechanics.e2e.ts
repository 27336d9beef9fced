import type { Browser, Locator, Page } from '@playwright/test'
import { enterTicket } from '../features/parking-tickets/contract.ts'
import { PROFILE_SAVED, returnProfile, saveProfile } from '../features/profile/contract.ts'
import {
  openOrder,
  returnCrew,
  returnOrder,
  saveCrew,
  saveOrder,
  workChoices,
} from '../features/work-orders/contract.ts'
import { screens } from '../shared/all-screens.ts'
import { callOn, newResident, openAs, sessionOf } from './calls.ts'
import { dayFromNow } from './clock.ts'
import { at, expect, PASSWORD, PHONE, test, unique } from './fixtures.ts'
import { linkIn, emailTo } from './mail.ts'
import {
  addBill,
  choose,
  expectOutcome,
  expectPaid,
  fields,
  fillBank,
  fillCard,
  findBill,
  payButton,
  typeInto,
} from './pay.ts'

const HOST = 'maplegrove'
const ADMIN = 'admin@maplegrove.example'
const nowhere = { addressId: null, lat: null, lon: null, metres: null }

/** Clicks a button after the page stops moving. During a scroll, a frame could receive the click. */
async function clickButton(button: Locator): Promise<void> {
  await button.scrollIntoViewIfNeeded()
  await button.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  await button.click()
}

test.describe('click that acts or shows the reason', () => {
  test('pays with one click after a guest corrects every mistake', async ({ page, account }) => {
    await findBill(page, account)
    await expect(fields(page).getByLabel('Card number')).toBeVisible()
    await clickButton(payButton(page))
    const email = page.getByLabel('Email')
    await expect(email).toHaveAttribute('aria-invalid', 'true')
    await expect(page.getByRole('alert').getByText('Check the card or bank details.')).toBeVisible()
    await expect(fields(page).getByText('Enter the card number.')).toBeVisible()
    await expect(page.locator('iframe')).toBeFocused()
    await expect(page.getByText('2 entries need correction')).toBeVisible()

    await choose(page, 'Partial')
    await typeInto(page.getByLabel('Amount to pay'), '2')
    await clickButton(payButton(page))
    // The first of three wrong fields has the focus, and the gateway's frame does not take the focus away.
    await expect(page.getByText('3 entries need correction')).toBeVisible()
    await expect(page.getByLabel('Amount to pay')).toBeFocused()

    await typeInto(page.getByLabel('Amount to pay'), '20')
    await fillCard(page)
    await expect(page.getByText(/needs? correction/)).toHaveCount(0)
    await clickButton(page.getByRole('button', { name: /^Pay \$2\d\.\d\d$/ }))
    await expectPaid(page)
  })

  test('shows a single mistake and pays with one press after its correction', async ({
    page,
    account,
    secondAccount,
  }) => {
    await findBill(page, account)
    await fillCard(page)
    await page.getByLabel('Email').fill('')
    await clickButton(payButton(page))
    await expect(page.getByLabel('Email')).toBeFocused()
    await typeInto(page.getByLabel('Email'), 'ida@mail.example')
    await clickButton(payButton(page))
    await expectPaid(page)

    await findBill(page, secondAccount)
    await fillBank(page)
    const routing = fields(page, 'Bank account').getByLabel('Routing number')
    await typeInto(routing, '110000001')
    await clickButton(payButton(page))
    await expect(page.getByRole('alert').getByText('Check the card or bank details.')).toBeVisible()
    await expect(routing).toBeFocused()
    await typeInto(routing, '110000000')
    await clickButton(payButton(page))
    await expectOutcome(page, /is processing$/)
  })

  test('pays after a cart amount is changed and reset', async ({ page, account, secondAccount }) => {
    await findBill(page, account)
    await addBill(page, secondAccount)
    await page.getByRole('button', { name: `Change amount for Utility bill ${account}` }).click()
    const amount = page.getByLabel(`Amount to pay for Utility bill ${account}`)
    await expect(amount).toBeFocused()
    // The bar with the total must not cover the field.
    const bar = await page.locator('[data-sticky-end]').boundingBox()
    const box = await amount.boundingBox()
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0)
    await typeInto(amount, '100')
    await expect(payButton(page)).toHaveText(/^Pay \$25\d/)
    await page.getByRole('button', { name: `Pay in full: Utility bill ${account}` }).click()
    await expect(page.getByRole('button', { name: `Change amount for Utility bill ${account}` })).toBeFocused()
    await fillCard(page)
    await clickButton(payButton(page))
    await expectPaid(page)
  })

  test('reports at the first click that saving a bank account needs consent', async ({ page }) => {
    await openAs(page, HOST, await newResident(HOST), '/profile/payment-methods')
    await page.getByRole('button', { name: 'Add a card or bank account' }).click()
    await page.getByText('For eChecks').click()
    const frame = fields(page, 'Bank account')
    await frame.getByLabel('Name on the account').fill('Ida Moss')
    await frame.getByLabel('Routing number').fill('110000000')
    await frame.getByLabel('Account number').fill('000123456789')
    const keepButton = page.getByRole('button', { name: 'Save payment method' })
    await clickButton(keepButton)
    await expect(page.getByText('Agree to the terms to save this payment method.')).toBeVisible()
    const agree = page.getByRole('main').getByRole('checkbox')
    await expect(agree).toBeFocused()
    await agree.check()
    await clickButton(keepButton)
    await expect(page.getByRole('listitem').filter({ hasText: '6789' })).toBeVisible()
  })
})

async function expectArrived(heading: Locator): Promise<void> {
  await expect(heading).toBeFocused()
  await expect(heading).toBeInViewport({ ratio: 1 })
}

test.describe('new content on a phone', () => {
  test.use({ viewport: PHONE })

  test('leads from sign-up to the next step and forgets a used link', async ({ page }) => {
    const email = `ida-${unique().toLowerCase()}@mail.example`
    await page.goto(at(HOST, '/sign-up'))
    const send = page.getByRole('main').getByRole('button', { name: 'Sign Up' })
    await clickButton(send)
    await expect(page.getByLabel('First Name')).toBeFocused()
    await page.getByLabel('First Name').fill('Ida')
    await page.getByLabel('Last Name').fill('Moss')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await clickButton(send)
    const done = page.getByRole('alert').filter({ hasText: 'Please confirm your email.' })
    await expectArrived(done)
    await expect(done).toContainText(email)
    await expect(done.getByRole('link', { name: 'Change email address' })).toHaveAttribute('href', '/profile/settings')
    const link = linkIn(await emailTo(email, /^Confirm your email/))
    await done.getByRole('button', { name: 'Resend email' }).click()
    await expect(page.getByText(`We sent another email to ${email}.`)).toBeVisible()
    expect(link).not.toBe('')

    const newest = linkIn(await emailTo(email, /^Confirm your email/))
    await page.goto(at(HOST, newest))
    // If the link has not been used yet, its code survives a reload.
    await page.reload()
    await page.getByRole('button', { name: 'Confirm my email' }).click()
    await expectArrived(page.getByRole('alert').filter({ hasText: `${email} is confirmed` }))
    for (const path of ['/profile/settings', '/sign-in']) {
      await page.goto(at(HOST, path))
      await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('Confirm Your Email')
    }
    await page.goto(at(HOST, newest))
    await page.goto(at(HOST, '/profile/settings'))
    await page.goto(at(HOST, '/sign-in'))
    await expect(page, 'a link that was left is no trap').toHaveURL(at(HOST, '/home'))
  })

  test('leads from a contest and from a request to the next step', async ({ page }) => {
    const { token } = await sessionOf(HOST, ADMIN)
    const car = { citation: `M-${unique()}`, plate: unique().slice(-7), plateState: 'PA' }
    const details = { vehicle: '', officer: '', location: { ...nowhere, text: 'Main Street 12' }, notes: '', email: '' }
    const issued = { issuedDate: dayFromNow(-5), issuedTime: '09:30' }
    await callOn(HOST, enterTicket, { ...details, ...issued, ...car, violation: '10', warning: false }, token)
    await page.goto(at(HOST, '/parking-tickets'))
    await page.getByLabel('Citation number').fill(car.citation)
    await page.getByLabel('License plate').fill(car.plate)
    await page.getByLabel('State').fill('PA')
    await page.getByRole('button', { name: 'Find tickets' }).click()
    await page.getByRole('button', { name: 'Contest this ticket' }).click()
    await expectArrived(page.getByRole('heading', { name: `Contest ticket ${car.citation}` }))
    await clickButton(page.getByRole('button', { name: 'Submit contest request' }))
    await expect(page.getByLabel('Why is the ticket wrong?')).toBeFocused()

    await page.goto(at(HOST, '/communication/new'))
    await page.getByLabel('What kind of problem is it?').selectOption('Stray dog')
    await page.getByRole('combobox', { name: 'Where is the problem?' }).fill('behind the library')
    await clickButton(page.getByRole('button', { name: 'Continue' }))
    await expectArrived(page.getByRole('heading', { level: 2 }).first())
    await expect(page.getByLabel('What kind of problem is it?')).toHaveCount(0)
  })
})

/** Opens a work order that no other test uses. */
const anOrder = (token: string) =>
  callOn(
    HOST,
    openOrder,
    {
      ...{ title: `Mend ${unique()}`, description: '', kind: 'repair', severity: 1, assetName: '', dueOn: '' },
      ...{ departmentId: null, assignedTo: null, checklist: [], location: { ...nowhere, text: 'Main Street' } },
    },
    token,
  )

/** Signs in another staff member in a second page. */
async function another(
  browser: Browser,
  path: string,
  host = HOST,
  email = 'manager@maplegrove.example',
): Promise<Page> {
  const page = await browser.newPage()
  await openAs(page, host, email, path)
  return page
}

test.describe('typed text while another person saves', () => {
  test('stays in the panel of a work order', async ({ page, browser }) => {
    const { token } = await sessionOf(HOST, ADMIN)
    const { orderId } = await anOrder(token)
    const path = `/municipality/work-orders?order=${orderId}`
    const otherPage = await another(browser, path)
    await openAs(page, HOST, ADMIN, path)
    for (const one of [page, otherPage]) await one.getByRole('button', { name: 'Edit', exact: true }).click()
    const typed = otherPage.getByRole('dialog').getByLabel('Description')
    await typed.pressSequentially('Typed by the second person.')
    const { details } = await callOn(HOST, returnOrder, { orderId }, token)
    const seen = otherPage.waitForResponse((response) => response.url().endsWith(returnOrder.path))
    await callOn(HOST, saveOrder, { ...details, orderId, title: `Changed ${unique()}`, basis: details }, token)
    await seen
    await expect(typed).toHaveValue('Typed by the second person.')
    await otherPage.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(otherPage.getByRole('dialog').getByText('Typed by the second person.')).toBeVisible()
    const { details: now } = await callOn(HOST, returnOrder, { orderId }, token)
    expect(now).toMatchObject({ description: 'Typed by the second person.', title: expect.stringMatching(/^Changed/) })
  })
})

test.describe('typed text in other places', () => {
  test('stays in a crew’s settings panel while a work order changes', async ({ page }) => {
    const { token } = await sessionOf(HOST, ADMIN)
    const { people } = await callOn(HOST, workChoices, {}, token)
    const form = { name: `Crew ${unique()}`, people: [people[0]?.id ?? 0], active: true }
    const { crewId } = await callOn(HOST, saveCrew, { ...form, crewId: null }, token)
    await openAs(page, HOST, 'manager@maplegrove.example', `/municipality/work-orders?tab=crews&crew=${crewId}`)
    const panel = page.getByRole('dialog', { name: 'Crew' })
    const name = `Typed ${unique()}`
    await panel.getByLabel('Name').fill(name)
    await callOn(HOST, saveCrew, { ...form, active: false, crewId, basis: form }, token)
    const seen = page.waitForResponse((response) => response.url().endsWith(returnCrew.path))
    await anOrder(token)
    await seen
    await expect(panel.getByLabel('Name')).toHaveValue(name)
    await panel.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(panel).toHaveCount(0)
    expect((await callOn(HOST, returnCrew, { crewId }, token)).form).toMatchObject({ name, active: false })
  })

  test('stays in a profile form that its owner changed elsewhere', async ({ page }) => {
    const email = await newResident(HOST)
    const { token } = await sessionOf(HOST, email)
    await openAs(page, HOST, email, '/profile/settings')
    const typed = page.getByRole('region', { name: 'Your profile' }).getByLabel('First Name')
    await typed.fill('Iris')
    const { first_name, last_name, service_address, city, state, zipcode, mobile_no } = (
      await callOn(HOST, returnProfile, {}, token)
    ).user
    const storedProfile = { first_name, last_name, email, service_address, city, state, zipcode, mobile_no }
    await callOn(HOST, saveProfile, { formData: { ...storedProfile, last_name: 'Stone' }, basis: storedProfile }, token)
    const seen = page.waitForResponse((response) => response.url().endsWith(returnProfile.path))
    await page.getByRole('button', { name: 'Save preferences' }).click()
    await seen
    await expect(page.getByText('Preferences saved.')).toBeVisible()
    await expect(typed).toHaveValue('Iris')
    await page.getByRole('button', { name: 'Save profile' }).click()
    await expect(page.getByText(PROFILE_SAVED)).toBeVisible()
    expect((await callOn(HOST, returnProfile, {}, token)).user).toMatchObject({
      first_name: 'Iris',
      last_name: 'Stone',
    })
  })
})

/** Number of clicks that reached a button, counted by a script in the page. */
interface ClickCounter {
  clicks: number
}

/**
 * Clicks each submit button slowly, right after typing into a field of its form. The click must reach the button, even
 * if the page changes when the field loses the focus. No form is sent.
 * @returns the number of forms
 */
async function clickEachForm(page: Page, what: string): Promise<number> {
  const buttons = page.locator(
    'main form button[type=submit]:visible:enabled, dialog[open] button[type=submit]:visible:enabled',
  )
  const count = await buttons.count()
  for (let n = 0; n < count; n++) {
    const button = buttons.nth(n)
    const formOf = await button.evaluateHandle((one) => (one as HTMLButtonElement).form)
    const inputs = await formOf
      .asElement()
      ?.$$('input:not([type]), input[type=text], input[type=email], input[type=tel], textarea, input[role=combobox]')
    for (const input of inputs ?? []) {
      if (!(await input.isVisible()) || !(await input.isEditable())) continue
      const isLocationField = (await input.getAttribute('role')) === 'combobox'
      // A location field looks up an unlisted location when it loses the focus. Other fields show an error for this
      // value.
      await input.fill(isLocationField ? 'behind the library' : '2')
      // Waits for the suggestions. If they were loaded before, the list may already be closed.
      if (isLocationField)
        await page
          .getByRole('option')
          .last()
          .waitFor({ timeout: 3000 })
          .catch(() => {})
      await button.evaluate((one) => {
        const clickCounter: ClickCounter = { clicks: 0 }
        Object.assign(window, { clickCounter })
        one.addEventListener(
          'click',
          (event) => {
            clickCounter.clicks++
            event.preventDefault()
            event.stopImmediatePropagation()
          },
          { capture: true, once: true },
        )
      })
      await button.scrollIntoViewIfNeeded()
      const box = await button.boundingBox()
      if (!box) throw new Error(`${what}: the button is gone`)
      // Clicks near the upper edge, because content that appears above moves the button down.
      await page.mouse.move(box.x + box.width / 2, box.y + 4)
      await page.mouse.down()
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
      await page.mouse.up()
      const name = (await input.getAttribute('name')) ?? 'a field'
      expect(
        await page.evaluate(() => (window as unknown as { clickCounter: ClickCounter }).clickCounter.clicks),
        `${what}: ${name}`,
      ).toBe(1)
    }
  }
  return count
}

/** Opens a screen and waits until it has loaded all data. */
async function goTo(page: Page, path: string): Promise<void> {
  await page.goto(at(HOST, path))
  await page.locator('h1').first().waitFor()
  await expect(page.locator('main .skeleton')).toHaveCount(0)
}

const plain = screens.filter(({ path, built, byServer }) => built && !byServer && !path.includes('{'))

test('counts a click on each resident form, whatever a left field shows', async ({ page, account }) => {
  test.setTimeout(300_000)
  let forms = 0
  const email = await newResident(HOST)
  const open = plain.filter(({ entry, path }) => entry === 'citizen' && !/sign-in|sign-up|reset/.test(path))
  for (const path of ['/sign-in', '/sign-up', '/reset-password']) {
    await goTo(page, path)
    forms += await clickEachForm(page, path)
  }
  await findBill(page, account)
  await choose(page, 'Partial')
  forms += await clickEachForm(page, 'a payment')
  await openAs(page, HOST, email, '/home')
  for (const { path } of open) {
    await goTo(page, path)
    forms += await clickEachForm(page, path)
  }
  test.info().annotations.push({ type: 'forms', description: String(forms) })
  expect(forms).toBeGreaterThan(10)
})

test('counts a click on each form that staff open from a screen @whole', async ({ page }) => {
  test.setTimeout(900_000)
  let forms = 0
  await openAs(page, HOST, ADMIN, '/municipality')
  for (const { path } of plain.filter(({ entry }) => entry === 'municipality')) {
    await goTo(page, path)
    forms += await clickEachForm(page, path)
    const opens = page.getByRole('main').getByRole('button', { name: /^(?:New|Add|Create|Enter|Book|Write|Record)\b/ })
    for (let n = 0; n < (await opens.count()); n++) {
      await opens.nth(n).click()
      // Some of these buttons open no form.
      await page
        .locator('dialog[open] form button[type=submit], main form button[type=submit]')
        .filter({ visible: true })
        .first()
        .waitFor({ timeout: 3000 })
        .catch(() => {})
      await expect(page.locator('.skeleton')).toHaveCount(0)
      forms += await clickEachForm(page, `${path} ${n}`)
      await goTo(page, path)
    }
  }
  test.info().annotations.push({ type: 'forms', description: String(forms) })
  expect(forms).toBeGreaterThan(10)
})
