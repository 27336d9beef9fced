import { readFileSync } from 'node:fs'
import type { Page, Route } from '@playwright/test'
import sharp from 'sharp'
import { addDays } from '../shared/dates.ts'
import { openAs } from './calls.ts'
import { sendCosignedForm } from './cosigned-form.ts'
import { allOrFirst, at, expect, openMenu, painted, PASSWORD, PHONE, signIn, test, unique } from './fixtures.ts'
import { createHall } from './halls.ts'
import { emailTo, linkIn } from './mail.ts'
import { movePage } from './moves.ts'
import { expectGood, shiftOf } from './screen-checks.ts'
import { expectPaid, fillCard, findBill, pay } from './pay.ts'

const RESIDENT = 'resident@maplegrove.example'
const companies = ['maplegrove', 'harborcity']
const heading = (page: Page) => page.getByRole('heading', { level: 1 })

for (const width of allOrFirst([390, 1280]))
  test(`keeps the landing page stable at ${width} px on both visits`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 })
    await page.goto(at('maplegrove'))
    await expect(heading(page)).toBeVisible()
    await page.evaluate(() => document.fonts.ready)
    expect(await shiftOf(page)).toBe(0)
    // On the next visit, the page requests the company's name and logo again after five seconds.
    const apiResponse = page.waitForResponse('**/api/v2/**')
    await page.reload()
    await apiResponse
    await page.evaluate(() => document.fonts.ready)
    expect(await shiftOf(page)).toBe(0)
  })

/** Adds a company logo to the page's data. The test serves the image. */
const giveLogo = (page: Page, path: string) =>
  page.addInitScript((logoUrl) => {
    new MutationObserver(() => {
      const boot = document.getElementById('boot')
      if (!boot?.textContent || boot.dataset['given']) return
      const bootData = JSON.parse(boot.textContent) as { company: object }
      boot.textContent = JSON.stringify({ ...bootData, company: { ...bootData.company, logoUrl } })
      boot.dataset['given'] = 'true'
      // The server has rendered the page without a logo.
      document.getElementById('root')?.removeAttribute('data-rendered')
      // The script of a rendered page starts at the first input.
      dispatchEvent(new Event('keydown'))
    }).observe(document, { childList: true, subtree: true })
  }, path)

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

test('shows the loading screen until the images load, for a limited time @whole', async ({ page, accessible }) => {
  await giveLogo(page, '/logo-of-the-test.png')
  let give = () => {}
  const released = new Promise<void>((resolve) => (give = resolve))
  await page.route('**/logo-of-the-test.png', async (route) => {
    await released
    await route.fulfill({ contentType: 'image/png', body: PIXEL }).catch(() => {})
  })
  const loading = page.getByRole('status').filter({ hasText: 'Loading your dashboard...' })
  await page.goto(at('maplegrove'), { waitUntil: 'commit' })
  await expect(loading).toContainText('Please wait while we prepare your experience')
  await expectGood(page, accessible, 'the loading screen')
  // The page appears after three seconds, even if the image has not loaded.
  await expect(loading).toHaveCount(0)
  give()
  expect(await shiftOf(page)).toBe(0)
  await expect(page.getByRole('link', { name: 'Utility Customer Portal' })).toBeVisible()
})

test('shows a wide logo with its proportions next to the full name @whole', async ({ page }) => {
  const wide = await sharp({ create: { width: 600, height: 100, channels: 3, background: '#123456' } })
    .png()
    .toBuffer()
  await giveLogo(page, '/logo-of-the-test.png')
  await page.route('**/logo-of-the-test.png', (route) => route.fulfill({ contentType: 'image/png', body: wide }))
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 })
    await page.goto(at('maplegrove'))
    const home = page.getByRole('banner').getByRole('link', { name: 'Maple Grove' })
    const logo = await home.locator('img').boundingBox()
    expect(logo?.height).toBe(44)
    expect(logo?.width).toBeGreaterThanOrEqual(width === 390 ? 60 : 88)
    await expect(home.getByText('Maple Grove')).toBeInViewport({ ratio: 1 })
  }
})

