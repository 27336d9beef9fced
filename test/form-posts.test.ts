import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, test } from 'vitest'
import { openMySubmission, residentForms, signForm, submissionCase, withdrawForm } from '../features/forms/contract.ts'
import { submissionStatus, TYPED } from '../features/forms/rules.ts'
import { answerAsOwner, moveCase, moveChoices, sendMove, withdrawMove } from '../features/moving/contract.ts'
import { contestTicket, enterTicket } from '../features/parking-tickets/contract.ts'
import { cancelRequest, changeFollowing, requestCase, submitFeedback } from '../features/service-requests/contract.ts'
import { supportCase } from '../features/support/contract.ts'
import { features } from '../portal/server.ts'
import type { FormPost } from '../server/form-posts.ts'
import type { PageRenderer } from '../server/page-texts.ts'
import { builtPages } from '../server/pages.ts'
import { FORM_CALL } from '../shared/boot.ts'
import { addDays, dateIn } from '../shared/dates.ts'
import type { Endpoint } from '../shared/endpoint.ts'
import { noLocation } from '../shared/places.ts'
import { type CallOptions, testPortal } from './harness.ts'

const HOST = 'maplegrove.localhost'
const FORM = 'application/x-www-form-urlencoded'
const renderer = (await import(new URL('../dist/server/citizen-server.js', import.meta.url).href)) as PageRenderer
const pages = builtPages(fileURLToPath(new URL('../dist/web', import.meta.url)), renderer)
const { app, clock, owner, post, signIn } = await testPortal({ demo: true, pages })
beforeEach(() => owner.query('DELETE FROM failed_guess'))
const posts = features.flatMap(({ formPosts = [] }) => formPosts)

/** Sends a form as a browser without JavaScript does. */
const send = (url: string, entries: Record<string, string>, headers: Record<string, string> = {}) =>
  app.inject({
    method: 'POST',
    url,
    headers: { host: HOST, 'content-type': FORM, 'sec-fetch-site': 'same-origin', ...headers },
    payload: new URLSearchParams(entries).toString(),
  })

const categories: { id: number; name: string }[] = (await post(HOST, 'return/communication/choices', {})).body
  .categories
const categoryOf = (name: string) => categories.find((category) => category.name === name)?.id ?? 0
const report = {
  ...{ categoryId: String(categoryOf('Graffiti')), version: '0', location: '12 Elm Street' },
  ...{ description: 'Red paint on the wall of the library.', name: 'Ida Moss', email: 'ida@mail.example', phone: '' },
}

let count = 0

/** Sends a report without JavaScript. Returns the page to which it leads. */
async function reported(entries: Record<string, string> = {}): Promise<string> {
  const key = keyIn(await pageOf(`/communication/new?category=${report.categoryId}`))
  const { statusCode, headers } = await send('/communication/new', { ...report, idempotencyKey: key, ...entries })
  expect(statusCode).toBe(303)
  return String(headers.location)
}

/** Completes a report, so that its page asks for feedback. */
const complete = (page: string) =>
  owner.query(
    `UPDATE service_request SET status = 2, closed_at = now(), reopen_until = now() + interval '9 days'
     WHERE id = (SELECT subject_id FROM case_link WHERE token_hash = sha256($1))`,
    [Buffer.from(page.split('/').at(-1) ?? '')],
  )

/** Returns the emailed page at which a guest confirms to follow a report. */
async function followed(): Promise<string> {
  await reported()
  const { rows } = await owner.query('SELECT public_id FROM service_request ORDER BY id DESC LIMIT 1')
  const email = `follower${(count += 1)}@mail.example`
  const response = await post(HOST, 'follow/communication/request', { publicId: rows[0].public_id, email })
  expect(response.status, response.body.message).toBe(200)
  return linkTo(email, /\/communication\/followed\/[\w.-]+/)
}

