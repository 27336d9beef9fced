import { chromium, type Page } from '@playwright/test'
import { findGuestBill } from '../features/utility-accounts/contract.ts'
import { contestTicket, enterTicket } from '../features/parking-tickets/contract.ts'
import {
  followRequest,
  publicRequests,
  sendRequest as sendServiceRequest,
} from '../features/service-requests/contract.ts'
import { templates } from '../features/inspections/list.ts'
import { requestCategories } from '../features/service-requests/list-categories.ts'
import { sendRequest, supportCase } from '../features/support/contract.ts'
import { paymentTypes } from '../features/general-payments/list.ts'
import { requestList } from '../features/support/list.ts'
import { startForm, openMySubmission, residentForms } from '../features/forms/contract.ts'
import { formTypes } from '../features/forms/list.ts'
import { rentals } from '../features/rentals/contract.ts'
import { resources as rentalResources } from '../features/rentals/list.ts'
import { rentalRounds } from '../features/rental-seasons/contract.ts'
import { linkedAccounts, showAccount } from '../features/utility-portal/contract.ts'
import { isBuilt, type Screen, screenAt, screens } from '../shared/all-screens.ts'
import { BILL } from './bills.ts'
import { findBrowser, fullBrowser } from './browser.ts'
import { callOn, openAs, sessionOf } from './calls.ts'
import { sampleOf } from '../test/layers.ts'
import { dayFromNow } from './clock.ts'
import { allOrFirst, at, expect, painted, test } from './fixtures.ts'
import { linkIn, emailTo } from './mail.ts'
import { movePage } from './moves.ts'
import { expectGood, expectWholeText, type ScreenCheck, shiftOf } from './screen-checks.ts'
import { harborCity } from '../database/towns/harbor-city.ts'
import { belongsTo } from '../shared/modules.ts'

/** Host, person and path of a visit to a screen. The screen has the colors and modules of the host's company. */
interface ScreenVisit {
  host: string
  email: string | null
  path: string
}

const FIRST_COMPANY = '101'

/** Sends a support request and returns the path of its page from the confirmation email. */
async function messagesPage(): Promise<string> {
  const email = `walk-${Date.now()}@example.org`
  const message = 'Asked by the walk through all screens.'
  await callOn('maplegrove', sendRequest, { name: 'Walter Screens', email, phone: '', category: 'site', message })
  return linkIn(await emailTo(email, /support request/))
}

/** Sends a request. Returns the path of its page for the requester or for a follower. */
async function aRequest(kind: 'sent' | 'followed'): Promise<string> {
  const email = `walk-${Date.now()}@example.org`
  const { token: staff } = await sessionOf('maplegrove', 'admin@maplegrove.example')
  const { rows } = await callOn('maplegrove', requestCategories.call, { search: 'dog' }, staff)
  const location = { text: 'At the school', addressId: null, lat: null, lon: null, metres: null }
  const sent = await callOn('maplegrove', sendServiceRequest, {
    categoryId: rows[0]?.id ?? 0,
    location,
    description: 'Reported by the walk through all screens.',
    name: 'Walter Screens',
    email,
    phone: '',
    version: 0,
    answers: {},
  })
  if (kind === 'sent') return `/communication/request/${sent.token}`
  const { rows: reported } = await callOn('maplegrove', publicRequests, { stands: 'open' })
  const publicId = reported.find(({ number }) => number === sent.number)?.publicId ?? ''
  await callOn('maplegrove', followRequest, { publicId, email })
  const text = await emailTo(email, /^Follow request/)
  return /\/communication\/followed\/\S+/.exec(text)?.[0] ?? ''
}

