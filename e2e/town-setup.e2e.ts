import type { Browser, BrowserContext, Page } from '@playwright/test'
import { type Acts, countActs } from './acts.ts'
import { dayFromNow, usDate } from './clock.ts'
import { openAs } from './calls.ts'
import { at, DESKTOP, expect, PASSWORD, PHONE, test, unique } from './fixtures.ts'
import { emailTo, linkIn } from './mail.ts'
import { fields } from './pay.ts'

/** Tests that a municipality sets itself up with few acts: from “Add Company” to the payment of a guest. */

/** Maximum number of acts of all people: clicks, filled fields, choices and keys. */
const MAX_ACTS = 60

const rowOf = (n: number) => ({ account: String(4000 + n).padStart(6, '0'), cents: n === 0 ? 0 : 2000 + 137 * n })
const dollars = (cents: number) => (cents / 100).toFixed(2)
const ROWS = Array.from({ length: 40 }, (_, n) => rowOf(n))

/** Files of two billing systems with their own column names. The second row of the first file has an impossible date. */
const files = {
  'five columns and a wrong date': () => [
    'Acct No,Name,Address,Balance,Due',
    ...ROWS.map(({ account, cents }, n) =>
      [
        account,
        '"Miller, Ann"',
        `${n + 1} Oak Avenue`,
        dollars(cents),
        n === 1 ? '12/35/2026' : usDate(dayFromNow(9)),
      ].join(','),
    ),
  ],
  '22 columns': () => [
    'CUST_ACCT_NBR,SVC_LOC_ID,CYCLE,ROUTE,CUST_NM,CUST_NM2,SVC_ADDR_1,SVC_ADDR_2,SVC_CITY,SVC_ST,SVC_ZIP5,MAIL_ADDR_1,MAIL_CSZ,PHONE_1,EMAIL_ADDR,BILL_DT,DUE_DT,PREV_BAL,PMTS_RCVD,CURR_CHGS,PENALTY,TOT_AMT_DUE',
    ...ROWS.map(({ account, cents }, n) => {
      const street = `${n + 1} OAK AVENUE`
      const [billed, due] = [dayFromNow(-5), dayFromNow(9)].map((day) => day.replaceAll('-', ''))
      const columns = [account, 900 + n, '01', '02', 'MILLER ANN', '', street, '', 'ELMSFORD', 'PA', '17033']
      const others = [street, 'ELMSFORD PA 17033', '7175550100', `ann${n}@example.org`, billed, due]
      return [...columns, ...others, '0.00', '0.00', dollars(cents), '0.00', dollars(cents)].join(',')
    }),
  ],
}

/** Adds a company as platform staff and invites its administrator. @returns the subdomain and the email */
async function addCompany(page: Page): Promise<{ host: string; email: string }> {
  const stamp = unique().toLowerCase()
  await page.getByRole('button', { name: 'Add Company' }).click()
  const panel = page.getByRole('dialog', { name: 'Create Company' })
  await panel.getByLabel('Company Name').fill(`Elmsford ${stamp}`)
  await panel.getByLabel('Company Address').fill('10 Main Street')
  await panel.getByLabel('City', { exact: true }).fill('Elmsford')
  await panel.getByLabel('State').fill('PA')
  await panel.getByLabel('Zip Code').fill('17033')
  await panel.getByLabel('Phone').fill('717-555-0133')
  await panel.getByLabel('Company Website').fill('www.elmsford.example.org')
  await panel.getByLabel('Is Online').selectOption('No')
  await panel.getByLabel('Integrates with Billing System').selectOption('Yes')
  await panel.getByLabel('Managed Services Client').selectOption('No')
  await panel.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('dialog', { name: 'Success' }).getByRole('link', { name: 'Invite administrator' }).click()
  const invitation = page.getByRole('dialog', { name: 'Invite staff member' })
  const email = `ann-${stamp}@example.org`
  await expect(invitation.getByLabel('Role')).toHaveValue('preset:administrator')
  await invitation.getByLabel('Email').fill(email)
  await invitation.getByLabel('First name').fill('Ann')
  await invitation.getByLabel('Last name').fill('Reese')
  await invitation.getByRole('button', { name: 'Send invitation' }).click()
  await expect(invitation).toHaveCount(0)
  return { host: `elmsford${stamp}`, email }
}

const home = (page: Page) => page.getByRole('link', { name: 'Home', exact: true }).first().click()
const stepOf = (page: Page, name: string) =>
  page
    .getByRole('region', { name: 'Get Started' })
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name, exact: true }) })

/** Imports the file of a billing system, and corrects the wrong row. */
async function importFile(page: Page, lines: readonly string[], hasError: boolean): Promise<void> {
  await stepOf(page, 'Accounts with bills or balances').getByRole('link').first().click()
  const buffer = Buffer.from(lines.join('\n'))
  await page.locator('input[type=file]').setInputFiles({ name: 'export.csv', mimeType: 'text/csv', buffer })
  await page.getByRole('button', { name: 'Preview import' }).click()
  await page.getByRole('button', { name: 'Preview changes' }).click()
  if (hasError) {
    await page
      .getByRole('group', { name: 'Line 3' })
      .getByLabel('Due date')
      .fill(usDate(dayFromNow(9)))
    await page.getByRole('button', { name: 'Check again' }).click()
  }
  await expect(page.getByText('No changes yet. Every line can be imported.')).toBeVisible()
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(page.getByText('File imported.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Next step: Request categories' })).toBeVisible()
  await home(page)
}