test('uses the portal’s own font on the first visit', async ({ page }) => {
  const tools = await page.context().newCDPSession(page)
  const fontsOfHeading = async () => {
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await tools.send('DOM.enable')
    await tools.send('CSS.enable')
    const { root } = await tools.send('DOM.getDocument')
    // Only the element that contains the text itself has fonts. On a translated page, it is an element in the heading.
    const { nodeIds } = await tools.send('DOM.querySelectorAll', { nodeId: root.nodeId, selector: 'h1, h1 *' })
    const all = await Promise.all(nodeIds.map((nodeId) => tools.send('CSS.getPlatformFontsForNode', { nodeId })))
    return [...new Set(all.flatMap(({ fonts }) => fonts.map(({ isCustomFont }) => isCustomFont)))]
  }
  await page.goto(at('maplegrove', '/sign-in'))
  expect(await fontsOfHeading()).toEqual([true])
  // The first paint of a page from the server does not wait for a font that takes longer than the browser permits.
  await page.goto(at('maplegrove'))
  expect(await fontsOfHeading()).toEqual([true])
})

/**
 * Holds the main script of a page back. Returns a function that lets it pass.
 * @param status of a failed response to the first request
 */
async function holdScript(page: Page, status?: number): Promise<() => void> {
  let give = () => {}
  const released = new Promise<void>((resolve) => (give = resolve))
  const hold = async (route: Route) => {
    await released
    await (status === undefined ? route.continue() : route.fulfill({ status, body: '' }))
  }
  await page.route('**/assets/citizen-*.js', hold, status === undefined ? {} : { times: 1 })
  return () => give()
}