/** Returns the emailed page of a support request. */
async function supported(): Promise<string> {
  const email = `support${(count += 1)}@mail.example`
  const key = keyIn(await pageOf('/support'))
  expect((await send('/support', { ...request, email, idempotencyKey: key })).statusCode).toBe(200)
  return linkTo(email, /\/support\/[\w-]{43}/)
}

/** Returns the emailed page of a contest. */
async function contested(): Promise<string> {
  const token = await signIn(HOST, 'admin@maplegrove.example')
  const citation = `PLAIN-${(count += 1)}`
  const email = `${citation.toLowerCase()}@mail.example`
  const ticket = { citation, plate: 'PLAIN1', plateState: 'PA' }
  const location = { text: '', addressId: null, lat: null, lon: null, metres: null }
  const details = { violation: '10', warning: false, vehicle: '', officer: '', location, notes: '', email: '' }
  const times = { issuedDate: dateIn('America/New_York', clock.now()), issuedTime: '00:00' }
  const call = async (path: string, body: object, options: CallOptions) => {
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const { status, body: response } = await post(HOST, path, body, { headers, ...options })
    expect(status, response.message).toBe(200)
  }
  await call(enterTicket.path, { ...ticket, ...details, ...times }, { token })
  await call(contestTicket.path, { ...ticket, name: 'Ida Moss', email, grounds: 'The meter did not work.' }, {})
  return linkTo(email, /\/parking-ticket-contest\/[\w-]{43}/)
}

/** Sends a move request. Returns its page for the requester, and the emailed page for the owner. */
async function moved(): Promise<{ requester: string; owner: string }> {
  await owner.query(`UPDATE moving_settings SET documents = ''`)
  const { first, closed } = (await post(HOST, moveChoices.path, {})).body
  let entersOn = first
  while (closed.includes(entersOn)) entersOn = addDays(entersOn, 1)
  const ownerEmail = `owner${(count += 1)}@mail.example`
  const move = {
    ...{ kind: 1, leavesBy: 'address', accountId: null, leaves: noLocation, leavesOn: '', forwarding: '' },
    ...{ enters: { ...noLocation, text: `${count} Orchard Lane` }, entersOn, ownerName: 'Olga Owner', ownerEmail },
    ...{ name: 'Ida Moss', email: `mover${count}@mail.example`, phone: '', note: '' },
  }
  const response = await post(HOST, sendMove.path, move, { headers: { 'idempotency-key': crypto.randomUUID() } })
  expect(response.status, response.body.message).toBe(200)
  return {
    requester: `/relocate/request/${response.body.token}`,
    owner: await linkTo(ownerEmail, /\/relocate\/owner\/[\w-]+/),
  }
}

/** Returns the page of a submission that awaits its review. */
async function submitted(): Promise<string> {
  const token = await signIn(HOST, 'resident@maplegrove.example')
  const { own } = (await post(HOST, residentForms.path, {}, { token })).body
  const waiting = own.find(({ status }: { status: number }) => status === submissionStatus.pendingReview)
  const opened = await post(HOST, openMySubmission.path, { submissionId: waiting?.id }, { token })
  return `/forms-documents/submission/${opened.body.token}`
}

/** Returns the page at which a second person signs a form or an agreement. */
async function toSign(path: string, set: string): Promise<string> {
  const token = `${path.replaceAll(/\W/g, '-')}${'x'.repeat(43)}`.slice(0, 43)
  await owner.query(set, [Buffer.from(token)])
  return path + token
}

async function linkTo(email: string, link: RegExp): Promise<string> {
  const { rows } = await owner.query('SELECT text_body FROM email_outbox WHERE to_address = $1', [email])
  return link.exec(rows[0].text_body)?.[0] ?? ''
}

const get = (url: string, headers: Record<string, string> = {}) =>
  app.inject({ url, headers: { host: HOST, ...headers } })
const pageOf = async (url: string) => (await get(url)).body
const headingOf = (html: string) => /<title>(.*?)<\/title>/.exec(html)?.[1] ?? ''
const keyIn = (html: string) => /name="idempotencyKey" value="([^"]+)"/.exec(html)?.[1] ?? ''

