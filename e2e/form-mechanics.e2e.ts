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
import { at, expect, PASSWORD, PHONE, test, unique } from './fixtures.ts'
import { linkIn, mailTo } from './mail.ts'
import { addBill, choose, expectOutcome, expectPaid, fields, fillBank, fillCard, findBill, payButton } from './pay.ts'

const TOWN = 'maplegrove'
const ADMIN = 'admin@maplegrove.example'
const nowhere = { addressId: null, lat: null, lon: null, metres: null }

/** Presses with the mouse once the page has come to rest: right after a scroll a frame may still take the mouse. */
async function press(button: Locator): Promise<void> {
  await button.scrollIntoViewIfNeeded()
  await button.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  await button.click()
}

test.describe('a press acts or says why not', () => {
  test('a guest makes every mistake, corrects it, and one press pays', async ({ page, account }) => {
    await findBill(page, account)
    await expect(fields(page).getByLabel('Card number')).toBeVisible()
    await press(payButton(page))
    const email = page.getByLabel('Email')
    await expect(email).toHaveAttribute('aria-invalid', 'true')
    await expect(page.getByRole('alert').getByText('Check the card or bank details above.')).toBeVisible()
    await expect(fields(page).getByText('Enter the card number.')).toBeVisible()
    await expect(page.locator('iframe')).toBeFocused()
    await expect(page.getByText('2 things need another look')).toBeVisible()

    await choose(page, 'Partial')
    await page.getByLabel('Amount to pay').fill('2')
    await press(payButton(page))
    // The first of three mistakes has the focus, and the frame does not take it away.
    await expect(page.getByText('3 things need another look')).toBeVisible()
    await expect(page.getByLabel('Amount to pay')).toBeFocused()

    await page.getByLabel('Amount to pay').fill('20')
    await fillCard(page)
    await expect(page.getByText(/another look/)).toHaveCount(0)
    await press(page.getByRole('button', { name: /^Pay \$2\d\.\d\d$/ }))
    await expectPaid(page)
  })

  test('a single mistake is told, and one press pays after its correction', async ({
    page,
    account,
    secondAccount,
  }) => {
    await findBill(page, account)
    await fillCard(page)
    await page.getByLabel('Email').fill('')
    await press(payButton(page))
    await expect(page.getByLabel('Email')).toBeFocused()
    await page.getByLabel('Email').fill('ida@mail.example')
    await press(payButton(page))
    await expectPaid(page)

    await findBill(page, secondAccount)
    await fillBank(page)
    const routing = fields(page, 'Bank account').getByLabel('Routing number')
    await routing.fill('110000001')
    await press(payButton(page))
    await expect(page.getByRole('alert').getByText('Check the card or bank details above.')).toBeVisible()
    await expect(routing).toBeFocused()
    await routing.fill('110000000')
    await press(payButton(page))
    await expectOutcome(page, /is on its way$/)
  })

  test('an amount in the cart is changed and taken back, and the payment goes through', async ({
    page,
    account,
    secondAccount,
  }) => {
    await findBill(page, account)
    await addBill(page, secondAccount)
    await page.getByRole('button', { name: `Change amount for Utility bill ${account}` }).click()
    const amount = page.getByLabel(`Amount to pay for Utility bill ${account}`)
    await expect(amount).toBeFocused()
    // The bar with the total covers no part of the field.
    const bar = await page.locator('[data-sticky-end]').boundingBox()
    const box = await amount.boundingBox()
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0)
    await amount.fill('100')
    await expect(payButton(page)).toHaveText(/^Pay \$25\d/)
    await page.getByRole('button', { name: `Pay all of it: Utility bill ${account}` }).click()
    await expect(page.getByRole('button', { name: `Change amount for Utility bill ${account}` })).toBeFocused()
    await fillCard(page)
    await press(payButton(page))
    await expectPaid(page)
  })

  test('a bank account is not kept without an agreement, and the first press says so', async ({ page }) => {
    await openAs(page, TOWN, await newResident(TOWN), '/profile/payment-methods')
    await page.getByRole('button', { name: 'Add a card or bank account' }).click()
    await page.getByText('For eChecks').click()
    const frame = fields(page, 'Bank account')
    await frame.getByLabel('Name on the account').fill('Ida Moss')
    await frame.getByLabel('Routing number').fill('110000000')
    await frame.getByLabel('Account number').fill('000123456789')
    const keep = page.getByRole('button', { name: 'Keep it' })
    await press(keep)
    await expect(page.getByText('To have it kept, agree to it.')).toBeVisible()
    const agree = page.getByRole('main').getByRole('checkbox')
    await expect(agree).toBeFocused()
    await agree.check()
    await press(keep)
    await expect(page.getByRole('listitem').filter({ hasText: '6789' })).toBeVisible()
  })
})

