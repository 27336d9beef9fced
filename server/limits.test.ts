import { randomBytes, randomUUID } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { mapleGrove } from '../database/towns/maple-grove.ts'
import { DEMO_PASSWORD } from '../features/identity/demo.ts'
import { sampleOf } from '../test/layers.ts'
import { type ApiResponse, testPortal } from '../test/harness.ts'
import { openTestCompany, setPaymentSettings } from '../test/company.ts'
import { declaredLimits, networkOf } from './limits.ts'

const host = 'maplegrove.localhost'
const email = 'resident@maplegrove.example'
const password = DEMO_PASSWORD
const CONCURRENCY = process.env['NIGHTLY'] ? 60 : 14
/**
 * Number of attempts that the test makes if the limit is larger than this. The test first uses up the rest of the limit
 * directly in the database.
 */
const ROOM = 10

const portal = await testPortal()
const post = (path: string, body: object = {}, token?: string) => portal.post(host, path, body, token ? { token } : {})
const madeUp = () => randomBytes(32).toString('base64url')
const newcomer = (n: number | string, domain = 'example.org') => ({
  ...{ first_name: 'Ida', last_name: 'Moss', mobile_no: '', password: 'Orchard-Gate#31', email: `ida.${n}@${domain}` },
})
const tokens = { resident: '', admin: '', key: '', unconfirmed: '', messages: '', tickets: [] as string[] }

beforeAll(async () => {
  const company = await openTestCompany(portal, mapleGrove)
  tokens.resident = (await post('login', { email, password })).body.token
  await setPaymentSettings(portal, { has_pay_by_phone: 1, pay_by_phone_number: '7175550199' })
  tokens.admin = (await post('login', { email: 'admin@maplegrove.example', password })).body.token
  tokens.key = (await post('muni/make/api/key', { name: 'Billing', use: 'billing' }, tokens.admin)).body.key
  tokens.unconfirmed = (await post('sign-up', newcomer('first'))).body.session.token
  tokens.tickets = await ticketsOf(12)
  await callApi({ email: 'dot@example.org' })
  const supportEmail = (await portal.emails()).find(({ to_address }) => to_address === 'dot@example.org')
  tokens.messages = /\/support\/([\w-]{43})/.exec(supportEmail?.text_body ?? '')?.[1] ?? ''
  await portal.owner.query(
    `INSERT INTO sso_provider (company_id, issuer, client_id, client_secret_sealed, label, audience, claim_email,
       claim_first_name, claim_last_name) VALUES ($1, 'https://127.0.0.1:1', 'us', $2, 'County ID', 'both', 'email', 'n', 'n')`,
    [company, portal.context.secrets.seal('secret')],
  )
  await portal.owner.query(
    `INSERT INTO utility_account (company_id, account_number, customer_name, service_address, city, state, zipcode, link_code_hash)
     SELECT $1, 500000 + n, 'Dorothy Abernathy', n || ' Tannery Road', 'Maple Grove', 'PA', '17011', sha256('LINKCODE') FROM generate_series(0, 99) n`,
    [company],
  )
  await portal.owner.query(
    `WITH code AS (INSERT INTO parking_violation (company_id, code, description, amount_cents) VALUES ($1, '10', 'Expired meter', 2500)
       RETURNING id)
     INSERT INTO parking_ticket (company_id, citation_number, plate, plate_state, violation_id, violation_code, violation_text, issued_at,
       status, fine_cents, due_on, counted_from, contest_until)
     SELECT $1, 'MG-' || n, 'KLM4821', 'PA', code.id, '10', 'Expired meter', now(), 'open', 2500, now(), now(), now()
     FROM code, generate_series(0, 99) n`,
    [company],
  )
})
beforeEach(() => portal.owner.query('DELETE FROM failed_guess'))

/** Reservation request for a resource that does not exist. The portal refuses the request but counts it. */
const picnic = {
  ...{ resourceId: 999_999_999, spaceId: 1, pieces: 1, day: '2026-12-01', from: '10:00', until: '11:00', addons: [] },
  ...{ purpose: 'Picnic', guests: 1, phone: '', agrees: true, quotedCents: 0 },
}

const once = (path: string, body: object, token?: string) =>
  portal.post(host, path, body, { headers: { 'idempotency-key': randomUUID() }, ...(token && { token }) })