const bill = { accountNumber: '100001', zip: '17011' }
const request = {
  category: 'site',
  message: 'The page stays empty on my phone.',
  name: 'Ida Moss',
  email: 'ida@mail.example',
  phone: '',
}

/** Pages with the forms. A page without an entry here has no parameters. */
const pageAt: Record<string, () => Promise<string>> = {
  '/communication/new': async () => `/communication/new?category=${report.categoryId}`,
  '/communication/request/{token}': reported,
  '/communication/followed/{token}': followed,
  '/support/{token}': supported,
  '/parking-ticket-contest/{token}': contested,
  '/relocate/request/{token}': async () => (await moved()).requester,
  '/relocate/owner/{token}': async () => (await moved()).owner,
  '/pay/{slug}': async () => '/pay/property-tax',
  '/forms-documents/submission/{token}': submitted,
  '/forms-documents/sign/{token}': () =>
    toSign(
      '/forms-documents/sign/',
      `UPDATE form_submission SET signer_name = 'Bea Finch', signed_at = NULL, signer_token_hash = sha256($1)
       WHERE (company_id, id) = (SELECT company_id, id FROM form_submission WHERE status = 1 AND company_id = (
         SELECT id FROM company WHERE subdomain = 'maplegrove') LIMIT 1)`,
    ),
  '/resource-rentals/agreement/{token}': () =>
    toSign(
      '/resource-rentals/agreement/',
      `UPDATE rental_reservation SET sign_token_hash = sha256($1)
       WHERE (company_id, id) = (SELECT company_id, id FROM rental_reservation WHERE company_id = (
         SELECT id FROM company WHERE subdomain = 'maplegrove') LIMIT 1)`,
    ),
}
const pagePathOf = async (path: string) => pageAt[path]?.() ?? path

/** Returns the form of a call in a page. */
const formIn = (html: string, { endpoint }: FormPost) =>
  (html.match(/<form[^>]*data-plain.*?<\/form>/gs) ?? []).find((form) => form.includes(`value="${endpoint.path}"`))

/** Calls of forms that have only buttons. */
const ONLY_BUTTONS = new Set([cancelRequest.path, changeFollowing.path, withdrawForm.path, withdrawMove.path])

test('declares the forms that work without JavaScript', () => {
  expect(posts.map(({ path, endpoint }) => `${path} ${endpoint.path}`).toSorted()).toEqual([
    '/communication/followed/{token} change/communication/following',
    '/communication/new send/communication/request',
    '/communication/request/{token} cancel/communication/request',
    '/communication/request/{token} send/requests/message',
    '/communication/request/{token} submit/communication/feedback',
    '/forms-documents/sign/{token} sign/form',
    '/forms-documents/submission/{token} send/form/submissions/message',
    '/forms-documents/submission/{token} withdraw/form',
    '/guest-utility-payment find/guest/bill',
    '/parking-ticket-contest/{token} send/parking/contests/message',
    '/parking-ticket-payment find/parking/tickets',
    '/parking-tickets find/parking/tickets',
    '/pay/{slug} find/general/payment/item',
    '/relocate/owner/{token} answer/relocate/owner',
    '/relocate/request/{token} send/moves/message',
    '/relocate/request/{token} withdraw/relocate/move',
    '/support send/support/request',
    '/support/{token} send/support/message',
  ])
})