test.describe('on a phone', () => {
  test.use({ viewport: PHONE, hasTouch: true, isMobile: true })
  const scriptsOf = (page: Page) =>
    page.evaluate(() => performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js')).length)

  for (const path of ['/', '/guest-utility-payment', '/frequently-asked-questions'])
    test(`loads no script of ${path} before the first input`, async ({ page }) => {
      await page.goto(at('maplegrove', path))
      await page.evaluate(() => new Promise((done) => requestIdleCallback(done)))
      expect(await scriptsOf(page)).toBe(0)
      const inline = await page.locator('script:not([type])').allTextContents()
      expect(new TextEncoder().encode(inline.join('')).length).toBeLessThan(5000)
      await page.getByRole('heading', { level: 1 }).tap()
      await page.waitForFunction(() => window.earlyInput === undefined)
      expect(await scriptsOf(page)).toBeGreaterThan(0)
    })

  test('shows an alert on a page without input @whole', async ({ page }) => {
    await page.clock.install()
    await page.goto(at('maplegrove', '/relocate'))
    const alert = { id: 1, severity: 'Severe', headline: 'Boil water', headlineEs: '', sentAt: '' }
    await page.route('**/return/current/alerts', (route) => route.fulfill({ json: { alerts: [alert], notices: [] } }))
    expect(await scriptsOf(page)).toBe(0)
    await page.clock.runFor(9000)
    await expect(page.getByText('Boil water')).toBeVisible()
  })
})

for (const [path, button] of [
  ['/', 'Continue'],
  ['/guest-utility-payment', 'Find my bill'],
] as const)
  test(`repeats the input of a person who is faster than the script of ${path}`, async ({ page, account }) => {
    const give = await holdScript(page)
    await page.goto(at('maplegrove', path), { waitUntil: 'commit' })
    await page.getByLabel('Account number').pressSequentially(account)
    await page.getByLabel('ZIP code').pressSequentially('17011')
    await page.getByRole('button', { name: button }).click()
    await expect(page).toHaveURL(at('maplegrove', path))
    give()
    await expect(page).toHaveURL(/\/guest\/payment\//)
  })

test('takes over the elements of the server on pages with data @whole', async ({ page, translated }) => {
  test.skip(translated, 'The script renders a translated page again.')
  const { submission, sign } = await sendCosignedForm()
  const { today, byPhone } = await createHall()
  const email = `ann-${unique()}@example.org`
  await byPhone(email, addDays(today, 9))
  const paths = [
    ...['/pay/dog-license', '/pay/property-tax', await movePage('request'), await movePage('owner')],
    ...[submission, sign, linkIn(await emailTo(email, /answer questions and sign agreement/))],
  ]
  await page.setViewportSize(PHONE)
  for (const path of paths)
    await test.step(path.split('/').slice(0, -1).join('/'), async () => {
      const give = await holdScript(page)
      await page.goto(at('maplegrove', path), { waitUntil: 'commit' })
      const heading = page.locator('#root[data-rendered] main h1')
      await heading.evaluate((element) => element.setAttribute('data-first', ''))
      give()
      await page.waitForFunction(() => window.earlyInput === undefined)
      await expect(heading).toHaveAttribute('data-first')
      expect(await shiftOf(page)).toBe(0)
    })
})

test('does not scroll the page when the script starts during a press @whole', async ({ page, translated }) => {
  const give = await holdScript(page)
  await page.goto(at('maplegrove', '/support?customer_email=wrong'), { waitUntil: 'commit' })
  await page.getByRole('textbox', { name: 'Message' }).fill('Where do I change my name?')
  await page.getByRole('button', { name: 'Submit the request' }).hover()
  const top = await page.evaluate(() => scrollY)
  expect(top).toBeGreaterThan(0)
  await page.mouse.down()
  give()
  // On a translated page, React replaces the elements after the press.
  if (translated) await page.waitForFunction(() => history.state !== null)
  else await page.waitForFunction(() => window.earlyInput === undefined)
  await page.mouse.up()
  await expect(page.getByText('Enter an email address, such as name@example.com').first()).toBeVisible()
})

test('shows the errors of a support request that a person sent before the script @whole', async ({ page }) => {
  const give = await holdScript(page)
  await page.goto(at('maplegrove', '/support?customer_email=wrong'), { waitUntil: 'commit' })
  await page.getByLabel('What do you need help with?').selectOption('My account')
  await page.getByRole('textbox', { name: 'Message' }).fill('Where do I change my name?')
  await page.getByRole('button', { name: 'Submit the request' }).click()
  give()
  await expect(page.getByText('Enter an email address, such as name@example.com').first()).toBeVisible()
  await expect(page.getByLabel('What do you need help with?')).toHaveValue('account')
})

test('keeps entries if a new release has replaced the script of the page @whole', async ({ page }) => {
  const give = await holdScript(page, 404)
  await page.goto(at('maplegrove', '/support'))
  const message = page.getByRole('textbox', { name: 'Message' })
  await message.fill('Where do I change my name?')
  const reload = page.waitForEvent('load')
  give()
  await reload
  await page.waitForFunction(() => window.earlyInput === undefined)
  await expect(message).toHaveValue('Where do I change my name?')
})

test('keeps a file that a person chose before the script of the page @whole', async ({ page }) => {
  const give = await holdScript(page)
  await page.goto(at('maplegrove', '/support'), { waitUntil: 'commit' })
  const files = page.locator('main input[type=file]')
  await files.setInputFiles({ name: 'white page.png', mimeType: 'image/png', buffer: PIXEL })
  give()
  await expect(page.getByRole('img', { name: 'white page.png' })).toBeVisible()
})

test('shows the services and messages of the company on the landing page', async ({ page }) => {
  await page.goto(at('maplegrove'))
  await expect(heading(page)).toHaveText('Our Services')
  const top = page.getByRole('region', { name: 'Top Services' }).getByRole('listitem')
  await expect(top).toHaveCount(5)
  await expect(page.getByRole('region', { name: 'Other Services' })).toContainText('Frequently Asked Questions')
  const announcements = page.getByRole('region', { name: 'Announcements' })
  await expect(announcements).toContainText('Leaf collection goes on until')
  await expect(announcements.getByRole('link', { name: '(717) 555-0142' })).toHaveAttribute('href', 'tel:7175550142')
  await top.getByRole('link', { name: 'Utility Customer Portal' }).click()
  await expect(heading(page)).toHaveText('Utility Payment Index')
})

test('links header and footer to home, company and legal pages on desktop @whole', async ({ page, accessible }) => {
  await page.goto(at('maplegrove', '/guest-utility-payment'))
  const footer = page.getByRole('contentinfo')
  for (const text of [
    'Maple Grove',
    '100 Main Street',
    'Maple Grove, PA 17011',
    'Monday-Friday: 7:30am-5pm ET',
    '2024-MS UX/UI',
  ])
    await expect(footer).toContainText(text)
  await expect(footer.getByRole('link', { name: '(717) 555-0142' })).toHaveAttribute('href', 'tel:7175550142')
  await expect(footer.getByRole('link', { name: 'maplegrove.example.org' })).toHaveAttribute(
    'href',
    'https://maplegrove.example.org',
  )
  for (const documentName of ['Privacy Policy', 'Terms, Conditions, and Security']) {
    const href = await footer.getByRole('link', { name: documentName }).getAttribute('href')
    const response = await page.evaluate(async (url) => {
      const { status, headers } = await fetch(url)
      return `${status} ${headers.get('content-type')}`
    }, href ?? '')
    expect(response, documentName).toBe('200 application/pdf')
  }
  const header = page.getByRole('banner')
  await header.getByRole('link', { name: 'Maple Grove' }).click()
  await expect(page).toHaveURL(at('maplegrove', '/home'))
  await expect(header.getByRole('link', { name: 'Dashboard' })).toHaveAttribute('aria-current', 'page')

  // In forced-colors mode, an underline also marks the current page.
  await page.emulateMedia({ forcedColors: 'active' })
  const lineUnder = (name: string) =>
    header.getByRole('link', { name }).evaluate((link) => getComputedStyle(link).borderBottomColor)
  expect(await lineUnder('Dashboard')).not.toBe(await lineUnder('Utilities'))
  await page.emulateMedia({ forcedColors: null })

  await page.setViewportSize({ width: 320, height: 800 })
  await expect(header.getByRole('link', { name: 'Utilities' })).toBeHidden()
  await header.getByRole('button', { name: 'Menu' }).press('Enter')
  await expect(header.getByRole('link', { name: 'Utilities' })).toBeVisible()
  await accessible(page, 'the open menu at 320')
  await page.keyboard.press('Escape')
  await expect(header.getByRole('link', { name: 'Utilities' })).toBeHidden()
})

test('handles addresses without an online company: directory, unknown, offline, missing page @whole', async ({
  page,
  accessible,
}) => {
  await page.goto(at(''))
  await expect(heading(page)).toHaveText('Find your municipality')
  const listed = page.getByRole('main').getByRole('listitem')
  for (const companyName of ['Harbor City', 'Maple Grove'])
    await expect(listed.filter({ hasText: companyName })).not.toHaveCount(0)
  await expect(listed.filter({ hasText: 'Old Mill' })).toHaveCount(0)
  const sealOf = (companyName: string) =>
    listed
      .filter({ hasText: companyName })
      .locator('.seal circle')
      .first()
      .evaluate((rim) => getComputedStyle(rim).fill)
  expect(await sealOf('Harbor City'), 'each town has its own colors').not.toBe(await sealOf('Maple Grove'))
  await expectGood(page, accessible, 'the directory')
  await page.getByRole('searchbox').fill('nowhere')
  await page.getByRole('button', { name: 'Search' }).click()
  await expect(page.getByText('No matching municipalities')).toBeVisible()
  await expectGood(page, accessible, 'the directory without a match')
  await page.getByRole('button', { name: 'Show all' }).click()
  await page.getByRole('link', { name: 'Maple Grove' }).click()
  await expect(page).toHaveURL(at('maplegrove', '/'))

  await page.goto(at('nowhere', '/guest-utility-payment'))
  await expect(page).toHaveURL(at('nowhere', '/offline'))
  await expect(heading(page)).toHaveText('No municipality at this web address')
  await expectGood(page, accessible, 'an unknown town')
  await page.goto(at('oldmill', '/sign-up'))
  await expect(page).toHaveURL(at('oldmill', '/offline'))
  await expect(heading(page)).toHaveText('Old Mill is offline')
  // The sign-in of an offline municipality does not ask for alerts, because the portal refuses them to the public.
  await page.goto(at('oldmill', '/sign-in'))
  await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible()
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await painted(page)
  expect(requests.filter((url) => url.endsWith('/alerts'))).toEqual([])

  const response = await page.goto(at('maplegrove', '/no-such-street'))
  expect(response?.status()).toBe(404)
  await expect(heading(page)).toHaveText('Page not found')
  await expectGood(page, accessible, 'a page that does not exist')
  await page.getByRole('link', { name: 'Back to home page' }).click()
  await expect(heading(page)).toHaveText('Our Services')
})

test('returns to the requested page after sign-in and signs out every tab', async ({ page, context, accessible }) => {
  await page.goto(at('maplegrove', '/utility-portal'))
  await expect(page).toHaveURL(at('maplegrove', '/utility-index'))
  await page.getByRole('main').getByRole('link', { name: 'Sign In' }).click()
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expectGood(page, accessible, 'signing in with nothing typed')

  await page.getByLabel('Email').fill(RESIDENT)
  await page.getByLabel('Password', { exact: true }).fill('not my password')
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(page.getByRole('alert')).toHaveText('Invalid email or password.')
  await expect(page.getByLabel('Email')).toHaveValue(RESIDENT)
  await expectGood(page, accessible, 'a refused sign-in')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(page).toHaveURL(at('maplegrove', '/utility-portal'))
  await expect(page.getByRole('heading', { name: 'Rental on Canal Street' })).toBeVisible()

  const other = await context.newPage()
  await other.goto(at('maplegrove', '/home'))
  await openMenu(other)
  await other.getByRole('button', { name: 'My Profile' }).click()
  await expectGood(other, accessible, 'the profile menu')
  await other.keyboard.press('Escape')
  await openMenu(page)
  await page.getByRole('button', { name: 'My Profile' }).click()
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page).toHaveURL(at('maplegrove', '/sign-in'))
  await openMenu(other)
  await expect(other.getByRole('link', { name: 'Sign In' })).toBeVisible()
  await page.goto(at('maplegrove', '/utility-portal'))
  await expect(page).toHaveURL(at('maplegrove', '/utility-index'))
})

test('leads home after a direct sign-in and never to another site @whole', async ({ page }) => {
  await signIn(page, 'maplegrove', RESIDENT)
  await expect(page).toHaveURL(at('maplegrove', '/home'))
  await expect(page.getByText('Pay without signing in')).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'Pay a utility bill' })).toBeVisible()
  // In a narrow window, the links and the profile menu stay inside the window.
  await page.setViewportSize({ width: 800, height: 700 })
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('button', { name: 'My Profile' }).click()
  for (const entry of ['Activity Log', 'Settings'])
    await expect(page.getByRole('banner').getByRole('link', { name: entry })).toBeInViewport({ ratio: 1 })
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page).toHaveURL(at('maplegrove', '/sign-in'))
  await page.evaluate(() => sessionStorage.setItem('fromURL', '//elsewhere.example/utility-portal'))
  await page.getByLabel('Email').fill(RESIDENT)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(page).toHaveURL(at('maplegrove', '/home'))
})

