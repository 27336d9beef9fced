import { globSync, readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { mapleGrove } from '../database/towns/maple-grove.ts'
import { formCompanies } from '../features/form-library/list.ts'
import { addressTerms } from '../server/places/words.ts'
import { testPortal } from './harness.ts'
import { addTestPlatformStaff, openTestCompany, sendBills } from './company.ts'

/** Searches ignore accents and apostrophes in the search text and the data, and use an index. */

const HOST = 'maplegrove.localhost'
const portal = await testPortal()
const names = {
  S1: "Siobhan O'Connor",
  S2: 'Niamh O’Connor',
  S3: 'Maire Oʼconnor',
  S4: 'José Núñez',
  S5: 'Jose\u0301 Nun\u0303ez',
  S6: 'Zoë Řehoř-Šťastná',
  S7: 'Łukasz Żółć',
  S8: 'Nguyễn Thị Hường',
  S9: 'Jürgen Groß',
}
let token = ''
beforeAll(async () => {
  await openTestCompany(portal, mapleGrove)
  await sendBills(
    portal,
    Object.entries(names).map(([account, customer]) => ({ account, bill: `B${account}`, customer })),
  )
  token = await portal.signIn(HOST, 'admin@maplegrove.example')
})

const cases: [string, string[]][] = [
  ["O'Connor", ['S1', 'S2', 'S3']],
  ['O’Connor', ['S1', 'S2', 'S3']],
  ['oconnor', ['S1', 'S2', 'S3']],
  ['Jose Nunez', ['S4', 'S5']],
  ['JOSÉ NÚÑEZ', ['S4', 'S5']],
  ['Jose\u0301', ['S4', 'S5']],
  ['Zoe', ['S6']],
  ['rehor-stastna', ['S6']],
  ['Lukasz Zolc', ['S7']],
  ['nguyen thi huong', ['S8']],
  ['gross', ['S9']],
  ['groß', ['S9']],
  ['Nunez%', []],
]

describe.each([
  [
    'utility customers',
    async (search: string) => {
      const { body } = await portal.post(HOST, 'muni/return/utility/customers', { search }, { token })
      return (body.rows as { accountNumber: string }[]).map(({ accountNumber }) => accountNumber)
    },
  ],
  [
    'utility customers by name',
    async (search: string) => {
      const { body } = await portal.post(
        HOST,
        'muni/return/utility/customers',
        { filters: { name: search } },
        { token },
      )
      return (body.rows as { accountNumber: string }[]).map(({ accountNumber }) => accountNumber)
    },
  ],
  [
    'the counter',
    async (search: string) => {
      const { body } = await portal.post(HOST, 'muni/find/counter/payables', { search }, { token })
      return (body.matches as { reference: string }[]).map(({ reference }) => reference)
    },
  ],
])('uses the index for a search in %s', (_, find) => {
  test.each(cases)('finds all spellings of %s', async (search, expected) => {
    expect((await find(search)).toSorted()).toEqual(expected)
  })
})

test('folds accents in company searches of one or two letters', async () => {
  await portal.owner.query(`UPDATE company SET name = 'Élan Łódź' WHERE id = (SELECT max(id) FROM company)`)
  await addTestPlatformStaff(portal)
  const above = await portal.signIn('admin.localhost', 'super@mainstreet.example')
  for (const search of ['el', 'él', 'E', 'elan', 'lodz']) {
    const { status, body } = await portal.post('admin.localhost', formCompanies.path, { search }, { token: above })
    expect([status, search, body.rows?.map(({ name }: { name: string }) => name)]).toEqual([200, search, ['Élan Łódź']])
  }
})

test('finds a street without its accents', () => {
  for (const [written, plain] of [
    ['Łódź Street', 'lodz st'],
    ['Sørensen Road', 'sorensen rd'],
    ['Großer Weg', 'grosser weg'],
    ['ʻIolani Avenue', 'iolani ave'],
    ['O‘Connor Lane', 'oconnor ln'],
  ] as const)
    expect(addressTerms(written)).toEqual(plain.split(' '))
})

test('folds the text in every trigram index', async () => {
  const { rows } = await portal.owner.query(
    `SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' AND indexdef LIKE '%gin_trgm_ops%' ORDER BY 1`,
  )
  expect(rows.length).toBeGreaterThan(25)
  // The street index stores keys that have no accents (server/places/words.ts).
  for (const { indexname, indexdef } of rows.filter(({ indexname: name }) => name !== 'street_by_text'))
    expect([indexname, (indexdef.match(/gin_trgm_ops/g) ?? []).length]).toEqual([
      indexname,
      (indexdef.match(/folded\([^)]*(?:\([^)]*\))?[^)]*\) gin_trgm_ops/g) ?? []).length,
    ])
})

test('compares texts in one way in every search', () => {
  const others = globSync('{features,server}/**/*.ts', { cwd: new URL('..', import.meta.url) })
    .filter((file) => !file.endsWith('.test.ts') && file !== 'server/list-sql.ts')
    .filter((file) => /like_part|ILIKE \$\{/.test(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')))
  expect(others).toEqual([])
})