test.each(posts.filter(({ endpoint }) => !ONLY_BUTTONS.has(endpoint.path)))(
  '$path shows the entries of $endpoint.path again with the errors',
  async (post) => {
    const page = await pagePathOf(post.path)
    if (post.endpoint === submitFeedback) await complete(page)
    const form = formIn(await pageOf(page), post) ?? ''
    const field = /<(?:input|textarea)(?=[^>]*\btype="text"|[^>]*\brows)[^>]*\bname="([^"]+)"/.exec(form)?.[1] ?? ''
    // The number of a card is refused in every text.
    const refused = await send(page, {
      ...{ [FORM_CALL]: post.endpoint.path, idempotencyKey: keyIn(form), [field]: 'x <"?> 4111 1111 1111 1111' },
    })
    expect(refused.statusCode).toBe(422)
    expect(headingOf(refused.body)).toMatch(/^Error: /)
    expect(refused.body).toContain('x &lt;&quot;?&gt; 4111')
    expect(refused.body).toMatch(/aria-invalid="true"|role="alert"/)
    expect(refused.headers['cache-control']).toBe('no-store')
  },
)

describe('a report of a problem', () => {
  test('leads to its page, and is sent once', async () => {
    const idempotencyKey = keyIn(await pageOf('/support'))
    const [page, again] = [await reported({ idempotencyKey }), await reported({ idempotencyKey })]
    expect(page).toMatch(/^\/communication\/request\/[\w-]{43}$/)
    expect(again).toBe(page)
    expect(await pageOf(page)).toContain('Red paint on the wall of the library.')
  })

  test('asks for the topic first', async () => {
    expect(await pageOf('/communication/new')).toMatch(/<form data-plain[^>]*action="\/communication\/new#main"/)
  })

  test('contains the questions of its topic', async () => {
    const page = `/communication/new?category=${categoryOf('Pothole')}`
    const html = await pageOf(page)
    const version = /name="version" value="(\d+)"/.exec(html)?.[1] ?? ''
    const entries = { ...report, categoryId: String(categoryOf('Pothole')), version }
    const refused = await send(page, { ...entries, 'answers.size': 'huge', idempotencyKey: keyIn(html) })
    expect(refused.statusCode).toBe(422)
    expect(refused.body).toContain('Choose an answer from the list.')
    const sent = await send(page, { ...entries, 'answers.size': 'wheel', idempotencyKey: keyIn(refused.body) })
    expect(sent.statusCode).toBe(303)
    expect(await pageOf(String(sent.headers.location))).toContain('A wheel')
  })

  test('refuses the answers to questions that staff have changed', async () => {
    const page = `/communication/new?category=${categoryOf('Pothole')}`
    const entries = { ...report, categoryId: String(categoryOf('Pothole')), version: '99' }
    const refused = await send(page, { ...entries, idempotencyKey: keyIn(await pageOf(page)) })
    expect(refused.statusCode).toBe(409)
    expect(refused.body).toContain('The questions have changed.')
    expect(refused.body).not.toContain('name="version" value="99"')
  })
})

/** Sends a form of a page. Returns the page to which it leads, which is the same page. */
async function answerTo(page: string, call: Endpoint, entries: Record<string, string>): Promise<string> {
  const { statusCode, headers } = await send(page, {
    ...{ [FORM_CALL]: call.path, idempotencyKey: keyIn(await pageOf(page)), ...entries },
  })
  expect([statusCode, headers.location]).toEqual([303, page])
  return pageOf(page)
}