/** Sees whether that control is in view with the focus. */
async function expectArrived(heading: Locator): Promise<void> {
  await expect(heading).toBeFocused()
  await expect(heading).toBeInViewport({ ratio: 1 })
}

test.describe('new content on a phone', () => {
  test.use({ viewport: PHONE })

  test('signing up leads to what comes next, and a used link is forgotten', async ({ page }) => {
    const email = `ida-${unique().toLowerCase()}@mail.example`
    await page.goto(at(TOWN, '/sign-up'))
    const send = page.getByRole('main').getByRole('button', { name: 'Sign Up' })
    await press(send)
    await expect(page.getByLabel('First Name')).toBeFocused()
    await page.getByLabel('First Name').fill('Ida')
    await page.getByLabel('Last Name').fill('Moss')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await press(send)
    const done = page.getByRole('alert').filter({ hasText: 'Please confirm your email.' })
    await expectArrived(done)
    await expect(done).toContainText(email)
    await expect(done.getByRole('link', { name: 'Wrong address?' })).toHaveAttribute('href', '/profile/settings')
    const link = linkIn(await mailTo(email, /^Confirm your email/))
    await done.getByRole('button', { name: 'Send again' }).click()
    await expect(page.getByText(`We sent another email to ${email}.`)).toBeVisible()
    expect(link).not.toBe('')

    const newest = linkIn(await mailTo(email, /^Confirm your email/))
    await page.goto(at(TOWN, newest))
    // Before it is used, a reload finds the code again.
    await page.reload()
    await page.getByRole('button', { name: 'Confirm my email' }).click()
    await expectArrived(page.getByRole('alert').filter({ hasText: `${email} is confirmed` }))
    for (const path of ['/profile/settings', '/sign-in']) {
      await page.goto(at(TOWN, path))
      await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('Confirm Your Email')
    }
    await page.goto(at(TOWN, newest))
    await page.goto(at(TOWN, '/profile/settings'))
    await page.goto(at(TOWN, '/sign-in'))
    await expect(page, 'a link that was left is no trap').toHaveURL(at(TOWN, '/home'))
  })

  test('a contest and a report lead to their next step', async ({ page }) => {
    const { token } = await sessionOf(TOWN, ADMIN)
    const car = { citation: `M-${unique()}`, plate: unique().slice(-7), plateState: 'PA' }
    const facts = { vehicle: '', officer: '', place: { ...nowhere, text: 'Main Street 12' }, notes: '', email: '' }
    const issued = { issuedDate: new Date(Date.now() - 5 * 86_400_000).toISOString().slice(0, 10), issuedTime: '09:30' }
    await callOn(TOWN, enterTicket, { ...facts, ...issued, ...car, violation: '10', warning: false }, token)
    await page.goto(at(TOWN, '/parking-tickets'))
    await page.getByLabel('Citation number').fill(car.citation)
    await page.getByLabel('License plate').fill(car.plate)
    await page.getByLabel('State').fill('PA')
    await page.getByRole('button', { name: 'Find tickets' }).click()
    await page.getByRole('button', { name: 'Contest this ticket' }).click()
    await expectArrived(page.getByRole('heading', { name: `Contest ticket ${car.citation}` }))
    await press(page.getByRole('button', { name: 'Send the contest' }))
    await expect(page.getByLabel('Why is the ticket wrong?')).toBeFocused()

    await page.goto(at(TOWN, '/communication/new'))
    await page.getByLabel('What is it about?').selectOption('Stray dog')
    await page.getByRole('combobox', { name: 'Where is it?' }).fill('behind the library')
    await press(page.getByRole('button', { name: 'Go on' }))
    await expectArrived(page.getByRole('heading', { level: 2 }).first())
    await expect(page.getByLabel('What is it about?')).toHaveCount(0)
  })
})

