import { describe, expect, it, test } from 'vitest'
import { rights } from '../shared/privileges.ts'
import { testDatabase, testPortal } from '../test/harness.ts'

const MAPLE = 'maplegrove.localhost'
const HARBOR = 'harborcity.localhost'
const portal = await testPortal({ database: await testDatabase({ demo: true }) })

/** Everyday phrases that residents type, each with the page that the search should find for it. */
const phrases: readonly (readonly [string, string])[] = [
  ['rent a pavilion', '/resource-rentals/'],
  ['reserve the picnic shelter', '/resource-rentals/'],
  ['book a room for a birthday party', '/resource-rentals'],
  ['register my household', '/register-property?new=1'],
  ['register my family', '/register-property?new=1'],
  ['register my business', '/register-property?new=2'],
  ['landlord registration', '/register-property?new=3'],
  ['start water service', '/relocate/move-in'],
  ['turn off my water', '/relocate/move-out'],
  ['I am moving to another apartment', '/relocate/move-within'],
  ['moving', '/relocate'],
  ['pay my water bill', '/utility-portal'],
  ['how much water do I use', '/utility-portal'],
  ['pay property tax', '/pay'],
  ['report a pothole', '/communication/new?category='],
  ['streetlight is out', '/communication/new?category='],
  ['sign up for alerts', '/alerts?choose=1'],
  ['emergency alerts', '/alerts'],
  ['business license', '/forms-documents/'],
  ['dog license', '/forms-documents/'],
  ['parade permit', '/forms-documents/'],
  ['registr my houshold', '/register-property?new=1'],
  ['rent a pavillion', '/resource-rentals/'],
]

test('finds pages by everyday phrases', async () => {
  const token = await portal.signIn(MAPLE, 'resident@maplegrove.example')
  const missed: string[] = []
  for (const [text, path] of phrases) {
    const { body } = await portal.post(MAPLE, 'search/faqs', { text }, { token })
    const otherPaths = body.others.map((one: { title: string; path: string }) => one.path)
    if (!otherPaths.slice(0, 5).some((one: string) => one.startsWith(path)))
      missed.push(`${text}: ${JSON.stringify(body.others)}`)
  }
  expect(missed).toEqual([])
})

test('finds nothing of a module that the company has disabled', async () => {
  const paths = async () => {
    const { body } = await portal.post(MAPLE, 'search/faqs', { text: 'rent a pavilion' })
    return body.others.map((one: { path: string }) => one.path).filter((path: string) => path.startsWith('/resource'))
  }
  expect(await paths()).not.toEqual([])
  const turnOff = async (urls: string[]) => {
    await portal.owner.query(`UPDATE company SET modules_off = $1 WHERE subdomain = 'maplegrove'`, [urls])
    portal.context.hosts.forget()
  }
  await turnOff(['/resource-rentals'])
  expect(await paths()).toEqual([])
  await turnOff([])
})