/** Contests a ticket and returns the path of the contest from the confirmation email. */
async function aContest(): Promise<string> {
  const citation = `WALK-${Date.now()}`
  const email = `${citation.toLowerCase()}@example.org`
  const { token } = await sessionOf('maplegrove', 'admin@maplegrove.example')
  const location = { text: '', addressId: null, lat: null, lon: null, metres: null }
  const details = {
    vehicle: '',
    officer: '',
    location,
    issuedDate: dayFromNow(-5),
    issuedTime: '09:30',
    notes: '',
    email: '',
  }
  const car = { citation, plate: 'WALK1', plateState: 'PA' }
  await callOn('maplegrove', enterTicket, { ...details, ...car, violation: '10', warning: false }, token)
  const grounds = 'Contested by the walk through all screens.'
  await callOn('maplegrove', contestTicket, { ...car, name: 'Walter Screens', email, grounds })
  return linkIn(await emailTo(email, /^Your contest/))
}

/** Returns the path of the unsubscribe page from the email about an assignment. */
async function anUnsubscribeLink(): Promise<string> {
  const { token, user } = await sessionOf('admin', 'support@mainstreet.example')
  const message = 'Asked by the walk through all screens, to be assigned.'
  const asker = { name: 'Walter Screens', email: '', phone: '717-555-0142', category: 'site' as const, message }
  const { number } = await callOn('maplegrove', sendRequest, asker)
  const manager = await sessionOf('admin', 'super@mainstreet.example')
  const { rows } = await callOn('admin', requestList.call, { search: number }, manager.token)
  const [request] = rows
  if (!request || !token) throw new Error('the request is not there')
  const subject = { companyId: request.companyId, subjectId: request.id }
  await callOn('admin', supportCase.assign, { ...subject, personId: user.id }, manager.token)
  const text = await emailTo('support@mainstreet.example', new RegExp(`^${number} was assigned`))
  return /\/notices\/stop\?of=\S+/.exec(text)?.[0] ?? ''
}

const RESIDENT = 'resident@maplegrove.example'

/** Replaces the parameters of a path with the resident's first account and its newest bill. */
async function pathOfAccount(path: string): Promise<string> {
  const { token } = await sessionOf('maplegrove', RESIDENT)
  const { accounts } = await callOn('maplegrove', linkedAccounts, {}, token)
  const accountId = accounts[0]?.id ?? 0
  const { bills } = await callOn('maplegrove', showAccount, { accountId }, token)
  return path.replace('{accountId}', String(accountId)).replace('{billNumber}', bills[0]?.number ?? '')
}

async function theirRentals() {
  const { token } = await sessionOf('maplegrove', RESIDENT)
  return callOn('maplegrove', rentals, {}, token)
}

/** Returns the id of the demo round with the lottery order, hash and seed on its page. */
async function findLotteryRound() {
  const { token } = await sessionOf('maplegrove', RESIDENT)
  const { rounds } = await callOn('maplegrove', rentalRounds, {}, token)
  return rounds.find(({ status }) => status === 'confirmed')?.id
}

async function aPaymentType(): Promise<string> {
  const { token } = await sessionOf('harborcity', 'admin@harborcity.example')
  const { rows } = await callOn('harborcity', paymentTypes.call, { search: 'dog license' }, token)
  return String(rows[0]?.id)
}

