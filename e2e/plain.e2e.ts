import type { Browser, Page } from '@playwright/test'
import { screens } from '../shared/all-screens.ts'
import { addDays } from '../shared/dates.ts'
import { sendCosignedForm } from './cosigned-form.ts'
import { at, allOrFirst, expect, test, unique } from './fixtures.ts'
import { createHall } from './halls.ts'
import { emailTo, linkIn } from './mail.ts'
import { movePage } from './moves.ts'
import { expectNoSideways } from './screen-checks.ts'

/** Pages of a browser without JavaScript. */
test.use({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } })

const open = screens.filter(
  ({ entry, meta, path, built }) => entry === 'citizen' && built && !meta.requiresAuth && !path.includes('{'),
)

/** Headings of rendered pages that differ from the title of their page. */
const HEADINGS: Record<string, string | RegExp> = {
  '/': 'Our Services',
  '/home': 'Our Services',
  '/offline': /^(?:Maple Grove|Harbor City) is offline$/,
}

/** Controls of the main part that need JavaScript, without those that the page replaces. */
const NEEDS_SCRIPT =
  'main form:not([data-plain], [data-scripted] *), main button:not(form[data-plain] *, [data-scripted] *)'

/**
 * Shows a copy of the page in a tab with JavaScript, because some tools need it. The copy has no script, and also shows
 * the content for browsers without JavaScript.
 */