interface Chunk {
  file: string
  css?: string[]
  imports?: string[]
  dynamicImports?: string[]
}

/** Lists every file that an entry point of the build can load. */
function filesOf(
  manifest: Record<string, Chunk>,
  entry: string,
  files = new Set<string>(),
  seen = new Set<string>(),
): Set<string> {
  const chunk = manifest[entry]
  if (!chunk || seen.has(entry)) return files
  seen.add(entry)
  for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file)
  for (const next of [...(chunk.imports ?? []), ...(chunk.dynamicImports ?? [])]) filesOf(manifest, next, files, seen)
  return files
}

test('loads no back-office file for a resident @whole', async ({ page, account }) => {
  const manifest = JSON.parse(
    readFileSync(new URL('../dist/web/.vite/manifest.json', import.meta.url), 'utf8'),
  ) as Record<string, Chunk>
  const ownFiles = filesOf(manifest, 'citizen.html')
  const office = new Set(
    [...filesOf(manifest, 'municipality.html'), ...filesOf(manifest, 'admin.html')].filter(
      (file) => !ownFiles.has(file),
    ),
  )
  expect(office.size).toBeGreaterThan(5)
  const loaded: string[] = []
  page.on('request', (request) => loaded.push(new URL(request.url()).pathname.slice(1)))

  await page.goto(at('maplegrove'))
  await page.getByRole('link', { name: 'Utility Customer Portal' }).click()
  await expect(heading(page)).toHaveText('Utility Payment Index')
  await findBill(page, account)
  await fillCard(page)
  await pay(page)
  await expectPaid(page)
  await signIn(page, 'maplegrove', RESIDENT)
  await openMenu(page)
  await expect(page.getByRole('button', { name: 'My Profile' })).toBeVisible()
  expect(loaded.filter((file) => ownFiles.has(file)).length).toBeGreaterThan(10)
  expect(loaded.filter((file) => office.has(file))).toEqual([])
})