/** Returns a screen's host and path, and a person with access to the screen. */
async function visitOf({ path, entry, meta }: Screen, account: string): Promise<ScreenVisit> {
  if (path === '/notices/stop') return { host: 'admin', email: null, path: await anUnsubscribeLink() }
  if (path === '/offline') return { host: 'oldmill', email: null, path }
  if (path === '/support/{token}') return { host: 'maplegrove', email: null, path: await messagesPage() }
  if (path === '/communication/request/{token}')
    return { host: 'maplegrove', email: null, path: await aRequest('sent') }
  if (path === '/communication/followed/{token}')
    return { host: 'maplegrove', email: null, path: await aRequest('followed') }
  if (path === '/resource-rentals/{resourceId}')
    return { host: 'maplegrove', email: RESIDENT, path: `/resource-rentals/${(await theirRentals()).resources[0]?.id}` }
  if (path === '/resource-rentals/{resourceId}/series')
    return {
      host: 'maplegrove',
      email: RESIDENT,
      path: `/resource-rentals/${(await theirRentals()).resources[0]?.id}/series`,
    }
  if (path === '/municipality/manage/manage-resource-rentals/{resourceId}/fields') {
    const { token } = await sessionOf('harborcity', 'admin@harborcity.example')
    const { rows } = await callOn('harborcity', rentalResources.call, {}, token)
    const id = String(rows.find(({ name }) => name === 'Boathouse')?.id)
    return { host: 'harborcity', email: 'admin@harborcity.example', path: path.replace('{resourceId}', id) }
  }
  if (path === '/resource-rentals/reservation/{reservationId}')
    return {
      host: 'maplegrove',
      email: RESIDENT,
      path: `/resource-rentals/reservation/${(await theirRentals()).own[0]?.id}`,
    }
  if (path === '/resource-rentals/season/{roundId}')
    return { host: 'maplegrove', email: RESIDENT, path: `/resource-rentals/season/${await findLotteryRound()}` }
  if (path === '/relocate/request/{token}') return { host: 'maplegrove', email: null, path: await movePage('request') }
  if (path === '/relocate/owner/{token}') return { host: 'maplegrove', email: null, path: await movePage('owner') }
  if (path.includes('{categoryId}')) {
    const { token } = await sessionOf('harborcity', 'admin@harborcity.example')
    const { rows } = await callOn('harborcity', requestCategories.call, { search: 'pothole' }, token)
    const id = String(rows[0]?.id)
    return { host: 'harborcity', email: 'admin@harborcity.example', path: path.replace('{categoryId}', id) }
  }
  if (path.includes('{templateId}')) {
    const { token } = await sessionOf('harborcity', 'admin@harborcity.example')
    const { rows } = await callOn('harborcity', templates.call, { search: 'playground' }, token)
    const id = String(rows[0]?.id)
    return { host: 'harborcity', email: 'admin@harborcity.example', path: path.replace('{templateId}', id) }
  }
  if (path === '/parking-ticket-contest/{token}') return { host: 'maplegrove', email: null, path: await aContest() }
  if (path === '/pay/{slug}') return { host: 'maplegrove', email: null, path: '/pay/dog-license' }
  if (path === '/forms-documents/{slug}')
    return { host: 'maplegrove', email: RESIDENT, path: '/forms-documents/yard-sale-permit' }
  if (path.includes('{submissionId}')) {
    const { token } = await sessionOf('maplegrove', RESIDENT)
    const { submissionId } = await callOn('maplegrove', startForm, { slug: 'yard-sale-permit' }, token)
    return { host: 'maplegrove', email: RESIDENT, path: path.replace('{submissionId}', String(submissionId)) }
  }
  if (path === '/forms-documents/submission/{token}') {
    const { token } = await sessionOf('maplegrove', RESIDENT)
    const { own } = await callOn('maplegrove', residentForms, {}, token)
    const submissionId = own.find(({ status }) => status !== 10)?.id ?? 0
    const opened = await callOn('maplegrove', openMySubmission, { submissionId }, token)
    return { host: 'maplegrove', email: null, path: path.replace('{token}', opened.token) }
  }
  if (path.startsWith('/municipality/manage/manage-forms-and-docs/{typeId}/')) {
    const { token } = await sessionOf('maplegrove', 'admin@maplegrove.example')
    const { rows } = await callOn('maplegrove', formTypes.call, { search: 'yard sale' }, token)
    const id = String(rows[0]?.id)
    return { host: 'maplegrove', email: 'admin@maplegrove.example', path: path.replace('{typeId}', id) }
  }
  if (path.includes('{kind}'))
    return { host: 'maplegrove', email: 'admin@maplegrove.example', path: path.replace('{kind}', '1') }
  if (path.includes('{typeId}'))
    return {
      ...{ host: 'harborcity', email: 'admin@harborcity.example' },
      path: path.replace('{typeId}', await aPaymentType()),
    }
  if (path.includes('{token}')) {
    const { token } = await callOn('maplegrove', findGuestBill, { accountNumber: account, zip: BILL.zip })
    return { host: 'maplegrove', email: null, path: path.replace('{token}', token) }
  }
  if (path.includes('{accountId}')) return { host: 'maplegrove', email: RESIDENT, path: await pathOfAccount(path) }
  if (entry === 'admin') {
    const email = meta.requiresAuth ? 'super@mainstreet.example' : null
    return {
      host: 'admin',
      email,
      path: path.replace('{companyId}', FIRST_COMPANY).replace('{provider}', 'sandbox'),
    }
  }
  if (entry === 'municipality') {
    // Harbor City has turned some modules off.
    const isOff = harborCity.modulesOff?.some((name) => belongsTo(name, path)) ?? false
    const host = isOff ? 'maplegrove' : 'harborcity'
    return { host, email: `admin@${host}.example`, path: path.replace('{provider}', 'sandbox') }
  }
  const resident = meta.requiresAuth || path === '/utility-portal'
  return { host: 'maplegrove', email: resident ? RESIDENT : null, path }
}