/** Opens a work order that no other journey has. */
const anOrder = (token: string) =>
  callOn(
    TOWN,
    openOrder,
    {
      ...{ title: `Mend ${unique()}`, description: '', kind: 'repair', severity: 1, assetName: '', dueOn: '' },
      ...{ departmentId: null, assignedTo: null, checklist: [], place: { ...nowhere, text: 'Main Street' } },
    },
    token,
  )

/** Has another member of staff signed in beside the first. */
async function another(browser: Browser, path: string, host = TOWN, who = 'manager@maplegrove.example'): Promise<Page> {
  const page = await browser.newPage()
  await openAs(page, host, who, path)
  return page
}

test.describe('typed text stays while somebody else saves', () => {
  test('in a panel: a work order', async ({ page, browser }) => {
    const { token } = await sessionOf(TOWN, ADMIN)
    const { orderId } = await anOrder(token)
    const path = `/municipality/work-orders?order=${orderId}`
    const theirs = await another(browser, path)
    await openAs(page, TOWN, ADMIN, path)
    for (const one of [page, theirs]) await one.getByRole('button', { name: 'Edit', exact: true }).click()
    const typed = theirs.getByRole('dialog').getByLabel('Description')
    await typed.pressSequentially('Typed by the second person.')
    const { facts } = await callOn(TOWN, returnOrder, { orderId }, token)
    const seen = theirs.waitForResponse((answer) => answer.url().endsWith(returnOrder.path))
    await callOn(TOWN, saveOrder, { ...facts, orderId, title: `Changed ${unique()}`, basis: facts }, token)
    await seen
    await expect(typed).toHaveValue('Typed by the second person.')
    await theirs.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(theirs.getByRole('dialog').getByText('Typed by the second person.')).toBeVisible()
    const { facts: now } = await callOn(TOWN, returnOrder, { orderId }, token)
    expect(now).toMatchObject({ description: 'Typed by the second person.', title: expect.stringMatching(/^Changed/) })
  })
})

test.describe('typed text stays in other places', () => {
  test('in a panel of settings: a crew, while a work order brings news', async ({ page }) => {
    const { token } = await sessionOf(TOWN, ADMIN)
    const { people } = await callOn(TOWN, workChoices, {}, token)
    const form = { name: `Crew ${unique()}`, people: [people[0]?.id ?? 0], active: true }
    const { crewId } = await callOn(TOWN, saveCrew, { ...form, crewId: null }, token)
    await openAs(page, TOWN, 'manager@maplegrove.example', `/municipality/work-orders?tab=crews&crew=${crewId}`)
    const panel = page.getByRole('dialog', { name: 'Crew' })
    const name = `Typed ${unique()}`
    await panel.getByLabel('Name').fill(name)
    await callOn(TOWN, saveCrew, { ...form, active: false, crewId, basis: form }, token)
    const seen = page.waitForResponse((answer) => answer.url().endsWith(returnCrew.path))
    await anOrder(token)
    await seen
    await expect(panel.getByLabel('Name')).toHaveValue(name)
    await panel.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(panel).toHaveCount(0)
    expect((await callOn(TOWN, returnCrew, { crewId }, token)).form).toMatchObject({ name, active: false })
  })

  test('in a form of the page: a profile that its owner changed elsewhere', async ({ page }) => {
    const email = await newResident(TOWN)
    const { token } = await sessionOf(TOWN, email)
    await openAs(page, TOWN, email, '/profile/settings')
    const typed = page.getByRole('region', { name: 'Your profile' }).getByLabel('First Name')
    await typed.fill('Iris')
    const { first_name, last_name, service_address, city, state, zipcode, mobile_no } = (
      await callOn(TOWN, returnProfile, {}, token)
    ).user
    const kept = { first_name, last_name, email, service_address, city, state, zipcode, mobile_no }
    await callOn(TOWN, saveProfile, { formData: { ...kept, last_name: 'Stone' }, basis: kept }, token)
    const seen = page.waitForResponse((answer) => answer.url().endsWith(returnProfile.path))
    await page.getByRole('button', { name: 'Save these choices' }).click()
    await seen
    await expect(page.getByText('Your choices are saved.')).toBeVisible()
    await expect(typed).toHaveValue('Iris')
    await page.getByRole('button', { name: 'Save the profile' }).click()
    await expect(page.getByText(PROFILE_SAVED)).toBeVisible()
    expect((await callOn(TOWN, returnProfile, {}, token)).user).toMatchObject({
      first_name: 'Iris',
      last_name: 'Stone',
    })
  })
})