const callApi = (more: object) =>
  once('send/support/request', {
    ...{ name: 'Dot', phone: '717-555-0121', category: 'paying', message: 'The button does nothing.' },
    ...more,
  })
const somewhere = { text: 'At the school', addressId: null, lat: null, lon: null, metres: null }
const report = (email: string) =>
  once('send/communication/request', {
    location: somewhere,
    categoryId: 1,
    description: 'A deep hole, as wide as a wheel.',
    name: 'Dot',
    email,
    phone: '',
    version: 0,
    answers: {},
  })
// Sends a move request for a day in the past. The portal refuses the request but counts it.
const moves = (email: string, ownerEmail = '') =>
  once('send/relocate/move', {
    ...{ kind: 1, leavesBy: 'address', accountId: null, leaves: { ...somewhere, text: '' }, leavesOn: '' },
    ...{ enters: somewhere, entersOn: '2020-01-01', forwarding: '', ownerName: 'Olga', ownerEmail },
    ...{ name: 'Dot', email, phone: '', note: '' },
  })
const follow = (email: string) => post('follow/communication/request', { publicId: randomUUID(), email })
const texts = (phone: string) => post('start/profile/texts', { phone, agree: true }, tokens.resident)
const calls = (phone: string) => post('start/alert/calls', { phone, agree: true }, tokens.resident)
const findTicket = (citation: string) => post('find/parking/tickets', { citation })
const contest = (n: number, mailbox: string) =>
  once('send/parking/contest', {
    ...{ citation: `NONE-${n}`, plate: 'KLM4821', plateState: 'PA', name: 'Dot', email: mailbox, files: [] },
    grounds: 'The meter was broken.',
  })
const find = (accountNumber: number, zip: string) =>
  post('find/guest/bill', { accountNumber: String(accountNumber), zip })

const link = (accountNumber: number, code: string) =>
  post('link/utility/account', { accountNumber: String(accountNumber), proof: 'code', code }, tokens.resident)

/** Adds an authenticator app to a staff account and creates sign-in tickets for it. Each ticket allows five codes. */
async function ticketsOf(many: number): Promise<string[]> {
  const staffEmail = 'staff@maplegrove.example'
  const { token } = (await post('login', { email: staffEmail, password })).body
  const { step, secret } = (await post('start/profile/authenticator', { password }, token)).body
  const timestamp = portal.clock.now().getTime()
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp })
  await post('confirm/profile/authenticator', { step, code }, token)
  const tickets = []
  for (let n = 0; n < many; n += 1)
    tickets.push((await post('login', { email: staffEmail, password })).body.second.ticket)
  return tickets
}

const handOff = async (): Promise<ApiResponse> => {
  const { headers } = await portal.app.inject({
    ...{ method: 'POST', url: '/sso/verify-ccs-token', payload: 'token=x' },
    headers: { host, 'content-type': 'application/x-www-form-urlencoded' },
  })
  return { status: String(headers.location).includes('busy') ? 429 : 303, body: null, headers: {} }
}

/** Uploads a text file as an image. The portal refuses the upload but counts it first. */
const attachTo = async (path: string, token = '', fields: Record<string, string> = {}): Promise<ApiResponse> => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', new Blob(['no picture']), 'a.png')
  const sent = new Response(form)
  const { statusCode } = await portal.app.inject({
    ...{ method: 'POST', url: `/api/v2/${path}`, payload: Buffer.from(await sent.arrayBuffer()) },
    headers: {
      ...{ host, 'content-type': sent.headers.get('content-type') ?? '' },
      ...(token && { authorization: `Bearer ${token}` }),
    },
  })
  return { status: statusCode, body: null, headers: {} }
}

/**
 * Simulates a pay-by-phone call up to the PIN. The portal speaks the refusal and returns no error status, so a spoken
 * refusal is converted to status 429.
 */
const ring = async (phone: number, account: number): Promise<ApiResponse> => {
  const call = { callId: randomUUID(), phone: String(phone) }
  const keys = ['', String(account), '481517']
  let response: ApiResponse = { status: 200, body: { stepNo: 0 }, headers: {} }
  for (const keyed of keys)
    response = await post('muni/play/phone/call', { ...call, stepNo: response.body.stepNo, keys: keyed }, tokens.admin)
  return {
    ...response,
    status: response.body.text.join(' ').includes('too many incorrect attempts') ? 429 : response.status,
  }
}