describe('the page of a secret link', () => {
  test.each(Object.keys(pageAt).filter((path) => path.includes('{token}')))('%s is never stored', async (path) => {
    const page = await pagePathOf(path)
    const [first, second] = [await get(page), await get(page, { 'if-none-match': '*' })]
    expect(first.body).toContain('data-rendered')
    expect(second.statusCode).toBe(200)
    for (const { headers } of [first, second]) {
      expect(headers['cache-control']).toBe('no-store')
      expect(headers.etag).toBeUndefined()
    }
  })

  test('shows nothing of another link', async () => {
    const [own, other] = [
      await reported({ description: 'A bench without its back.' }),
      await reported({ description: 'A gate that stays open.' }),
    ]
    const pages = await Promise.all(Array.from({ length: 20 }, (_, n) => pageOf(n % 2 ? own : other)))
    for (const [n, html] of pages.entries()) {
      expect(html.includes('A bench without its back.')).toBe(n % 2 === 1)
      expect(html.includes('A gate that stays open.')).toBe(n % 2 === 0)
    }
    const unknown = await get(`/communication/request/${'x'.repeat(43)}`)
    expect(unknown.body).not.toContain('data-rendered')
  })

  test('does not take the token of an entry', async () => {
    const [own, other] = [await reported(), await reported()]
    const token = other.split('/').at(-1) ?? ''
    const html = await answerTo(own, requestCase.message, { message: 'It is on the north wall.', token })
    expect(html).toContain('It is on the north wall.')
    expect(await pageOf(other)).not.toContain('It is on the north wall.')
  })

  test('takes a message, feedback and a cancellation', async () => {
    const page = await reported()
    await complete(page)
    expect(await answerTo(page, submitFeedback, { isFixed: 'no', text: 'One letter is left.' })).toContain(
      'One letter is left.',
    )
    expect(await answerTo(page, cancelRequest, {})).not.toContain('Cancel request')
    const support = await supported()
    expect(await answerTo(support, supportCase.message, { message: 'It works now.' })).toContain('It works now.')
  })

  test('confirms and ends the following of a report', async () => {
    const page = await followed()
    expect(await answerTo(page, changeFollowing, { follow: 'yes' })).toContain('You are following request')
    expect(await answerTo(page, changeFollowing, { follow: 'no' })).toContain('You are no longer following')
  })
})

describe('the page of a move', () => {
  test('takes a message and a withdrawal', async () => {
    const { requester } = await moved()
    expect(await answerTo(requester, moveCase.message, { message: 'We arrive at noon.' })).toContain(
      'We arrive at noon.',
    )
    const html = await answerTo(requester, withdrawMove, {})
    expect(html).toContain('<span>Withdrawn</span>')
    expect(html).not.toContain('Withdraw move request')
  })

  test('shows the owner’s answer, and takes it once', async () => {
    const { owner: page } = await moved()
    const answer = { [FORM_CALL]: answerAsOwner.path, agrees: 'yes', signed: 'Olga Owner' }
    const refused = await send(page, { ...answer, signed: '', standsIn: 'on' })
    expect(refused.statusCode).toBe(422)
    expect(refused.body).toContain('Enter your full name.')
    expect(refused.body).toMatch(/<option value="yes" selected/)
    expect(refused.body).toMatch(/<input(?=[^>]*name="standsIn")[^>]*checked/)
    const taken = await send(page, { ...answer, standsIn: 'on' })
    expect(taken.body).toContain('We have recorded that you agree to this move.')
    const { rows } = await owner.query(
      'SELECT owner_answer, owner_covers_vacancy FROM move_request ORDER BY id DESC LIMIT 1',
    )
    expect(rows).toEqual([{ owner_answer: 'agreed', owner_covers_vacancy: true }])
    expect((await send(page, { ...answer, agrees: 'no' })).statusCode).toBe(409)
    expect(await pageOf(page)).toContain('You have already agreed.')
  })
})

test('takes a message and the withdrawal of a form', async () => {
  const page = await submitted()
  expect(await answerTo(page, submissionCase.message, { message: 'The street is closed.' })).toContain(
    'The street is closed.',
  )
  expect(await answerTo(page, withdrawForm, {})).toContain('This form is closed.')
})

test('takes a typed signature only from the named signer', async () => {
  const page = await pagePathOf('/forms-documents/sign/{token}')
  const sign = (typed: string, more: Record<string, string>) =>
    send(page, { [FORM_CALL]: signForm.path, [TYPED]: typed, ...more })
  const unchecked = await sign('Bea Finch', {})
  expect(unchecked.statusCode).toBe(422)
  expect(unchecked.body).toContain('Check this box to sign.')
  expect(unchecked.body).toContain('value="Bea Finch"')
  const another = await sign('Cy Moss', { agreed: 'on' })
  expect(another.statusCode).toBe(422)
  expect(another.body).toMatch(/<input(?=[^>]*name="signature.typed")[^>]*aria-invalid="true"/)
  expect(another.body).toMatch(/<input(?=[^>]*name="agreed")[^>]*checked/)
})

