import { screens } from '../shared/all-screens.ts'
import { at, allOrFirst, expect, test, unique } from './fixtures.ts'
import { emailTo } from './mail.ts'
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

/** Controls of the main part that need JavaScript. */
const NEEDS_SCRIPT = 'main form:not([data-plain]), main button:not(form[data-plain] *)'

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

test('leads from a corrected bill search to the ways to pay without JavaScript', async ({ page, account }) => {
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