const attach = () => attachTo('attach/support/file')
const attachToCharge = () => attachTo('attach/general/payment/file')

/**
 * Looks up three other accounts first, because the limit counts only guests who look up more accounts than one
 * household has.
 */
const walked = async (n: number): Promise<ApiResponse> => {
  for (const offset of [96, 97, 98]) await find(500_000 + offset, '17011')
  return find(500_000 + n, '17011')
}

type LimitedCall = (n: number) => Promise<ApiResponse>
/** Functions that make one attempt each, by limit. Each attempt counts only toward its own limit. */
const tries: Record<string, LimitedCall> = {
  'sign-in-account': () => post('login', { email, password: 'wrong' }),
  'sign-in-address': (n) => post('login', { email: `nobody.${n}@example.org`, password: 'wrong' }),
  'sign-up-email': () => post('sign-up', newcomer('same')),
  'sign-up-address': (n) => post('sign-up', newcomer(n, 'all.example')),
  'reset-email': () => post('reset/profile/password', { email }),
  'reset-address': (n) => post('reset/profile/password', { email: `nobody.${n}@example.org` }),
  'confirm-email': () => post('send/confirmation/email', {}, tokens.unconfirmed),
  'change-email': (n) => post('change/profile/email', { email: `new.${n}@example.org`, password }, tokens.resident),
  'second-factor': (n) => post('verify/second/factor', { ticket: tokens.tickets[n % 12], code: '000000' }),
  'passkey-challenge': () => post('start/passkey/sign-in'),
  'sso-start': () => post('sso/start'),
  'sso-back': () => post('sso/verify', { browser: madeUp(), state: madeUp(), code: 'x' }),
  'hand-off': handOff,
  'bill-by-address': (n) => find(700_000 + n, '17011'),
  'bill-by-account': () => find(500_000, '99999'),
  'bill-match-address': (n) => find(500_000 + n, '17011'),
  'bill-match-address-day': (n) => find(500_000 + n, '17011'),
  'bill-match-company': (n) => find(500_000 + n, '17011'),
  'bill-match-company-day': (n) => find(500_000 + n, '17011'),
  'bill-scan-company': walked,
  'bill-scan-company-day': walked,
  'ticket-by-address': (n) => findTicket(`NONE-${n}`),
  'ticket-by-number': () => findTicket('NONE-1'),
  'ticket-match-address': (n) => findTicket(`MG-${n}`),
  'ticket-match-address-day': (n) => findTicket(`MG-${n}`),
  'parking-contest': (n) => contest(n, `dot.${n}@example.org`),
  'parking-contest-mailbox': (n) => contest(n, 'dot@example.org'),
  'general-started': () => post('start/general/payment', { slug: 'no-such-thing', answers: {} }),
  'api-key-invalid': () => portal.get(host, '/api/v2/billing/remittances', { token: 'unknown' }),
  'api-key-calls': () => portal.get(host, '/api/v2/billing/remittances', { token: tokens.key }),
  'open311-photo': () => portal.get(host, `/open311/pictures/public/${randomUUID()}/x`),
  'alert-feeds': () => portal.get(host, '/alerts/feed.json'),
  'open311-read': () => portal.get(host, '/open311/v2/services.json'),
  receipt: () => portal.get(host, `/guest/payment/${madeUp()}/receipt.pdf`),
  'receipt-staff': async () => {
    const { body } = await post('muni/print/payment/receipt', { paymentId: 1 }, tokens.admin)
    return portal.get(host, body.url)
  },
  'reset-code': () => post('set/profile/password', { code: madeUp(), password: 'Orchard-Gate#31' }),
  'invitation-code': () => post('accept/invitation', { code: madeUp(), password: 'Orchard-Gate#31' }),
  'support-request': (n) => callApi({ email: `dot.${n}@example.org` }),
  'support-mailbox': () => callApi({ email: 'dot@example.org' }),
  request: (n) => report(`dot.${n}@example.org`),
  'request-mailbox': () => report('dot@example.org'),
  'request-follow': (n) => follow(`dot.${n}@example.org`),
  'request-follow-mailbox': () => follow('dot@example.org'),
  'case-message': () => once('send/support/message', { token: tokens.messages, message: 'And now?' }),
  export: () => post('muni/export/payment/transactions', { filters: {} }, tokens.admin),
  'case-file': attach,
  'guest-file-bytes': attach,
  'case-file-day': attach,
  'charge-file': attachToCharge,
  'charge-file-day': attachToCharge,
  'place-search': () => post('find/addresses', { search: '214 Sycamore' }),
  'texts-code-person': (n) => texts(String(7175550200 + n)),
  'texts-code-phone': () => texts('717-555-0199'),
  'payment-method-person': () =>
    portal.post(
      host,
      'add/payment/method',
      { method: 1, agree: true, methodToken: `tok_${madeUp()}` },
      { token: tokens.resident, headers: { 'idempotency-key': randomUUID() } },
    ),
  'phone-pin-set': () => post('set/phone/pin', { pin: '481516' }, tokens.resident),
  'phone-pin-account': (n) => ring(7_175_550_000 + n, 500_000),
  'phone-pin-caller': (n) => ring(7_175_550_000, 500_000 + n),
  'calendar-feed': () => portal.get(host, `/calendar-feed/${madeUp()}.ics`),
  'notice-stop': () => portal.get(host, `/notices/stop?of=${madeUp()}`),
  'texts-code': () => post('confirm/profile/texts', { code: '000000' }, tokens.resident),
  'calls-code-person': (n) => calls(String(7175550200 + n)),
  'calls-code-phone': () => calls('717-555-0199'),
  'calls-code': () => post('confirm/alert/calls', { code: '000000' }, tokens.resident),
  'link-by-person': (n) => link(700_000 + n, 'WRONGCODE'),
  'link-by-account': () => link(500_000, 'WRONGCODE'),
  'link-match': (n) => link(500_000 + n, 'link code'),
  'form-file': () => attachTo('attach/form/file', tokens.resident),
  'form-file-day': () => attachTo('attach/form/file', tokens.resident),
  'rental-booked': () => once('book/rental', picnic, tokens.resident),
  'rental-certificate': () =>
    attachTo('send/my/rental/certificate', tokens.resident, { reservationId: '999999999', validThrough: '2026-12-01' }),
  'rental-series': () =>
    once(
      'book/rental/series',
      {
        ...{ ...picnic, startsOn: '2026-12-01', choices: [] },
        repeats: { unit: 'week', every: 1, weekdays: [], by: 'day', until: '' },
      },
      tokens.resident,
    ),
  'onboarding-document': () =>
    attachTo('muni/send/onboarding/document', tokens.admin, { id: '999999999', kind: 'tax_form' }),
  'onboarding-page': () => post('muni/start/onboarding/page', { id: 999_999_999 }, tokens.admin),
  'onboarding-check': () => post('muni/check/onboarding', { id: 999_999_999 }, tokens.admin),
  'deferred-payment': () =>
    post('defer/payment', {
      ...{ token: 'c'.repeat(43), payType: 1, method: 1, billCents: 100, expectedTotalCents: 100, action: 'note' },
      email: 'dot@example.com',
    }),
  'rental-waitlist': () => once('wait/for/rental', picnic, tokens.resident),
  'form-sent': () =>
    once(
      'send/form',
      {
        ...{ submissionId: 999_999_999, version: 1, answers: {}, signer: { name: '', email: '' } },
        contact: { name: 'Dot', email: '', phone: '' },
      },
      tokens.resident,
    ),
  'form-documents': () => post('print/form/submission', { token: madeUp(), which: 'copy' }),
  'form-copy': () => post('mail/form/copy', { token: 'c'.repeat(43) }),
  'faq-missing': (n) => post('report/faq/missing', { text: `geese at pond ${n}` }),
  'faq-helped': () => post('report/faq/helped', { faqId: 1, helped: true }),
  'form-zips': () => post('muni/zip/form/submissions', { of: { ids: [999_999_999] } }, tokens.admin),
  'verify-documents': () => post('return/verified/document', { code: madeUp().slice(0, 22) }),
  move: (n) => moves(`dot.${n}@example.org`),
  'move-mailbox': () => moves('dot@example.org'),
  'move-owner': (n) => moves(`dot.${n}@example.org`, 'olga@example.org'),
  'move-owner-links': () => post('return/relocate/owner', { token: madeUp() }),
  'registrations-sent': () => post('send/registration', { kind: 1, location: somewhere, answers: {} }, tokens.resident),
  'registration-offers': () =>
    post('offer/registration', { id: 999_999_999, email: 'new.owner@example.org' }, tokens.resident),
  'registration-links': () => post('return/offered/registration', { token: madeUp() }, tokens.resident),
  'utility-documents': async () => {
    const { body } = await post('print/utility/bill', { accountId: 1, billNumber: 'none' }, tokens.resident)
    return portal.get(host, body.url)
  },
  'form-1099k': async () => {
    const { body } = await post('muni/print/form/1099k', { year: 2026 }, tokens.admin)
    return portal.get(host, body.url)
  },
  'year-statements': async () => {
    const { body } = await post('print/paid/in/year', { year: 2026 }, tokens.resident)
    return portal.get(host, body.url)
  },
  'find-records': () => post('muni/find', { search: 'anna' }, tokens.admin),
  'hydrant-documents': () => post('muni/print/hydrant/report', {}, tokens.admin),
  'inspection-certificates': () => post('muni/print/inspection/certificate', { inspectionId: 1 }, tokens.admin),
  'link-mailings': async () => {
    const { body } = await post('muni/print/link/codes', { accountIds: [999_999_999] }, tokens.admin)
    return portal.get(host, body.url)
  },
  'share-offers': () =>
    post(
      'offer/utility/share',
      { accountId: 999_999_999, kind: 'watch', withAmounts: false, toEmail: '' },
      tokens.resident,
    ),
  'share-codes': () => post('accept/utility/share', { code: 'WRONG CODE 12' }, tokens.resident),
  'payment-link': () => post('muni/send/payment/link', { accountId: 1, email: 'ann@example.org' }, tokens.admin),
  'test-charge': () => post('test/payment', {}, tokens.admin),
}

