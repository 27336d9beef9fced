import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { harborCity } from '../../database/towns/harbor-city.ts'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { deleteExpired } from '../../server/delete-expired.ts'
import { type ApiResponse, testClock, testPortal } from '../../test/harness.ts'
import { openTestCompany } from '../../test/company.ts'
import type { FaqForm } from './contract-staff.ts'
import { paragraphsOf } from '../../shared/rich-text.ts'

const MAPLE = 'maplegrove.localhost'
const HARBOR = 'harborcity.localhost'
const DAY = 86_400_000
const clock = testClock('2026-11-20T15:00:00Z')
const portal = await testPortal({ clock, env: { TRUST_PROXY: 'loopback' } })
let token = ''
let guests = 0
let pets = 0

beforeAll(async () => {
  const maple = await openTestCompany(portal, mapleGrove)
  await openTestCompany(portal, { ...harborCity, modulesOff: [] })
  token = await portal.signIn(MAPLE, 'admin@maplegrove.example')
  pets = await category('Pets')
  await portal.owner.query(
    `UPDATE company_service SET name = 'Pay a Bill', description = 'Pay water and taxes', url = '/pay-bills', is_active = 1
     WHERE company_id = $1 AND id = (SELECT min(id) FROM company_service WHERE company_id = $1)`,
    [maple],
  )
})
beforeEach(() => portal.owner.query('DELETE FROM failed_guess'))

/** Advances the clock and signs in again, because sessions do not last for days. */
async function later(ms: number): Promise<void> {
  clock.advance(ms)
  token = await portal.signIn(MAPLE, 'admin@maplegrove.example')
}

const staff = (path: string, body: object = {}): Promise<ApiResponse> =>
  portal.post(MAPLE, path, body, { token, headers: { 'idempotency-key': randomUUID() } })
/** Calls the API as a guest from a new IP address. With `guestIndex`, uses the address of an earlier guest. */
const guest = (path: string, body: object = {}, host = MAPLE, guestIndex = (guests += 1)): Promise<ApiResponse> =>
  portal.post(host, path, body, {
    headers: { 'x-forwarded-for': `10.7.${guestIndex >> 8}.${guestIndex & 255}`, 'idempotency-key': randomUUID() },
  })

const form = (more: Partial<FaqForm> = {}): FaqForm => ({
  categoryId: String(pets),
  question: 'May I keep chickens?',
  answer: paragraphsOf('Four hens, and no rooster.'),
  alternatives: '',
  visibleFrom: '',
  visibleUntil: '',
  ...more,
})
async function category(name: string): Promise<number> {
  return (await staff('muni/save/faq/category', { categoryId: null, name })).body.categoryId
}
async function write(more: Partial<FaqForm> = {}, searchId: number | null = null): Promise<number> {
  const { status, body } = await staff('muni/write/faq/question', { form: form(more), searchId })
  expect(status, body.message).toBe(200)
  return body.faqId
}
const step = (faqId: number, event: string) => staff('muni/change/faq/question/status', { faqId, event })
async function publish(more: Partial<FaqForm> = {}): Promise<number> {
  const faqId = await write(more)
  expect((await step(faqId, 'publish')).status).toBe(200)
  return faqId
}
const seen = async (): Promise<string[]> =>
  (await guest('return/faqs')).body.categories.flatMap(({ faqs }: { faqs: { question: string }[] }) =>
    faqs.map(({ question }) => question),
  )
const listed = async (filters: object = {}) => (await staff('muni/return/faq/questions', { filters })).body.rows
const missing = async (): Promise<{ id: number; query: string; times: number }[]> =>
  (await staff('muni/return/faq/searches', { pageSize: 100 })).body.rows

