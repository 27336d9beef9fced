import { beforeAll, describe, expect, test } from 'vitest'
import { type TestPortal, testPortal } from '../../test/harness.ts'
import { NO_PROFILE } from './list.ts'

const MAPLE = 'maplegrove.localhost'

interface Row {
  id: number
  name: string
  email: string
  accountNumber: string
  phone: string
  serviceAddress: string
  linkedAccounts: string
  can: { impersonate: boolean }
}

let portal: TestPortal
const tokens: Record<string, string> = {}

beforeAll(async () => {
  portal = await testPortal({ demo: true })
  for (const who of ['staff', 'admin', 'resident'])
    tokens[who] = await portal.signIn(MAPLE, `${who}@maplegrove.example`)
})

const ask = async (body: object, who = 'admin') => {
  const asked = { filters: {}, direction: 'asc', ...body }
  return portal.post(MAPLE, 'muni/return/utility/customers', asked, { token: tokens[who] ?? '' })
}
const rowsOf = async (body: object, who?: string): Promise<Row[]> => (await ask(body, who)).body.rows

describe('the list of utility customers', () => {
  test('pages by key, forward and back, each row once', async () => {
    const seen: number[] = []
    let cursor: string | undefined
    let previous = ''
    for (let page = 0; page < 4; page++) {
      const { body } = await ask({ cursor, pageSize: 25 })
      seen.push(...body.rows.map(({ id }: Row) => id))
      cursor = body.next
      previous = body.previous
    }
    expect(new Set(seen).size).toBe(100)
    const back = await rowsOf({ cursor: previous, pageSize: 25 })
    expect(back.map(({ id }) => id)).toEqual(seen.slice(50, 75))
  })

  test('shows who has a profile, with all of their accounts; the clerk without the right sees no more than that', async () => {
    const [row] = await rowsOf({ filters: { accountNumber: '100014' } })
    expect(row).toMatchObject({ accountNumber: '100014', email: 'resident@maplegrove.example' })
    expect(row?.linkedAccounts).toContain('100014')
    expect(row?.can.impersonate).toBe(true)
    const [seen] = await rowsOf({ filters: { accountNumber: '100014' } }, 'staff')
    expect(seen?.can.impersonate).toBe(false)
    const without = (await rowsOf({ pageSize: 100 })).filter(({ email }) => email === NO_PROFILE)
    expect(without.length).toBeGreaterThan(0)
    expect(without.some(({ can }) => can.impersonate)).toBe(false)
  })

  test('is searched by each field, and by anything', async () => {
    const row = (await rowsOf({ filters: { accountNumber: '100014' } }))[0] as Row
    const part = (text: string) => text.slice(1, 7).toUpperCase()
    for (const filters of [
      { name: part(row.name) },
      { serviceAddress: part(row.serviceAddress) },
      { email: 'RESIDENT@maple' },
      ...(row.phone ? [{ phone: `${row.phone.slice(0, 3)}-${row.phone.slice(3, 6)}-${row.phone.slice(6)}` }] : []),
    ])
      expect((await rowsOf({ filters, pageSize: 100 })).map(({ id }) => id)).toContain(row.id)
    for (const search of ['100014', row.name, 'resident@maplegrove'])
      expect((await rowsOf({ search })).map(({ id }) => id)).toContain(row.id)
    expect(await rowsOf({ filters: { name: '%' } })).toEqual([])
    expect(await rowsOf({ filters: { name: row.name, accountNumber: 'no such' } })).toEqual([])
  })

  test('finds the words of a name, and of anything, in any order', async () => {
    const row = (await rowsOf({ filters: { accountNumber: '100014' } }))[0] as Row
    const turned = row.name.split(' ').toReversed().join('  ')
    for (const question of [
      { filters: { name: turned } },
      { search: turned },
      { search: `resident@ 100014 ${turned}` },
    ])
      expect(
        (await rowsOf(question)).map(({ id }) => id),
        JSON.stringify(question),
      ).toContain(row.id)
    const profiles = { filters: { profiles: true, name: 'Nobody Newcomer' } }
    expect(await rowsOf(profiles)).toEqual([])
    const [newcomer] = await rowsOf({ filters: { profiles: true, email: 'newcomer@' } })
    const name = newcomer?.name.split(' ').toReversed().join(' ')
    for (const question of [
      { filters: { profiles: true, name } },
      { search: `${name} newcomer@`, filters: { profiles: true } },
    ])
      expect(
        (await rowsOf(question)).map(({ id }) => id),
        JSON.stringify(question),
      ).toContain(newcomer?.id)
  })

  test('finds profiles without an account', async () => {
    const rows = await rowsOf({ filters: { profiles: true } })
    expect(rows.map(({ email }) => email)).toContain('newcomer@maplegrove.example')
    expect(rows.map(({ email }) => email)).not.toContain('resident@maplegrove.example')
    const [found] = await rowsOf({ filters: { profiles: true, email: 'newcomer' } })
    expect(found).toMatchObject({
      email: 'newcomer@maplegrove.example',
      linkedAccounts: '',
      can: { impersonate: true },
    })
  })

  test('refuses a made-up page, and residents', async () => {
    const cursor = Buffer.from(JSON.stringify(['a\0b', 1, 0])).toString('base64url')
    expect((await ask({ cursor })).status).toBe(400)
    expect((await ask({}, 'resident')).status).toBe(403)
  })

  test('exports what matches, as CSV', async () => {
    const { body } = await portal.post(
      MAPLE,
      'muni/export/utility/customers',
      { direction: 'asc', filters: { email: 'resident@' } },
      { token: tokens['staff'] ?? '' },
    )
    const { body: csv } = await portal.get(MAPLE, body.url)
    const lines = String(csv).trim().split('\n')
    expect(lines[0]).toBe('Name,Email,Service Address,Phone,Account Number,Linked Accounts')
    expect(lines[1]).toContain('resident@maplegrove.example')
  })
})
