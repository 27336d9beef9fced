import { beforeAll, describe, expect, test } from 'vitest'
import { type TestPortal, testPortal } from '../../test/harness.ts'

const MAPLE = 'maplegrove.localhost'
const ADMIN = 'admin.localhost'
const RESIDENT = 'resident@maplegrove.example'

let portal: TestPortal
let [superToken, callcenter] = ['', '']
let maple = 0
let residentId = 0

beforeAll(async () => {
  portal = await testPortal({ demo: true })
  superToken = await portal.signIn(ADMIN, 'super@mainstreet.example')
  callcenter = await portal.signIn(ADMIN, 'callcenter@mainstreet.example')
  maple = (await portal.post(MAPLE, 'return/company/id', { subdomain: 'maplegrove' })).body.company.id
  const { rows } = await portal.owner.query('SELECT id FROM person WHERE email = $1', [RESIDENT])
  residentId = Number(rows[0].id)
}, 120_000)

interface Row {
  id: number
  company: string
  companyId: number
  user_id: number | null
  name: string
  email: string
  serviceAddress: string
  phone: string
  accountNumbers: string[]
  role: string
  can: Record<string, boolean>
}

const callApi = (filters: object, more: object = {}, token = superToken) =>
  portal.post(ADMIN, 'admin/look/up/customers', { direction: 'asc', filters, ...more }, { token })
const rows = async (filters: object, more: object = {}): Promise<Row[]> => (await callApi(filters, more)).body.rows

describe('customers of all companies', () => {
  test('finds them by each field, and by several together', async () => {
    const [one] = await rows({ email: RESIDENT })
    expect(one).toMatchObject({ company: 'Maple Grove', user_id: residentId, email: RESIDENT })
    if (!one) return
    const account = one.accountNumbers[0] ?? ''
    for (const filters of [
      { accountNumber: account },
      { name: one.name.slice(0, 5).toUpperCase(), accountNumber: account },
      { serviceAddress: one.serviceAddress.slice(2), accountNumber: account },
      { phone: one.phone.slice(-7), accountNumber: account },
      { email: 'resident@maple', accountNumber: account },
    ])
      expect(
        (await rows(filters)).map(({ id }) => id),
        JSON.stringify(filters),
      ).toContain(one.id)
    expect(await rows({ accountNumber: account, name: 'nobody like that' })).toEqual([])
  })

  test('finds the words of a name in any order', async () => {
    const [one] = await rows({ email: RESIDENT })
    const name = one?.name.split(' ').toReversed().join('  ')
    expect((await rows({ name, accountNumber: one?.accountNumbers[0] })).map(({ id }) => id)).toContain(one?.id)
  })

  test('returns several companies, each with its name', async () => {
    const companies = new Set<string>()
    let cursor: string | undefined
    for (let n = 0; n < 30; n++) {
      const { body } = await callApi({ serviceAddress: 'street' }, { pageSize: 100, cursor })
      for (const { company } of body.rows) companies.add(company)
      if (!(cursor = body.next)) break
    }
    expect(companies.size).toBeGreaterThan(1)
  })

  test('pages in both directions without gaps, in both orders', async () => {
    for (const direction of ['asc', 'desc']) {
      const first = (await callApi({ name: 'son' }, { direction, pageSize: 5 })).body
      const second = (await callApi({ name: 'son' }, { direction, pageSize: 5, cursor: first.next })).body
      const names = [...first.rows, ...second.rows].map(({ name }: Row) => name.toLowerCase())
      expect(names).toEqual([...names].sort((a, b) => (direction === 'asc' ? 1 : -1) * (a < b ? -1 : a > b ? 1 : 0)))
      expect(new Set([...first.rows, ...second.rows].map(({ id }: Row) => id)).size).toBe(names.length)
      expect((await callApi({ name: 'son' }, { direction, pageSize: 5, cursor: second.previous })).body.rows).toEqual(
        first.rows,
      )
      expect(first.count).toBeGreaterThanOrEqual(names.length)
    }
  })

  test('finds residents without an account on request', async () => {
    const [newcomer] = await rows({ profiles: true, email: 'newcomer@' })
    expect(newcomer).toMatchObject({ email: 'newcomer@maplegrove.example', accountNumbers: [], role: 'Resident' })
    expect(await rows({ profiles: true, email: RESIDENT })).toEqual([])
  })

  test('requires at least three letters', async () => {
    for (const filters of [{}, { name: 'jo' }, { mode: 'user', name: 'resident' }])
      expect(await rows(filters)).toEqual([])
  })

  test('treats %, _ and quotes literally', async () => {
    for (const name of ['%%%', '___', "o'; DROP TABLE person; --", '\\\\\\']) expect(await rows({ name })).toEqual([])
  })
})