for (const company of allOrFirst(companies))
  test(`shows good payment states from the landing page of ${company} @whole`, async ({
    page,
    account,
    accessible,
  }) => {
    await page.goto(at(company))
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByLabel('Account number')).toBeFocused()
    await expect(page.getByText('Enter the account number from your bill.')).toBeVisible()
    await expectGood(page, accessible, `the landing page of ${company} with errors`)
    await page.getByLabel('Account number').fill(account)
    await page.getByLabel('ZIP').fill('17011')
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(heading(page)).toHaveText('Complete Payment')
  })

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('shows name, contact details and instructions on each page', async ({ page }) => {
    for (const path of ['/sign-up', '/sign-in', '/reset-password']) {
      await page.goto(at('maplegrove', path))
      await expect(heading(page)).toHaveText('Maple Grove')
      await expect(page.getByText('100 Main Street, Maple Grove, PA 17011')).toBeVisible()
      await expect(page.getByRole('link', { name: '(717) 555-0142' })).toHaveAttribute('href', 'tel:7175550142')
      await expect(page.getByText('Turn on JavaScript in your browser')).toBeVisible()
    }
    await page.goto(at(''))
    await expect(heading(page)).toHaveText('Find your municipality')
    await expect(page.getByRole('link', { name: 'Maple Grove' })).toBeVisible()
  })
})