/** Walks through the preview as a resident. */
async function preview(page: Page, context: BrowserContext): Promise<void> {
  await stepOf(page, 'Preview as a resident').getByRole('link').first().click()
  const [window] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('button', { name: 'Start the preview' }).click(),
  ])
  const bar = window.getByRole('complementary', { name: 'Preview as a resident' })
  const done = (name: string) =>
    expect(bar.getByRole('listitem').filter({ hasText: name }).getByRole('img', { name: 'Done' })).toBeVisible()
  await bar.getByRole('link', { name: 'Find a bill' }).click()
  await expect(window.getByLabel('Account number')).not.toHaveValue('')
  await window.getByRole('button', { name: 'Find my bill' }).click()
  await payByCard(window)
  await done('Pay the bill')
  await bar.getByRole('link', { name: 'Open the page to report a problem' }).click()
  await done('Open the page to report a problem')
  await bar.getByRole('link', { name: 'Open a form' }).click()
  await window.getByRole('main').getByRole('link', { name: 'Block party' }).first().click()
  await done('Open a form')
  const [phone] = await Promise.all([
    window.waitForEvent('popup'),
    bar.getByRole('button', { name: 'View a page at the width of a phone' }).click(),
  ])
  await phone.setViewportSize(PHONE)
  await done('View a page at the width of a phone')
  await phone.close()
  await window.close()
  await home(page)
}

async function payByCard(page: Page, email?: string): Promise<void> {
  const card = fields(page)
  await card.getByLabel('Card number').fill('4242424242424242')
  await card.getByLabel('Expires').fill('1230')
  await card.getByLabel('Security code').fill('123')
  if (email) await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: /^Pay \$/ }).click()
}

/** Sets the municipality up as its administrator, until it is online. */
async function setUp(page: Page, acts: Acts, lines: readonly string[], hasError: boolean): Promise<void> {
  await page.getByLabel('New password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Set password' }).click()
  await stepOf(page, 'Address, hours and contacts').getByRole('button', { name: 'These are right' }).click()
  await stepOf(page, 'Modules').getByRole('button', { name: 'Keep these' }).click()
  await stepOf(page, 'Fees').getByRole('button', { name: 'Charge the usual fees' }).click()
  await stepOf(page, 'Payment provider').getByRole('button', { name: 'Run the test payment' }).click()
  await expect(stepOf(page, 'Payment provider')).toContainText('Done')
  await importFile(page, lines, hasError)
  await stepOf(page, 'Request categories')
    .getByRole('link', { name: /^Add ready-made items/ })
    .click()
  await page.getByRole('button', { name: 'Add 2 packs' }).click()
  await expect(page.getByText('40 items added.')).toBeVisible()
  await home(page)
  await preview(page, page.context())
  await page.getByRole('button', { name: 'Go online' }).click()
  await expect(page.getByText('The portal is online.')).toBeVisible()
  await expect(page.getByText('Offline for residents')).toHaveCount(0)
  expect(acts.list.length).toBeGreaterThan(0)
}

/** Pays the bill of an account as a guest on a phone. */
async function payAsGuest(browser: Browser, list: string[], host: string, account: string): Promise<void> {
  const context = await browser.newContext({ viewport: PHONE })
  const acts = await countActs(context, list)
  const page = await context.newPage()
  await acts.open(page, at(host, '/'))
  await page.getByLabel('Account number').fill(account)
  await page.getByLabel('ZIP code').fill('17033')
  await page.getByRole('button', { name: 'Continue' }).click()
  await payByCard(page, 'ann@example.org')
  await expect(page.getByText('Your payment went through')).toBeVisible()
  await context.close()
}

for (const [name, linesOf] of Object.entries(files))
  test(`leads from “Add Company” to a guest's payment with a file of ${name} @whole`, async ({
    browser,
    page,
    context,
  }) => {
    test.setTimeout(240_000)
    const acts = await countActs(context)
    await openAs(page, 'admin', 'super@mainstreet.example', '/admin')
    acts.list.length = 0
    const { host, email } = await addCompany(page)

    const officeContext = await browser.newContext({ viewport: DESKTOP })
    const officeActs = await countActs(officeContext, acts.list)
    const office = await officeContext.newPage()
    // Opening the email counts as an act, and its link as another.
    acts.list.push('opens the email')
    await officeActs.open(office, at(host, linkIn(await emailTo(email, /invitation/))))
    await setUp(office, officeActs, linesOf(), name.includes('wrong'))
    await payAsGuest(browser, acts.list, host, ROWS[2]?.account ?? '')
    await officeContext.close()
    test.info().annotations.push({ type: 'acts', description: String(acts.list.length) })
    expect(acts.list.length, acts.list.join('\n')).toBeLessThanOrEqual(MAX_ACTS)
  })