/** Waits until the screen shows its heading and has no loading indicators. */
async function waitUntilIdle(page: Page): Promise<void> {
  await expect(page.locator('h1').filter({ visible: true })).toHaveCount(1)
  await expect(page.locator('.skeleton, [aria-busy=true]')).toHaveCount(0)
}

/** Checks that no content shifts while the screen loads. Nightly runs also reload it on a phone and a desktop. */
async function expectStill(page: Page): Promise<void> {
  const moved: Record<string, number> = { 'first load': await shiftOf(page) }
  for (const width of process.env['NIGHTLY'] ? [390, 1280] : []) {
    await page.setViewportSize({ width, height: 844 })
    await page.reload()
    await waitUntilIdle(page)
    await page.evaluate(() => document.fonts.ready)
    moved[`reload at ${width}`] = await shiftOf(page)
  }
  expect(Object.entries(moved).filter(([, far]) => far > 0)).toEqual([])
}

const built = screens.filter((screen) => screen.built)

/** Headings that differ from the screen's name. */
const headings: Record<string, string> = {
  '/offline': 'Old Mill is offline',
  '/pay/{slug}': 'Dog license',
  '/forms-documents/{slug}': 'Yard sale permit',
  '/forms-documents/fill/{submissionId}': 'Yard sale permit',
  '/relocate/owner/{token}': 'Do you agree to this move?',
  '/municipality/manage/faqs': 'FAQs',
  '/municipality/manage/manage-forms-and-docs/{typeId}/fill': 'Yard sale permit',
  '/resource-rentals/{resourceId}': 'Ball Field 2',
  '/resource-rentals/season/{roundId}': 'Ball field, last season',
  // Heading for visitors without a valid link.
  '/sso/verify-ccs-token': 'You are not signed in',
  '/sso-verification': 'You are not signed in',
  '/sso-auth-complete': 'You are not signed in',
}

/** Query that a screen adds to its address when it opens without one. */
const addedQueries: Record<string, string> = {
  '/admin/manage/{provider}/onboarding': '?provider=sandbox',
  '/municipality/manage/manage-resource-rentals': '?dates=ahead&sort=startsAt&direction=asc',
}

/** Opens a path like a link of the portal, without loading a new page. */
async function follow(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
}

/** Checks for one heading, no sideways scrolling, no layout shift and no accessibility violations. */
async function expectGoodScreen(page: Page, screen: Screen, account: string, accessible: ScreenCheck): Promise<void> {
  const { host, email, path } = await visitOf(screen, account)
  if (isWalked(screen) && page.url().startsWith(at(host))) await follow(page, path)
  else if (email) await openAs(page, host, email, path)
  else await page.goto(at(host, path))
  await expect(page).toHaveURL(at(host, path) + (addedQueries[screen.path] ?? ''))
  await expect(page.locator('main h1').filter({ visible: true })).toHaveText(headings[screen.path] ?? screen.title)
  await waitUntilIdle(page)
  if (screen.entry === 'citizen') await expectStill(page)
  // Staff screens skip the phone check. Residents' screens and other tests check the same parts on a phone.
  const phone = screen.entry === 'citizen' ? 'layout' : null
  await expectGood(page, accessible, path, { ready: waitUntilIdle, phone })
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    await painted(page)
    await expectWholeText(page, `${path} at ${width}`)
  }
}