test('shows help only if the script fails to load @whole', async ({ page }) => {
  const help = page.locator('#help')
  await page.goto(at('maplegrove'))
  await expect(heading(page)).toHaveText('Our Services')
  await expect(help).toBeHidden()
  await page.keyboard.press('Tab')
  await expect(help).toHaveCount(0)
  await page.route('**/assets/*.js', (route) => route.abort())
  // A page from the server shows the help as soon as its script fails.
  await page.goto(at('maplegrove'))
  await page.keyboard.press('Tab')
  await expect(help).toBeVisible()
  await expect(heading(page)).toHaveText('Our Services')
  // Another page shows it after a delay.
  await page.goto(at('maplegrove', '/sign-in'), { waitUntil: 'domcontentloaded' })
  await expect(help).toBeHidden()
  await page.evaluate(() => document.getAnimations().forEach((animation) => animation.finish()))
  await expect(help).toBeVisible()
  await expect(help).toContainText('(717) 555-0142')
})

test('shows one main button in settings and messages that cover no control @whole', async ({ page }) => {
  await page.setViewportSize(PHONE)
  await openAs(page, 'maplegrove', RESIDENT, '/profile/settings')
  const save = page.getByRole('button', { name: 'Save preferences' })
  await expect(save).toBeVisible()
  await expect(page.getByRole('main').locator('button.bg-brand')).toHaveText(['Save profile'])
  await save.evaluate((button) => button.scrollIntoView({ block: 'end' }))
  await save.click()
  const savedMessage = page.locator('[id^="message-"]').filter({ hasText: 'Preferences saved.' })
  await expect(savedMessage).toBeVisible()
  for (const other of [save, page.getByRole('banner').getByRole('button').first()]) {
    const [box, message] = [await other.boundingBox(), await savedMessage.boundingBox()]
    const covers = message && box && message.y < box.y + box.height && message.y + message.height > box.y
    expect(covers).toBe(false)
  }
})

test('lists field errors, including a missing contact channel, in the summary @whole', async ({ page }) => {
  await page.goto(at('maplegrove', '/support'))
  await page.getByRole('button', { name: 'Submit the request' }).click()
  const summary = page.getByRole('main').getByRole('listitem')
  await expect(summary).toHaveText([
    'What do you need help with? Choose a subject.',
    'Message: Describe what happened in at least 10 characters.',
    'Name: Enter your name.',
    'Email: Enter an email address or a phone number, so that we can reply.',
  ])
  await page.getByRole('textbox', { name: 'Message' }).fill('My card 4242 4242 4242 4242 was declined twice.')
  await page.getByRole('button', { name: 'Submit the request' }).click()
  await expect(page.getByText('This looks like a card number.').first()).toBeVisible()
})