describe('FAQ', () => {
  it('is visible to residents only while published and on its days', async () => {
    const question = 'When do we count the geese?'
    const faqId = await write({ question, visibleFrom: '2026-11-22', visibleUntil: '2026-11-23' })
    const loadStatus = async () =>
      (await listed()).find(({ id }: { id: number }) => id === faqId)?.status as string | undefined
    expect([await loadStatus(), await seen()]).toEqual(['draft', expect.not.arrayContaining([question])])
    await step(faqId, 'publish')
    expect([await loadStatus(), await seen()]).toEqual(['planned', expect.not.arrayContaining([question])])
    await later(3 * DAY)
    expect([await loadStatus(), await seen()]).toEqual(['visible', expect.arrayContaining([question])])
    await later(DAY)
    expect([await loadStatus(), await seen()]).toEqual(['ended', expect.not.arrayContaining([question])])
    expect((await listed({ status: 'ended' })).map(({ id }: { id: number }) => id)).toEqual([faqId])
    expect((await step(faqId, 'withdraw')).status).toBe(200)
    expect((await step(faqId, 'withdraw')).status).toBe(409)
  })

  it('is removed only as a draft', async () => {
    const faqId = await publish({ question: 'Is it removed at once?' })
    expect((await staff('muni/remove/faq/question', { faqId })).status).toBe(409)
    await step(faqId, 'withdraw')
    expect((await staff('muni/remove/faq/question', { faqId })).status).toBe(200)
    expect((await staff('muni/return/faq/question', { faqId })).status).toBe(404)
  })

  it.each([
    ['a picture', { type: 'image', attrs: { src: 'https://example.org/a.png' } }],
    ['another level of headings', { type: 'heading', attrs: { level: 1 }, content: [{ type: 'text', text: 'Hi' }] }],
    [
      'a link that runs a script',
      {
        type: 'paragraph',
        content: [{ type: 'text', text: 'Hi', marks: [{ type: 'link', attrs: { href: 'javascript:alert(1)' } }] }],
      },
    ],
    ['an attribute that nobody knows', { type: 'paragraph', attrs: { style: 'color: red' } }],
    [
      'a list within a list',
      { type: 'bulletList', content: [{ type: 'listItem', content: [{ type: 'bulletList', content: [] }] }] },
    ],
    ['nothing but spaces', { type: 'paragraph', content: [{ type: 'text', text: '  ' }] }],
  ])('rejects an answer with %s', async (_what, block) => {
    const answer = { type: 'doc', content: [block] } as never
    const refused = await staff('muni/write/faq/question', { form: form({ answer }), searchId: null })
    expect([refused.status, Object.keys(refused.body.details?.fields ?? {})]).toEqual([400, ['form.answer']])
  })

  it('keeps its last day after its first, even after separate edits', async () => {
    const refused = await staff('muni/write/faq/question', {
      form: form({ visibleFrom: '2027-01-02', visibleUntil: '2027-01-01' }),
      searchId: null,
    })
    expect(refused.status).toBe(400)
    const faqId = await write({ question: 'When does the pool open?', visibleFrom: '2027-01-01' })
    const opened = (await staff('muni/return/faq/question', { faqId })).body.form
    const save = (more: object) =>
      staff('muni/save/faq/question', { faqId, form: { ...opened, ...more }, basis: opened })
    expect((await save({ visibleFrom: '2027-03-01' })).status).toBe(200)
    expect((await save({ visibleUntil: '2027-02-01' })).status).toBe(422)
  })
})

describe('order of FAQs', () => {
  it('matches the residents’ view, with moved questions last', async () => {
    const [fish, birds] = [await category('Fish'), await category('Birds')]
    const inFish = { categoryId: String(fish) }
    const a = await publish({ ...inFish, question: 'May I fish here?' })
    const b = await publish({ ...inFish, question: 'May I feed fish?' })
    const c = await publish({ categoryId: String(birds), question: 'May I feed birds?' })
    const order = (categoryId: number | null, ids: number[]) =>
      staff('muni/order/faq/questions', { categoryId, order: ids })
    expect((await order(fish, [b, a])).status).toBe(200)
    expect((await order(null, [birds, fish, pets])).status).toBe(200)
    expect((await seen()).slice(0, 3)).toEqual(['May I feed birds?', 'May I feed fish?', 'May I fish here?'])
    const opened = (await staff('muni/return/faq/question', { faqId: c })).body.form
    await staff('muni/save/faq/question', { faqId: c, form: { ...opened, categoryId: String(fish) }, basis: opened })
    expect((await seen()).slice(0, 3)).toEqual(['May I feed fish?', 'May I fish here?', 'May I feed birds?'])
    const positions = (await listed({ categoryId: fish })).map(({ position }: { position: string }) => position)
    expect(positions).toEqual(['2.1', '2.2', '2.3'])
    expect((await staff('muni/remove/faq/category', { categoryId: birds })).status).toBe(200)
    expect((await staff('muni/remove/faq/category', { categoryId: fish })).body).toMatchObject({ code: 'in_use' })
  })

  it('ignores removed questions and appends unlisted ones', async () => {
    const shells = await category('Shells')
    const a = await write({ categoryId: String(shells), question: 'Shell one?' })
    const b = await write({ categoryId: String(shells), question: 'Shell two?' })
    expect((await staff('muni/order/faq/questions', { categoryId: shells, order: [999_999, b] })).status).toBe(200)
    const { categories } = (await staff('muni/return/faq/categories')).body
    const { faqs } = categories.find(({ id }: { id: number }) => id === shells)
    expect(faqs.map(({ id }: { id: number }) => id)).toEqual([b, a])
  })

  it('rejects duplicate category names', async () => {
    await category('Trees')
    const second = await staff('muni/save/faq/category', { categoryId: null, name: 'TREES' })
    expect([second.status, second.body.details.fields]).toEqual([
      422,
      { name: 'A category with this name already exists.' },
    ])
  })
})