/** Number of screens that share a browser context. Creating a context takes longer than most checks. */
const CONCURRENCY = 8

/**
 * True if a link in an already loaded page opens the screen, as for staff screens. Residents' screens load separately,
 * and so do all screens in the nightly run.
 */
const isWalked = ({ entry, meta }: Screen): boolean =>
  !process.env['NIGHTLY'] && entry !== 'citizen' && meta.requiresAuth === true

/**
 * Fractions of the screens that `npm test` checks, as divisors: a sixth of the residents' screens and a tenth of the
 * staff screens. Larger test runs check all.
 */
const SHARE_OF = { citizen: 6, municipality: 10, admin: 10 } as const
const walkedScreens = [...Map.groupBy(built, ({ entry }) => entry)].flatMap(([entry, all]) =>
  sampleOf(all, SHARE_OF[entry]),
)

for (const [entry, ofEntry] of Map.groupBy(
  walkedScreens,
  (screen) => `${screen.entry}, ${screen.meta.requiresAuth ? 'signed in' : 'open'}`,
))
  for (let from = 0; from < ofEntry.length; from += CONCURRENCY) {
    const some = ofEntry.slice(from, from + CONCURRENCY)
    test(`passes all checks in ${entry}: ${some.map(({ path }) => path).join(' ')}`, async ({
      context,
      account,
      accessible,
    }) => {
      test.slow()
      const walked = await context.newPage()
      for (const screen of some)
        await test.step(screen.path, async () => {
          // Other screens use a separate tab without a session.
          const page = isWalked(screen) ? walked : await context.newPage()
          await expectGoodScreen(page, screen, account, accessible)
          if (page !== walked) await page.close()
        })
    })
  }

/** The sign-in page offers passkeys in its email field. Chromium does not keep a page that ever did. */
const NOT_RESTORED = ['/sign-in', '/404']
/** Pages of secret links, which are not stored (`no-store`). For this reason only, a browser may not keep them. */
const SECRET = [
  ...['/guest/payment/{token}', '/communication/request/{token}', '/communication/followed/{token}'],
  ...['/support/{token}', '/parking-ticket-contest/{token}', '/relocate/request/{token}', '/relocate/owner/{token}'],
  ...['/forms-documents/submission/{token}', '/forms-documents/sign/{token}', '/resource-rentals/agreement/{token}'],
]
const OF_SECRET = ['MainResourceHasCacheControlNoStore', 'JsNetworkRequestReceivedCacheControlNoStoreResource']
const open = built.filter(
  ({ entry, meta, path }) => entry === 'citizen' && !meta.requiresAuth && !NOT_RESTORED.includes(path),
)

test('restores each page that needs no sign-in on Back, without loading it again @whole', async ({ account }) => {
  const executablePath = fullBrowser()
  test.skip(executablePath === undefined, 'Needs the package chromium, because the headless shell keeps no pages.')
  test.slow()
  // Playwright turns the back-forward cache off, and does not follow a page into it.
  const browser = await chromium.launch({
    ...findBrowser(),
    ...(executablePath && { executablePath }),
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  })
  try {
    for (const screen of allOrFirst(open))
      await test.step(screen.path, async () => {
        const { host, email, path } = await visitOf(screen, account)
        if (email !== null) return
        const page = await browser.newPage({
          extraHTTPHeaders: { 'x-forwarded-for': `10.99.0.${open.indexOf(screen)}` },
        })
        await page.goto(at(host, path))
        await waitUntilIdle(page)
        // Each page changes its history entry once, when its script starts. The browser does not keep a page that does
        // so while it is left.
        await page.mouse.move(5, 5)
        await page.waitForFunction(() => history.state !== null || !document.getElementById('root'))
        const { restored, reasons } = await restoredAfterBack(page)
        const isStored = !SECRET.includes(screen.path)
        const others = reasons.filter((reason) => isStored || !OF_SECRET.includes(reason))
        expect({ restored: restored || !isStored, reasons: others }).toEqual({ restored: true, reasons: [] })
        await page.close()
      })
  } finally {
    await browser.close()
  }
})