describe('an open item of a payment type', () => {
  const page = '/pay/property-tax'

  test('opens if a guest finds it', async () => {
    const { rows } = await owner.query(
      `SELECT item_number AS named, amount_cents FROM general_charge
       WHERE status = 'open' AND item_key IS NOT NULL AND paid_cents = 0 AND type_id IN (
         SELECT id FROM payment_type WHERE title = 'Property tax') LIMIT 1`,
    )
    const { named, amount_cents: cents } = rows[0]
    const sent = await send(page, { named, proof: (Number(cents) / 100).toFixed(2) })
    expect(sent.headers.location).toMatch(/^\/guest\/payment\/[\w-]{43}$/)
  })

  test('is not named if the proof is wrong', async () => {
    const { body } = await send(page, { named: '12-034-567', proof: '1.00' })
    expect(body).toContain('No notice matches your entries.')
    expect(body).toContain('value="12-034-567"')
  })
})

test('opens the bill that a guest finds', async () => {
  const response = await send('/guest-utility-payment', bill)
  expect([response.statusCode, response.headers.location]).toEqual([
    303,
    expect.stringMatching(/^\/guest\/payment\/[\w-]{43}$/),
  ])
})

test('shows a sentence for a bill that does not exist', async () => {
  const missing = await send('/guest-utility-payment', { ...bill, zip: '17099' })
  expect(missing.statusCode).toBeGreaterThanOrEqual(400)
  expect(missing.body).toContain('No bill matches your entries.')
  expect(missing.body).toContain('value="17099"')
})

test('sends a support request once, even if its button is pressed twice', async () => {
  const key = keyIn(await pageOf('/support'))
  const numbers = []
  for (let n = 0; n < 2; n++)
    numbers.push(/Request (S\d+)/.exec((await send('/support', { ...request, idempotencyKey: key })).body)?.[1])
  expect(numbers[0]).toMatch(/^S\d+$/)
  expect(numbers[1]).toBe(numbers[0])
  expect(keyIn(await pageOf('/support'))).not.toBe(key)
})

test.each([
  ['the header of the browser', { 'sec-fetch-site': 'cross-site' }],
  ['another part of this site', { 'sec-fetch-site': 'same-site' }],
  ['an origin', { 'sec-fetch-site': undefined, origin: 'https://elsewhere.example' }],
  ['an origin that is no URL', { 'sec-fetch-site': undefined, origin: 'null' }],
])('ignores a form of another site, known by %s', async (_by, { 'sec-fetch-site': site, ...headers }) => {
  const forged = await app.inject({
    method: 'POST',
    url: '/guest-utility-payment',
    headers: { host: HOST, 'content-type': FORM, ...(site && { 'sec-fetch-site': site }), ...headers },
    payload: new URLSearchParams(bill).toString(),
  })
  expect(forged.statusCode).toBe(403)
  expect(forged.body).toContain('Another site sent this form')
})

test('accepts a form of the same origin from a browser that does not name the site', async () => {
  const headers = { host: HOST, 'content-type': FORM, origin: `http://${HOST}` }
  const own = await app.inject({
    method: 'POST',
    url: '/guest-utility-payment',
    headers,
    payload: new URLSearchParams(bill).toString(),
  })
  expect(own.statusCode).toBe(303)
})

test('refuses a form that is too large, and a form on a host without it', async () => {
  expect((await send('/support', { message: 'x'.repeat(70_000) })).statusCode).toBe(413)
  expect((await send('/support', request, { host: 'admin.localhost' })).statusCode).toBe(404)
})

test('shows the responses of its calls without a call of the browser', async () => {
  const html = await pageOf('/frequently-asked-questions?search=trash')
  expect(html).toContain('best match first')
  expect(html).toContain('"path":"search/faqs","body":{"text":"trash"}')
})