describe('users of a company', () => {
  test('lists its residents and staff with their roles', async () => {
    const users = await rows({ mode: 'user', companyId: maple, email: '@maplegrove.example' }, { pageSize: 100 })
    const byEmail = new Map(users.map((row) => [row.email, row]))
    expect(byEmail.get(RESIDENT)).toMatchObject({ role: 'Resident', can: { impersonate: true, unlock: true } })
    expect(byEmail.get('admin@maplegrove.example')).toMatchObject({
      role: 'Municipality Admin',
      can: { impersonate: false, unlock: true },
    })
    expect(users.every(({ companyId }) => companyId === maple)).toBe(true)
  })

  test('finds them by the number of a linked account', async () => {
    const [resident] = await rows({ mode: 'user', companyId: maple, email: RESIDENT })
    const [byNumber] = await rows({ mode: 'user', companyId: maple, accountNumber: resident?.accountNumbers[0] })
    expect(byNumber?.id).toBe(residentId)
  })
})

describe('actions for them', () => {
  const step = (path: string, personId: number, token = superToken) =>
    portal.post(ADMIN, path, { companyId: maple, personId }, { token })

  test('unlocks an account and ends the wait after wrong passwords', async () => {
    await portal.owner.query('UPDATE person SET locked_at = now() WHERE id = $1', [residentId])
    for (let n = 0; n < 6; n++) await portal.post(MAPLE, 'login', { email: RESIDENT, password: 'not this one' })
    expect((await portal.post(MAPLE, 'login', { email: RESIDENT, password: 'Maple-Grove#2026' })).status).toBe(429)
    expect((await rows({ email: RESIDENT }))[0]).toMatchObject({ status: 'locked', can: { impersonate: false } })
    expect((await step('admin/unlock/user', residentId)).body.message).toMatch(/can sign in again\.$/)
    expect((await portal.post(MAPLE, 'login', { email: RESIDENT, password: 'Maple-Grove#2026' })).status).toBe(200)
  })

  test('resends the link that confirms an email, a few times', async () => {
    const email = 'waiting@example.org'
    const form = { first_name: 'Wait', last_name: 'Ing', email, password: 'Quarry-Lantern#41' }
    const { body } = await portal.post(MAPLE, 'sign-up', form)
    const id = body.session.user.id
    const [row] = await rows({ profiles: true, email })
    expect(row).toMatchObject({ confirmed: false, can: { resend: true } })
    expect((await step('admin/send/confirmation/email', id)).body.message).toContain(email)
    expect((await portal.emails()).filter(({ to_address }) => to_address === email)).toHaveLength(2)
    expect((await step('admin/send/confirmation/email', residentId)).status).toBe(409)
  })

  test('rejects callers without the privilege, and people of other companies', async () => {
    expect((await step('admin/unlock/user', residentId, callcenter)).status).toBe(403)
    const harbor = await portal.owner.query(`SELECT id FROM person WHERE email = 'resident@harborcity.example'`)
    expect((await step('admin/unlock/user', Number(harbor.rows[0].id))).status).toBe(404)
    const admin = await portal.signIn(MAPLE, 'admin@maplegrove.example')
    expect((await portal.post(MAPLE, 'admin/look/up/customers', { filters: {} }, { token: admin })).status).toBe(403)
  })
})