test('has a test for each limit', () => {
  expect([...declaredLimits.keys()].filter((scope) => !tries[scope])).toEqual([])
})

/**
 * Maximum number of parallel calls, by limit. More calls would reach another limit first, because that limit counts
 * calls until they succeed.
 */
const TOGETHER: Readonly<Record<string, number>> = { 'link-match': 7 }

test.each(sampleOf([...declaredLimits], 2))(
  `allows exactly the limit in ${CONCURRENCY} parallel attempts: %s`,
  async (scope, { max }) => {
    const one = tries[scope]
    if (!one) throw new Error(`nobody tries the limit ${scope} here`)
    let left = max
    if (max > ROOM) {
      await one(99)
      await portal.owner.query('UPDATE failed_guess SET failures = $2 WHERE scope = $1', [scope, max - ROOM])
      left = ROOM
    }
    const numbers = Array.from({ length: CONCURRENCY }, (_, n) => n)
    const together = TOGETHER[scope] ?? CONCURRENCY
    const responses = []
    for (let from = 0; from < CONCURRENCY; from += together)
      responses.push(...(await Promise.all(numbers.slice(from, from + together).map((n) => one(n)))))
    expect(responses.filter(({ status }) => status !== 429)).toHaveLength(left)
  },
)

test('neither counts a correct password nor resets wrong ones', async () => {
  for (let n = 0; n < 4; n += 1) expect((await post('login', { email, password: 'wrong' })).status).toBe(401)
  for (let n = 0; n < 3; n += 1) expect((await post('login', { email, password })).status).toBe(200)
  expect((await post('login', { email, password: 'wrong' })).status).toBe(401)
  expect(await post('login', { email, password })).toMatchObject({
    status: 429,
    headers: { 'retry-after': '60' },
    body: { message: 'Too many attempts. Please wait a minute and try again.' },
  })
  portal.clock.advance(60_000)
  expect((await post('login', { email, password })).status).toBe(200)
  expect((await post('login', { email, password })).status).toBe(200)
})