interface BackReport {
  restored: boolean
  /** The browser's reasons for not keeping the page. */
  reasons: string[]
}

/** Opens another page and presses Back. Reports whether the browser restored the page. */
async function restoredAfterBack(page: Page): Promise<BackReport> {
  const browser = await page.context().newCDPSession(page)
  // During a navigation, an evaluation has no result.
  const valueOf = (expression: string) =>
    browser.send('Runtime.evaluate', { expression }).then(
      ({ result }) => result.value as unknown,
      () => null,
    )
  const reasons: string[] = []
  browser.on('Page.backForwardCacheNotUsed', ({ notRestoredExplanations }) => {
    reasons.push(...notRestoredExplanations.map(({ reason }) => reason))
  })
  await browser.send('Page.enable')
  await valueOf(`addEventListener('pageshow', ({ persisted }) => { window.restored = persisted })`)
  await page.goto(at('', '/healthz'))
  await valueOf('history.back()')
  await expect.poll(() => valueOf(`location.pathname !== '/healthz' && document.readyState`)).toBe('complete')
  return { restored: (await valueOf('window.restored')) === true, reasons }
}

/** Built screens without a link from another screen, with the way to reach them. */
const withoutLink: Record<string, string> = {
  '/': 'the address of the town itself',
  '/404': 'an address that is none',
  '/admin/sign-in': 'whoever is not signed in on the platform’s host',
  '/alerts': 'the banner of an alert and mails lead to it',
  '/municipality/reports/alerts': 'the list of alerts leads to it',
  '/admin/{companyId}/company/information': 'a row of the companies opens it by a button',
  '/citizen/initialize-impersonation': 'staff open it from a customer, in a window of its own',
  '/communication/followed/{token}': 'a link in mails',
  '/communication/request/{token}': 'a link in mails',
  '/municipality/manage/customer-communication/categories/{categoryId}/fields':
    'the name of a category in the list opens it',
  '/forms-documents/fill/{submissionId}': 'a form that was begun',
  '/forms-documents/sign/{token}': 'a link in mails',
  '/forms-documents/submission/{token}': 'a link in mails',
  '/forms-documents/{slug}': 'the list of forms opens it',
  '/guest/payment/{token}': 'a bill that was found',
  '/municipality/manage/manage-forms-and-docs/{typeId}/fields': 'the slide-out of a form opens it',
  '/municipality/manage/manage-forms-and-docs/{typeId}/fill': 'the slide-out of a form opens it',
  '/municipality/reports/registration/{kind}/fields': 'the settings of registrations open it',
  '/verify/{code}': 'the code on a license or permit',
  '/municipality/initialize-impersonation': 'administrators open it from a company, in a window of its own',
  '/notices/stop': 'a link in mails',
  '/offline': 'every screen of a town that is offline',
  '/municipality/manage/manage-General-payments/{typeId}/fields': 'the slide-out of a payment type opens it',
  '/municipality/inspections/{templateId}/items': 'the slide-out of a template opens it',
  '/municipality/manage/billing-files/file': 'a row of the files opens it',
  '/parking-ticket-contest/{token}': 'a link in mails',
  '/parking-ticket-payment': 'a ticket that was found',
  '/municipality/reports/payment-outages/promises': 'the list of outages leads to it',
  '/payment-status': 'the banner of an outage leads to it',
  '/pay/{slug}': 'towns lead to it from their own sites, and by the code on a paper',
  '/municipality/processor/reports/accesses': 'the page of the processor’s reports leads to it',
  '/relocate/owner/{token}': 'a link in mails',
  '/relocate/request/{token}': 'a link in mails',
  '/municipality/manage/manage-resource-rentals/{resourceId}/fields': 'the slide-out of a resource opens it',
  '/resource-rentals/agreement/{token}': 'a link in mails',
  '/resource-rentals/{resourceId}/series': 'the page of what is rented out opens it',
  '/resource-rentals/reservation/{reservationId}': 'the list of rentals opens it',
  '/resource-rentals/season/{roundId}': 'the list of rentals opens it',
  '/resource-rentals/{resourceId}': 'the list of rentals opens it',
  '/sso-auth-complete': 'the answer of a single sign-on',
  '/sso-verification': 'the answer of the town’s own sign-in',
  '/sso/verify-ccs-token': 'a hand-off of the billing system',
  '/support': 'a dialog everywhere else; a page for whoever’s conversation is over',
  '/support/{token}': 'a link in mails',
  '/utility-index': 'towns lead to it from their own sites',
  '/utility-portal/accounts/{accountId}/bills/{billNumber}': 'a bill of an account opens it',
}