describe('open items of a resident', () => {
  const ongoingItems = async (token: string) => {
    const { status, body } = await portal.post(MAPLE, 'return/my/matters', {}, { token })
    expect(status, body.message).toBe(200)
    return body.ongoingItems as {
      kind: string
      id: number
      title: string
      state: { kind: string }
      path: string | null
    }[]
  }

  it('lists items of all features, with those needing attention first', async () => {
    const own = await ongoingItems(await portal.signIn(MAPLE, 'resident@maplegrove.example'))
    expect(new Set(own.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(3)
    const awaitingStaff = own.map(({ state }) => state.kind === 'attention')
    expect(awaitingStaff).toEqual(awaitingStaff.toSorted((a, b) => Number(b) - Number(a)))
  })

  it('opens each item by its path or by a link for its owner', async () => {
    const [resident, newcomer] = await Promise.all(
      ['resident@maplegrove.example', 'newcomer@maplegrove.example'].map((email) => portal.signIn(MAPLE, email)),
    )
    const linked = (await ongoingItems(resident ?? '')).find(({ path }) => path === null)
    const open = (token = '') => portal.post(MAPLE, 'open/my/matter', { kind: linked?.kind, id: linked?.id }, { token })
    expect((await open(resident)).body.path).toMatch(/^\/[a-z/-]+\/[\w-]{20,}$/)
    expect((await open(newcomer)).status).toBe(404)
    expect(
      (await ongoingItems(newcomer ?? '')).filter(({ id, kind }) => id === linked?.id && kind === linked.kind),
    ).toEqual([])
  })

  it('includes a registration draft until it is sent or discarded', async () => {
    const token = await portal.signIn(MAPLE, 'newcomer@maplegrove.example')
    const loadDrafts = async () => (await ongoingItems(token)).filter(({ kind }) => kind === 'registration_draft')
    expect(await loadDrafts()).toEqual([])
    const { body } = await portal.post(MAPLE, 'return/new/registration', { kind: 2 }, { token })
    const raw = { business_name: 'Grove Bakery' }
    await portal.post(MAPLE, 'save/registration/draft', { kind: 2, version: body.version, raw }, { token })
    expect(await loadDrafts()).toMatchObject([{ title: 'Registration: Business', path: '/register-property?new=2' }])
  })
})

describe('counts of submissions that await staff', () => {
  const awaitingStaff = async (email: string, host = MAPLE) => {
    const { status, body } = await portal.post(
      host,
      'muni/return/pending/work',
      {},
      { token: await portal.signIn(host, email) },
    )
    expect(status, body.message).toBe(200)
    return body.awaitingStaff as { label: string; count: number; to: string }[]
  }
  const lists: Record<string, string> = {
    '/municipality/manage/customer-communication': 'muni/return/communications',
    '/municipality/reports/forms-and-docs': 'muni/return/form/submissions',
    '/municipality/reports/move-in-out': 'muni/return/moves',
    '/municipality/reports/registration': 'muni/return/registrations',
    '/municipality/manage/manage-resource-rentals': 'muni/return/rentals',
    '/municipality/manage/alerts': 'muni/return/alerts',
    '/municipality/manage/alerts/sources': 'muni/return/received/alerts',
    '/municipality/reports/exceptions': 'muni/return/recon/exceptions',
    '/municipality/reports/payments': 'muni/return/payment/transactions',
  }

  it('equals the count of the list it links to', async () => {
    const counts = new Map<string, number>()
    for (const [host, email] of [
      [MAPLE, 'admin@maplegrove.example'],
      [HARBOR, 'admin@harborcity.example'],
    ] as const) {
      const token = await portal.signIn(host, email)
      for (const { to, count } of await awaitingStaff(email, host)) {
        const { pathname, searchParams } = new URL(to, 'http://town.example')
        const filters = Object.fromEntries(
          [...searchParams].map(([name, value]) => [
            name,
            // A flag in a URL is either 1 or absent.
            /^\d+$/.test(value) ? (name === 'status' ? Number(value) : value === '1') : value,
          ]),
        )
        const { body } = await portal.post(host, lists[pathname] ?? '', { filters }, { token })
        expect([host, to, body.count]).toEqual([host, to, count])
        counts.set(pathname, (counts.get(pathname) ?? 0) + count)
      }
    }
    // For each of these lists, at least one demo company must have a count above zero.
    expect([...counts.keys()].toSorted()).toEqual(Object.keys(lists).toSorted())
    expect([...counts.values()].filter((count) => count === 0)).toEqual([])
  })

  it('shows only counts that the person may view', async () => {
    const set = (privileges: object) =>
      portal.owner.query(`UPDATE person SET privileges = $1 WHERE email = 'staff@maplegrove.example' RETURNING id`, [
        JSON.stringify(privileges),
      ])
    const none = {
      ...{
        manage_others_forms: 0,
        manage_other_move_in_out: 0,
        manage_other_registrations: 0,
        manage_other_payments: 0,
        communication_management: 0,
        transaction_management: 0,
      },
    }
    expect((await set({ ...none, manage_other_move_in_out: rights.view })).rows).toHaveLength(1)
    expect((await awaitingStaff('staff@maplegrove.example')).map(({ label }) => label)).toEqual(['Moves to complete'])
    await set(none)
    expect(await awaitingStaff('staff@maplegrove.example')).toEqual([])
    const resident = await portal.signIn(MAPLE, 'resident@maplegrove.example')
    expect((await portal.post(MAPLE, 'muni/return/pending/work', {}, { token: resident })).status).toBe(403)
  })
})