test.each([
  ['reset-code', 'set/profile/password'],
  ['invitation-code', 'accept/invitation'],
])('checks and counts a made-up %s before the costly password hash', async (scope, path) => {
  await post(path, { code: madeUp(), password: 'short' })
  const { rows } = await portal.owner.query('SELECT failures FROM failed_guess WHERE scope = $1', [scope])
  expect(rows).toEqual([{ failures: 1 }])
})

test('counts found bills and wrong guesses separately', async () => {
  await find(500_000, '17011')
  await find(500_000, '99999')
  const { rows } = await portal.owner.query(
    'SELECT scope, failures FROM failed_guess WHERE failures > 0 ORDER BY scope',
  )
  expect(Object.fromEntries(rows.map((row) => [row.scope, row.failures]))).toEqual({
    ...{ 'bill-by-account': 1, 'bill-by-address': 1, 'bill-match-address': 1, 'bill-match-address-day': 1 },
    ...{ 'bill-match-company': 1, 'bill-match-company-day': 1, 'bill-seen': 1 },
  })
})

test('stops enumeration of account numbers for 15 minutes, later for a day', async () => {
  const walk = async (from: number, many: number) => {
    const responses = []
    for (let n = from; n < from + many; n += 1) responses.push(await find(500_000 + n, '17011'))
    return responses
  }
  expect((await walk(0, 30)).every(({ status }) => status === 200)).toBe(true)
  portal.clock.advance(14 * 60_000)
  const [refused] = await walk(30, 1)
  expect([refused?.status, refused?.body.details.retryAfterSeconds]).toEqual([429, 60])
  for (const from of [30, 60]) {
    portal.clock.advance(15 * 60_000)
    expect((await walk(from, 30)).every(({ status }) => status === 200)).toBe(true)
  }
  portal.clock.advance(15 * 60_000)
  expect((await walk(90, 11)).map(({ status }) => status)).toEqual([...Array.from({ length: 10 }, () => 200), 429])
  expect((await walk(0, 1))[0]?.body.message).toBe('Too many attempts. Please wait 24 hours and try again.')
})