/** What presses on a page have done, as its own script sees them. */
interface Presses {
  clicks: number
}

/**
 * Presses each button that sends a form, slowly, right after a field of that form was typed into. The press must reach the
 * button, however the page changes when the field is left. Nothing is sent.
 * @returns the number of forms
 */
async function pressEachForm(page: Page, what: string): Promise<number> {
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
      const isPlace = (await input.getAttribute('role')) === 'combobox'
      // A place that no list has is settled when its field is left. Other fields show an error for this.
      await input.fill(isPlace ? 'behind the library' : '2')
      // A list whose answer is known already may be shut again by then.
      if (isPlace)
        await page
          .getByRole('option')
          .last()
          .waitFor({ timeout: 3000 })
          .catch(() => {})
      await button.evaluate((one) => {
        const presses: Presses = { clicks: 0 }
        Object.assign(window, { presses })
        one.addEventListener(
          'click',
          (event) => {
            presses.clicks++
            event.preventDefault()
            event.stopImmediatePropagation()
          },
          { capture: true, once: true },
        )
      })
      await button.scrollIntoViewIfNeeded()
      const box = await button.boundingBox()
      if (!box) throw new Error(`${what}: the button is gone`)
      // Content that appears above moves the button down, away from its upper edge.
      await page.mouse.move(box.x + box.width / 2, box.y + 4)
      await page.mouse.down()
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
      await page.mouse.up()
      const name = (await input.getAttribute('name')) ?? 'a field'
      expect(
        await page.evaluate(() => (window as unknown as { presses: Presses }).presses.clicks),
        `${what}: ${name}`,
      ).toBe(1)
    }
  }
  return count
}

/** Opens a screen and waits until all that it loads is there. */
async function goTo(page: Page, path: string): Promise<void> {
  await page.goto(at(TOWN, path))
  await page.locator('h1').first().waitFor()
  await expect(page.locator('main .skeleton')).toHaveCount(0)
}

const plain = screens.filter(({ path, built, byServer }) => built && !byServer && !path.includes('{'))

test('a press counts on each form of the residents, whatever a left field shows', async ({ page, account }) => {
  test.setTimeout(300_000)
  let forms = 0
  const email = await newResident(TOWN)
  const open = plain.filter(({ entry, path }) => entry === 'citizen' && !/sign-in|sign-up|reset/.test(path))
  for (const path of ['/sign-in', '/sign-up', '/reset-password']) {
    await goTo(page, path)
    forms += await pressEachForm(page, path)
  }
  await findBill(page, account)
  await choose(page, 'Partial')
  forms += await pressEachForm(page, 'a payment')
  await openAs(page, TOWN, email, '/home')
  for (const { path } of open) {
    await goTo(page, path)
    forms += await pressEachForm(page, path)
  }
  test.info().annotations.push({ type: 'forms', description: String(forms) })
  expect(forms).toBeGreaterThan(10)
})

test('a press counts on each form that staff open from a screen @whole', async ({ page }) => {
  test.setTimeout(900_000)
  let forms = 0
  await openAs(page, TOWN, ADMIN, '/municipality')
  for (const { path } of plain.filter(({ entry }) => entry === 'municipality')) {
    await goTo(page, path)
    forms += await pressEachForm(page, path)
    const opens = page.getByRole('main').getByRole('button', { name: /^(?:New|Add|Create|Enter|Book|Write|Record)\b/ })
    for (let n = 0; n < (await opens.count()); n++) {
      await opens.nth(n).click()
      await expect(page.locator('.skeleton')).toHaveCount(0)
      forms += await pressEachForm(page, `${path} ${n}`)
      await goTo(page, path)
    }
  }
  test.info().annotations.push({ type: 'forms', description: String(forms) })
  expect(forms).toBeGreaterThan(20)
})