test('links only to built screens and links to every built screen @whole', async ({ page }) => {
  const [resident, staffEmail, administrator] = [
    'resident@maplegrove.example',
    'admin@maplegrove.example',
    'super@mainstreet.example',
  ]
  const visits: ScreenVisit[] = [
    { host: 'maplegrove', email: null, path: '/' },
    { host: 'maplegrove', email: null, path: '/sign-in' },
    { host: 'maplegrove', email: resident, path: '/home' },
    { host: 'maplegrove', email: resident, path: '/utility-portal' },
    { host: 'maplegrove', email: resident, path: '/communication' },
    { host: 'maplegrove', email: resident, path: '/profile/settings' },
    { host: 'maplegrove', email: resident, path: '/profile/payment-methods' },
    { host: 'maplegrove', email: staffEmail, path: '/municipality' },
    { host: 'maplegrove', email: staffEmail, path: '/municipality/manage/manage-staff' },
    { host: 'maplegrove', email: staffEmail, path: '/municipality/manage/billing-files' },
    { host: 'maplegrove', email: staffEmail, path: '/municipality/reports/customers/citizen' },
    { host: 'maplegrove', email: staffEmail, path: '/municipality/manage/parking-tickets' },
    { host: 'maplegrove', email: staffEmail, path: '/municipality/processor/onboarding' },
    { host: 'admin', email: administrator, path: '/admin' },
    { host: 'admin', email: administrator, path: '/admin/reconciliation' },
    { host: 'admin', email: administrator, path: `/admin/${FIRST_COMPANY}/company/information` },
  ]
  const led = new Set<string | undefined>()
  for (const { host, email, path } of visits) {
    const visitor = await page.context().newPage()
    if (email) await openAs(visitor, host, email, path)
    else await visitor.goto(at(host, path))
    await waitUntilIdle(visitor)
    // The card loads after the rest of Home.
    if (path === '/municipality') await expect(visitor.getByRole('region', { name: 'Get Started' })).toBeVisible()
    // Links in a closed menu count too.
    const paths = await visitor
      .locator('a[href^="/"]')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
    expect(paths.length).toBeGreaterThan(0)
    const pages = paths.filter((href) => !/\.pdf(?:[?#]|$)/.test(href))
    expect(
      pages.filter((href) => !isBuilt(href)),
      `links of ${host}${path} to nowhere`,
    ).toEqual([])
    // A screen's links to itself do not count.
    const linked = pages.map((href) => screenAt(href.replace(/[?#].*$/, ''))?.path)
    for (const screen of linked) if (screen !== screenAt(path)?.path) led.add(screen)
    await visitor.close()
  }
  // The landing page links to an open request that the resident follows, and to a coming reservation.
  const sometimes = ['/communication/followed/{token}', '/resource-rentals/reservation/{reservationId}']
  const unled = built.map(({ path }) => path).filter((path) => !led.has(path) && !sometimes.includes(path))
  const expected = Object.keys(withoutLink).filter((path) => !sometimes.includes(path))
  expect(unled.toSorted()).toEqual(expected.toSorted())
})