async function withScript(page: Page, browser: Browser, work: (copy: Page) => Promise<void>): Promise<void> {
  const body = (await page.content()).replaceAll(/<\/?noscript>|<script.*?<\/script>/gs, '')
  const copy = await browser.newPage({ javaScriptEnabled: true })
  await copy.route(page.url().replace(/#.*/, ''), (route) => route.fulfill({ body, contentType: 'text/html' }))
  await copy.goto(page.url())
  await work(copy)
  await copy.context().close()
}

/** Buttons that a person sees, but that do nothing without JavaScript. */
const DEAD = 'button:not(form[data-plain] [type=submit]):visible'

for (const company of allOrFirst(['maplegrove', 'harborcity']))
  test(`shows each public page of ${company} without JavaScript, or the phone number`, async ({ page }) => {
    test.slow()
    expect(open.length).toBeGreaterThan(20)
    const rendered: string[] = []
    for (const { path, title } of open)
      await test.step(path, async () => {
        await page.goto(at(company, path))
        await expect(page.locator('h1:visible')).toHaveCount(1)
        expect(await page.locator(DEAD).count(), `dead buttons on ${path}`).toBe(0)
        // A separate page, which never has a script.
        if ((await page.locator('#root').count()) === 0) return
        const help = page.getByText('This page needs JavaScript')
        const isRendered = (await page.locator('#root[data-rendered]').count()) > 0
        const needsScript = !isRendered || (await page.locator(NEEDS_SCRIPT).count()) > 0
        await expect(help).toBeVisible({ visible: needsScript })
        if (needsScript) await expect(page.getByRole('link', { name: /^\(\d{3}\) \d{3}-\d{4}$/ }).first()).toBeVisible()
        if (isRendered) await expect(page.locator('main h1')).toHaveText(HEADINGS[path] ?? title)
        await expectNoSideways(page, path)
        if (isRendered) rendered.push(path)
      })
    expect(rendered.length).toBeGreaterThanOrEqual(12)
    expect(rendered).toEqual(
      expect.arrayContaining(['/', '/guest-utility-payment', '/parking-tickets', '/relocate', '/404']),
    )
  })

test('leads from a corrected bill search to the ways to pay without JavaScript', async ({
  page,
  browser,
  account,
  accessible,
}) => {
  await page.goto(at('maplegrove'))
  await page.getByLabel('Account number').fill(account)
  await page.getByLabel('ZIP code').fill('1701')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL(at('maplegrove', '/guest-utility-payment#main'))
  await expect(page).toHaveTitle(/^Error: Guest Utility Payment/)
  await expect(page.getByText('Enter the 5-digit ZIP code')).toBeInViewport()
  await expect(page.getByLabel('Account number')).toHaveValue(account)
  await page.getByLabel('ZIP code').fill('17011')
  await page.getByRole('button', { name: 'Find my bill' }).click()
  await expect(page).toHaveURL(/\/guest\/payment\//)
  await expect(page.getByText('This page needs JavaScript')).toBeVisible()
  await expect(page.getByText('also available by phone or at our counter')).toBeVisible()
  const bill = page.getByRole('main')
  await expect(bill.getByRole('heading', { name: 'Complete Payment' })).toBeVisible()
  await expect(bill.getByText(account).first()).toBeVisible()
  await expect(bill.getByText(/^\$[\d,]+\.\d\d$/).first()).toBeVisible()
  await expect(bill.getByLabel('Email')).toBeHidden()
  expect(await page.locator(DEAD).count()).toBe(0)
  await expectNoSideways(page, 'payment without JavaScript')
  await withScript(page, browser, (copy) => accessible(copy, 'payment without JavaScript'))
})

test('finds a ticket and an answer, and sends a support request without JavaScript', async ({ page }) => {
  await page.goto(at('maplegrove', '/parking-tickets'))
  await page.getByLabel('Citation number').fill(`NONE-${unique()}`)
  await page.getByRole('button', { name: 'Find tickets' }).click()
  await expect(page.getByText('No ticket matches your entries.')).toBeInViewport()

  await page.goto(at('maplegrove', '/frequently-asked-questions'))
  await page.getByLabel('Your question').fill('trash')
  await page.getByRole('button', { name: 'Search' }).click()
  await expect(page.getByText('best match first')).toBeInViewport()
  await page.locator('summary').first().click()
  await expect(page.getByRole('link', { name: 'Link to this question' }).first()).toBeVisible()

  await page.goto(at('maplegrove', '/support'))
  // Files need the script. Without it, a chosen file would not be sent.
  await expect(page.getByText('Click to upload')).toBeHidden()
  const email = `${unique()}@mail.example`
  await page.getByLabel('Email').fill(email)
  await page.getByRole('textbox', { name: 'Message' }).fill('The page stays empty on my phone.')
  await page.getByRole('button', { name: 'Submit the request' }).click()
  await expect(page.getByText('Choose a subject.')).toBeInViewport()
  await expect(page.getByLabel('Email')).toHaveValue(email)
  await page.getByLabel('What do you need help with?').selectOption('A problem with this site')
  await page.getByLabel('Name', { exact: true }).fill('Ida Moss')
  await page.getByRole('button', { name: 'Submit the request' }).click()
  await expect(page.getByText(/Request S\d+ was received/)).toBeInViewport()
  expect(await emailTo(email, /S\d+/)).toContain('/support/')
})

test('reports a problem, answers by link and cancels without JavaScript', async ({ page, browser, accessible }) => {
  const check = (what: string) => withScript(page, browser, (copy) => accessible(copy, what))
  // The page also contains the form for browsers with JavaScript.
  const field = (label: string) => page.getByLabel(label).filter({ visible: true })
  await page.goto(at('maplegrove', '/communication/new'))
  await expect(page.getByText('This page needs JavaScript')).toBeHidden()
  await check('choice of a topic without JavaScript')
  await field('What kind of problem is it?').selectOption('Pothole')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('heading', { name: 'Pothole' })).toBeInViewport()
  await check('report without JavaScript')
  const email = `${unique()}@mail.example`
  await field('Where is the problem?').fill('12 Elm Street')
  await page.getByLabel('What is wrong?').fill('A hole')
  await page.getByLabel('Name', { exact: true }).fill('Ida Moss')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Submit the request' }).click()
  await expect(page.getByText('Describe the problem in at least 10 characters.', { exact: true })).toBeVisible()
  await expect(page).toHaveTitle(/^Error: /)
  await expect(field('Where is the problem?')).toHaveValue('12 Elm Street')
  await check('report with errors without JavaScript')
  await page.getByLabel('What is wrong?').fill('A hole as deep as a bucket.')
  await page.getByLabel('How large is it?').selectOption('A wheel')
  await page.getByRole('button', { name: 'Submit the request' }).click()
  await expect(page).toHaveURL(/\/communication\/request\/[\w-]{43}/)
  await expect(page.getByText('A hole as deep as a bucket.')).toBeVisible()

  await page.goto(at('maplegrove', linkIn(await emailTo(email, /R-\d{4}-\d+/))))
  await expect(page.getByText('12 Elm Street', { exact: true })).toBeVisible()
  await expect(page.getByText('A wheel', { exact: true })).toBeVisible()
  await check('request without JavaScript')
  await page.getByRole('textbox', { name: 'Message' }).fill('It has grown.')
  await page.getByRole('button', { name: 'Send message' }).click()
  await expect(page.getByRole('list', { name: 'Timeline' })).toContainText('It has grown.')
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('')
  await page.locator('summary', { hasText: 'Cancel request' }).click()
  await page.getByRole('button', { name: 'Cancel request' }).click()
  await expect(page.getByText('This request is closed.')).toBeVisible()
  await expect(page.locator('summary', { hasText: 'Cancel request' })).toHaveCount(0)
})

test('filters the reported problems and opens the support form without JavaScript', async ({
  page,
  browser,
  accessible,
}) => {
  await page.goto(at('maplegrove', '/communication/reported'))
  await page.getByLabel('Status').selectOption('Completed')
  await page.getByRole('button', { name: 'Show' }).click()
  await expect(page).toHaveURL(/stands=done/)
  await expect(page.getByText('Completed on').first()).toBeInViewport()
  await expect(page.getByLabel('Status')).toHaveValue('done')
  await withScript(page, browser, (copy) => accessible(copy, 'reported problems without JavaScript'))
  await page.getByRole('link', { name: 'Next' }).click()
  await expect(page).toHaveURL(/stands=done.*cursor=/)
  await page.getByRole('contentinfo').getByRole('link', { name: 'Enter a Support Request' }).click()
  await expect(page.getByRole('heading', { name: 'Support Request' })).toBeVisible()
})

/** Opens a page and checks its heading, its buttons and its layout. `helps` is true if it needs JavaScript for a form. */
async function openRendered(page: Page, path: string, heading: string, { helps = false } = {}): Promise<void> {
  await page.goto(at('maplegrove', path))
  await expect(page.locator('#root[data-rendered]')).toHaveCount(1)
  await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
  await expect(page.getByText('This page needs JavaScript')).toBeVisible({ visible: helps })
  expect(await page.locator(DEAD).count(), `dead buttons on ${path}`).toBe(0)
  await expectNoSideways(page, path)
}

test('answers a move as the owner, then writes and withdraws it without JavaScript', async ({
  page,
  browser,
  accessible,
}) => {
  const check = (what: string) => withScript(page, browser, (copy) => accessible(copy, what))
  await openRendered(page, await movePage('owner'), 'Do you agree to this move?')
  await expect(page.getByText(/^M-\d+$/)).toBeVisible()
  await expect(page.getByText(/Orchard Lane/)).toBeVisible()
  await check('owner of a move without JavaScript')
  await page.getByLabel('Your answer').selectOption('I agree')
  await page.getByLabel('I am responsible for this property').check()
  await page.getByRole('button', { name: 'Submit answer' }).click()
  await expect(page.getByText('Enter your full name.').first()).toBeVisible()
  await expect(page.getByLabel('Your answer')).toHaveValue('yes')
  await expect(page.getByLabel('I am responsible for this property')).toBeChecked()
  await check('owner of a move with an error without JavaScript')
  await page.getByLabel('Your full name').fill('Olga Owner')
  await page.getByRole('button', { name: 'Submit answer' }).click()
  await expect(page.getByText('We have recorded that you agree to this move.')).toBeVisible()

  // The file of the request opens only with JavaScript.
  await openRendered(page, await movePage('request'), 'Your Move Request', { helps: true })
  await expect(page.getByText(/Orchard Lane/)).toBeVisible()
  await expect(page.getByText('Olga Owner has not answered yet')).toBeVisible()
  await check('move request without JavaScript')
  await page.getByRole('textbox', { name: 'Message' }).fill('We arrive at noon.')
  await page.getByRole('button', { name: 'Send message' }).click()
  await expect(page.getByRole('list', { name: 'Timeline' })).toContainText('We arrive at noon.')
  await page.locator('summary', { hasText: 'Withdraw move request' }).click()
  await check('withdrawal of a move without JavaScript')
  await page.getByRole('button', { name: 'Withdraw move request' }).click()
  await expect(page.getByText('Withdrawn', { exact: true }).first()).toBeVisible()
  await expect(page.locator('summary', { hasText: 'Withdraw move request' })).toHaveCount(0)
})

test('shows a payment and searches an open item without JavaScript', async ({ page, browser, accessible }) => {
  const check = (what: string) => withScript(page, browser, (copy) => accessible(copy, what))
  await openRendered(page, '/pay/dog-license', 'Dog license', { helps: true })
  await expect(page.getByRole('heading', { name: 'Payment details' })).toBeVisible()
  await expect(
    page
      .getByText(/\$\d+\.\d\d/)
      .filter({ visible: true })
      .first(),
  ).toBeVisible()
  await expect(page.getByLabel('Your name')).toBeHidden()
  await check('payment type without JavaScript')

  await openRendered(page, '/pay/property-tax', 'Property tax')
  await check('search of an open item without JavaScript')
  await page.getByLabel('Parcel number, or the name on the notice').fill('12-034-567')
  await page.getByLabel('Amount on the notice').fill('1.00')
  await page.getByRole('button', { name: 'Find notice' }).click()
  await expect(page.getByText('No notice matches your entries.')).toBeInViewport()
  await expect(page.getByLabel('Parcel number, or the name on the notice')).toHaveValue('12-034-567')
  await check('open item that was not found without JavaScript')
})

test('signs a form, then writes and withdraws it without JavaScript', async ({ page, browser, accessible }) => {
  const check = (what: string) => withScript(page, browser, (copy) => accessible(copy, what))
  const { submission, sign } = await sendCosignedForm()
  await openRendered(page, submission, 'Your Form')
  await expect(page.getByText('We emailed Bea Finch a link to sign this form.')).toBeVisible()

  await openRendered(page, sign, 'Please Sign')
  await expect(page.getByText('Main Street', { exact: true })).toBeVisible()
  await check('form to sign without JavaScript')
  await page.getByRole('button', { name: 'Sign', exact: true }).click()
  await expect(page.locator('p', { hasText: 'Check this box to sign.' })).toBeVisible()
  await check('form to sign with errors without JavaScript')
  await page.getByLabel('Your full name, as your signature').filter({ visible: true }).fill('Bea Finch')
  await page.getByLabel('I have read this form and agree to sign it.').filter({ visible: true }).check()
  await page.getByRole('button', { name: 'Sign', exact: true }).click()
  await expect(page.getByText('This form has been signed and submitted. Thank you.')).toBeVisible()

  // Only a script can download the copy of a sent form.
  await openRendered(page, submission, 'Your Form', { helps: true })
  await expect(page.getByText('Main Street', { exact: true })).toBeVisible()
  await check('submission without JavaScript')
  await page.getByRole('textbox', { name: 'Message' }).fill('The band needs an hour.')
  await page.getByRole('button', { name: 'Send message' }).click()
  await expect(page.getByRole('list', { name: 'Timeline' })).toContainText('The band needs an hour.')
  await page.locator('summary', { hasText: 'Withdraw submission' }).click()
  await page.getByRole('button', { name: 'Withdraw submission' }).click()
  await expect(page.getByText('This form is closed.')).toBeVisible()
})

test('shows the text of an agreement without JavaScript', async ({ page, browser, accessible }) => {
  const { today, byPhone } = await createHall()
  const email = `ann-${unique()}@example.org`
  await byPhone(email, addDays(today, 9))
  const path = linkIn(await emailTo(email, /answer questions and sign agreement/))
  await openRendered(page, path, 'Your Agreement', { helps: true })
  await page.locator('summary', { hasText: 'What you agree to' }).click()
  await expect(page.locator('details p', { hasText: 'I leave it as I found it.' })).toBeVisible()
  await withScript(page, browser, (copy) => accessible(copy, 'agreement without JavaScript'))
})