describe('feedback on an answer', () => {
  it('is counted anonymously for visible answers, with a limit per address', async () => {
    const faqId = await publish({ question: 'Does this help at all?' })
    const draft = await write({ question: 'Is this a draft?' })
    const sendFeedback = (helped: boolean, guestIndex?: number) =>
      guest('report/faq/helped', { faqId, helped }, MAPLE, guestIndex)
    for (const helped of [true, true, false]) expect((await sendFeedback(helped, 900)).status).toBe(200)
    expect((await sendFeedback(false, 900)).status).toBe(429)
    expect((await sendFeedback(true)).status).toBe(200)
    expect((await guest('report/faq/helped', { faqId: draft, helped: true })).status).toBe(404)
    expect((await guest('report/faq/helped', { faqId, helped: true }, HARBOR)).status).toBe(404)
    expect((await staff('muni/return/faq/question', { faqId })).body).toMatchObject({ helped: 3, notHelped: 1 })
  })
})

describe('searches without an answer', () => {
  it('are grouped for staff without identities until answered', async () => {
    for (const text of ['Kangaroos in gardens?', 'kangaroos  in GARDENS', 'kangaroos in gardens'])
      expect((await guest('search/faqs', { text })).body).toEqual({ matches: [], others: [], didYouMean: null })
    await guest('report/faq/missing', { text: 'call zoe@example.org or 717-555-0188 about a llama' })
    await guest('search/faqs', { text: '??' })
    const rows = await missing()
    expect(rows.map(({ query, times }) => [query, times])).toEqual([
      ['kangaroos in gardens', 3],
      ['call … or … about a llama', 1],
    ])
    const [first] = rows
    await write({ question: 'May I keep a kangaroo?', alternatives: first?.query ?? '' }, first?.id)
    expect((await missing()).map(({ query }) => query)).toEqual(['call … or … about a llama'])
    const searchId = (await missing())[0]?.id
    expect((await staff('muni/dismiss/faq/search', { searchId })).status).toBe(200)
    expect((await staff('muni/dismiss/faq/search', { searchId })).status).toBe(404)
  })

  it('belong to one company and are limited per address without blocking searches', async () => {
    for (let n = 0; n < 25; n += 1)
      expect((await guest('search/faqs', { text: `zzqx${n} wombats${n}` }, MAPLE, 901)).status).toBe(200)
    expect(await missing()).toHaveLength(20)
    const other = await portal.signIn(HARBOR, 'admin@harborcity.example')
    expect((await portal.post(HARBOR, 'muni/return/faq/searches', {}, { token: other })).body.rows).toEqual([])
  })

  it('are deleted after a year, together with feedback', async () => {
    const count = async () =>
      Promise.all(
        ['faq_missing', 'faq_helped'].map(async (table) => (await portal.owner.query(`SELECT FROM ${table}`)).rowCount),
      )
    expect((await count()).every((rows) => (rows ?? 0) > 0)).toBe(true)
    await later(367 * DAY)
    await deleteExpired(portal.context)
    expect(await count()).toEqual([0, 0])
  })
})

describe('other pages in the search', () => {
  const others = async (text: string, personToken?: string) => {
    const { body } = await portal.post(MAPLE, 'search/faqs', { text }, personToken ? { token: personToken } : {})
    return body.others.map(({ kind, title, path }: { kind: string; title: string; path: string }) => [
      kind,
      title,
      path,
    ])
  }

  it('lists services, payments and forms that the searcher may open', async () => {
    const payment = {
      ...{ category: 'licenses', description: '', glAccount: '321.9', amountKind: 'fixed', amountCents: 850 },
      ...{ minCents: null, maxCents: null, inParts: false, dueDate: '', opensOn: '', closesOn: '' },
      ...{ numberLabel: '', itemLabel: '', proof: 'amount' },
    }
    for (const [title, seenBy] of [
      ['Unicorn license', 'everyone'],
      ['Unicorn stable', 'signed_in'],
      ['Unicorn secret', 'link'],
    ]) {
      const made = await staff('muni/create/general/payment/type', { form: { ...payment, title, seenBy } })
      expect(made.status, made.body.message).toBe(200)
      await staff('muni/change/general/payment/type/status', { typeId: made.body.typeId, event: 'open' })
    }
    expect(await others('where do I get a unicorn')).toEqual([['payments', 'Unicorn license', '/pay/unicorn-license']])
    expect(await others('unicron')).toEqual([['payments', 'Unicorn license', '/pay/unicorn-license']])
    const resident = await portal.signIn(MAPLE, 'resident@maplegrove.example')
    expect((await others('unicorn', resident)).map(([, title]: string[]) => title).toSorted()).toEqual([
      'Unicorn license',
      'Unicorn stable',
    ])
    expect(await others('pay a bill')).toContainEqual(['services', 'Pay a Bill', '/pay-bills'])
  })

  it('finds them by the company’s synonyms', async () => {
    await staff('muni/save/faq/synonyms', { groups: ['unicorn monoceros'] })
    expect(await others('monoceros')).toEqual([['payments', 'Unicorn license', '/pay/unicorn-license']])
    await staff('muni/save/faq/synonyms', { groups: [] })
    expect(await others('monoceros')).toEqual([])
  })
})

it('ignores characters in a search that occur in no text', async () => {
  for (const text of ['is lead < 15 ppb safe?', '<b>water</b>', 'a > b'])
    expect((await guest('search/faqs', { text })).status).toBe(200)
})