describe('guests of a municipality with 1,200 accounts', () => {
  beforeAll(() =>
    portal.owner.query(
      `INSERT INTO utility_account (company_id, account_number, customer_name, service_address, city, state, zipcode)
       SELECT min(id), 510000 + n, 'Dorothy Abernathy', n || ' Mill Road', 'Maple Grove', 'PA', '17011' FROM company, generate_series(0, 1199) n
       GROUP BY n`,
    ),
  )
  const findFrom = async (remoteAddress: string, account: number) => {
    const { statusCode } = await portal.app.inject({
      method: 'POST',
      url: '/api/v2/find/guest/bill',
      headers: { host },
      payload: { accountNumber: String(account), zip: '17011' },
      remoteAddress,
    })
    return statusCode
  }
  /**
   * Looks up accounts from several IP addresses, `each` times per address. Returns the number of lookups that find an
   * account.
   */
  const walkFrom = async (addresses: number, each: number, accountOf: (nth: number) => number) => {
    let matchCount = 0
    for (let n = 0; n < addresses * each; n += 1) {
      const status = await findFrom(`203.0.113.${Math.floor(n / each)}`, accountOf(n))
      if (status === 200) matchCount += 1
    }
    return matchCount
  }

  test('finds few accounts for forty addresses that enumerate all of them', async () => {
    expect(await walkFrom(40, 30, (n) => 510_000 + n)).toBeLessThanOrEqual(200)
    // The limit of one address does not affect a guest at another address.
    expect(await findFrom('198.51.100.7', 510_600)).toBe(200)
  })

  test('locks out no one if twenty addresses send 30 look-ups each', async () => {
    expect(await walkFrom(20, 30, () => 510_001)).toBe(600)
    await walkFrom(20, 30, (n) => 510_000 + n)
    for (let n = 0; n < 30; n += 1) expect(await findFrom(`198.51.100.${n}`, 510_700 + n)).toBe(200)
  })

  test('counts an account that a guest finds again only once', async () => {
    for (let n = 0; n < 40; n += 1) expect(await findFrom('198.51.100.50', 510_002)).toBe(200)
    const { rows } = await portal.owner.query(`SELECT failures FROM failed_guess WHERE scope = 'bill-match-company'`)
    expect(rows).toEqual([{ failures: 1 }])
  })
})

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:0:1:aaaa::1', '2001:db8:0:1'],
  ['2001:DB8::1:0:0:0:9', '2001:db8:0:1'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['::1', '0:0:0:0'],
])('counts address %s as network %s', (address, network) => expect(networkOf(address)).toBe(network))
