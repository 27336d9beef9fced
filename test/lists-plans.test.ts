import { beforeAll, describe, expect, test } from 'vitest'
import { addCompanies } from '../bench/rows.ts'
import { mapleGrove } from '../database/towns/maple-grove.ts'
import { allCalls } from '../portal/server.ts'
import type { ListHandler } from '../server/list.ts'
import { addDays } from '../shared/dates.ts'
import { findRecords } from '../shared/lookups.ts'
import { COUNT_CAP, PAGE_SIZE } from '../shared/table.ts'
import { audiencesOf } from '../shared/endpoint.ts'
import type { Filter } from '../shared/list.ts'
import { believeIn, generateRows } from './generated-rows.ts'
import { testClock, testDatabase } from './harness.ts'
import { directionsOf } from './layers.ts'
import { maxRowsRead, type PortalWithPlans, portalWithPlans, tablesOf } from './plans.ts'
import { addTestPlatformStaff, openTestCompany } from './company.ts'

/**
 * Tests the query plans of all lists. However many rows exist, no sort, filter or search may read a whole table, or
 * read one company's rows repeatedly. In nightly runs, tables have a million rows. In other runs, tables have fewer
 * rows, but the planner assumes a million. One company has a fifth of all rows, many companies have some rows, and many
 * have none. If a filter has no index, its list declares it as `unindexed`.
 */

const NIGHTLY = Boolean(process.env['NIGHTLY'])
const MILLION = 1_000_000
const ROWS = NIGHTLY ? MILLION : 12_000
/** Number of rows of the largest company, including the rows of its settings. */
const COMPANY_ROWS = ROWS / 5 + 100
/** Number of rows in tables that never become large, such as form templates (`FEW` in generated-rows.ts). */
const FEW_ROWS = 10_100

/**
 * Maximum number of rows that each type of query may read from a large table. A page needs eleven rows. With a
 * selective filter, the planner scans in the list's order or through an index, whichever reads less. So `page` is based
 * on the square root of all rows, times four for estimation errors. A count stops at its cap, and may read at most
 * twenty times as many rows. Totals, groups and sums read all matching rows: at most the rows of one company, or of
 * some days.
 */
const bounds = {
  page: 4 * Math.ceil(Math.sqrt((PAGE_SIZE + 1) * ROWS)),
  count: 20 * COUNT_CAP,
  sums: Math.max(COMPANY_ROWS, FEW_ROWS),
} as const
type Part = keyof typeof bounds
const partOf = (plan: string): Part =>
  plan.includes('AS counted') ? 'count' : / AS "?_key"?/.test(plan) ? 'page' : 'sums'

const HOST = 'maplegrove.localhost'
const ADMIN = 'admin.localhost'
const TODAY = '2026-11-20'
/** Id of a company without data. */
const EMPTY_COMPANY = 2900

const all = allCalls.filter((call): call is ListHandler => 'list' in call)
const declaredOf = ({ list }: ListHandler) => list.declared

let portal: PortalWithPlans
let large: string[] = []
let bigCompany = 0
const tokens: Record<string, string> = {}

beforeAll(
  async () => {
    const clock = testClock()
    const database = await testDatabase()
    // Must come first, because connections that were opened before this call report no plans.
    portal = await portalWithPlans(database, { DEMO: '1' })
    bigCompany = await openTestCompany({ db: database.pools, clock }, mapleGrove)
    await addTestPlatformStaff({ db: database.pools, clock })
    const { owner } = database
    await addCompanies(owner, { first: 1001, count: 2000, name: 'Town', subdomain: 'town' })
    await owner.query(`
      INSERT INTO ledger_account (company_id, code, name, kind)
      SELECT c.id, a.code, a.name, a.kind FROM company c CROSS JOIN ledger_account a WHERE c.id > 1000 AND a.company_id = ${bigCompany};
      INSERT INTO payment_settings (company_id) SELECT id FROM company WHERE id > 1000;
      INSERT INTO provider_account (company_id, provider, account) SELECT id, 'sandbox', 'acct_' || id FROM company WHERE id > 1000`)
    tokens[HOST] = await portal.signIn(HOST, 'admin@maplegrove.example')
    tokens[ADMIN] = await portal.signIn(ADMIN, 'super@mainstreet.example')
    // Tables that the lists read. `form_template` is listed here, because lists read it before their main query.
    const read = new Set(['form_template'])
    for (const list of all)
      for (const table of tablesOf(await ofLists(() => callList(list, { filters: daysOf(list) })))) read.add(table)
    for (const table of tablesOf(await portal.plansOf(() => findAll('anna'))))
      if (!NOT_SEARCHED.has(table)) read.add(table)
    large = await generateRows(owner, [...read].toSorted(), ROWS, bigCompany, clock.now())
    await owner.query('VACUUM (ANALYZE) company')
    if (!NIGHTLY) await believeIn(owner, large, MILLION)
  },
  NIGHTLY ? 3_600_000 : 120_000,
)

/**
 * Returns the plans of list queries, which are those with the table alias `r`. Omits other queries, such as those for
 * the session.
 */
const ofLists = async (work: () => Promise<unknown>) =>
  (await portal.plansOf(work)).filter((plan) => /\br\./.test(plan))

const isOfCompany = ({ endpoint }: ListHandler) => endpoint.scope === 'company'
const hostOf = (list: ListHandler) =>
  audiencesOf(list.endpoint.access).includes('municipality') && isOfCompany(list) ? HOST : ADMIN

/**
 * Test case of a list: description, request body, company, and true if the query must read all matches. The default
 * company is the largest.
 */
type PlannedQuestion = [what: string, question: Question, company?: number, readsAll?: boolean]

interface Question {
  group?: { by: string }
  [part: string]: unknown
}

/**
 * Requests a page of a list, and its next page. Staff request the list of the largest company, and the platform that of
 * another company.
 */
async function callList(list: ListHandler, question: Question, company = bigCompany) {
  const host = company === bigCompany ? hostOf(list) : ADMIN
  const body = { ...(host === ADMIN && isOfCompany(list) && { companyId: company }), ...question }
  const post = (more: object) =>
    portal.post(host, list.endpoint.path, { ...body, ...more }, { token: tokens[host] ?? '' })
  const { status, body: page } = await post({})
  expect({ status, message: page.message, question }).toEqual({ status: 200, message: undefined, question })
  // Requests the rows of the last group, which is one of the smaller groups.
  const [value] = page.groups?.slice(-1) ?? []
  if (value) await post({ group: { ...question.group, value: value.value } })
  if (page.next) await post({ cursor: page.next, totals: false })
  return page
}

/** Tables that each call reads, in addition to those of the search. */
const NOT_SEARCHED = new Set(['company', 'session', 'secret_key', 'staff_role', 'idempotency_key', 'failed_guess'])

/** Searches for records of all kinds, as the command bar does. */
async function findAll(search: string) {
  const { status, body } = await portal.post(HOST, findRecords.path, { search }, { token: tokens[HOST] ?? '' })
  expect({ status, message: body.message, search }).toEqual({ status: 200, message: undefined, search })
}

/** Returns the default date range of a list. */
const daysOf = (list: ListHandler): object => {
  const { days } = declaredOf(list)
  return days ? { fromDate: addDays(TODAY, -(days.usual ?? 30)), toDate: TODAY } : {}
}
const needsDays = (list: ListHandler) => declaredOf(list).days?.needed === true

/** Returns test values for a filter: all options of a choice, or values that many, few or no rows have. */
function valuesFor(name: string, { kind, labels, value }: Filter): unknown[] {
  const offered = kind === 'choice' ? Object.keys(labels ?? {}).flatMap((label) => [label, Number(label)]) : []
  const companies = /company/i.test(name) ? [bigCompany, EMPTY_COMPANY] : [10_000_003, 1, 999_999]
  const others = { choice: [], flag: [true], text: SEARCHES, id: companies, hidden: [10_000_003, TODAY] }[kind]
  return [...offered, ...others].filter((some) => value.safeParse(some).success)
}

/** Search texts that match many, few or no rows, and one text of several words. */
const SEARCHES = ['street', '17017', 'zzqxy', 'anna 1701']

function questionsOf(list: ListHandler): PlannedQuestion[] {
  const { sorts, filters, search, groupable } = declaredOf(list)
  const { unindexed } = list.list
  if (unindexed['all']) return []
  const days = daysOf(list)
  const hasDays = Object.keys(days).length > 0
  const all = needsDays(list) ? days : {}
  const questions: PlannedQuestion[] = []
  for (const [index, sort] of sorts.entries())
    for (const direction of directionsOf(index)) {
      questions.push([`by ${sort} ${direction}`, { sort, direction, filters: all }])
      if (hasDays) questions.push([`by ${sort} ${direction}, of its days`, { sort, direction, filters: days }])
    }
  for (const [name, filter] of Object.entries(filters as Record<string, Filter>))
    for (const value of valuesFor(name, filter))
      if (hasDays || !unindexed[name])
        questions.push([
          `${name}: ${JSON.stringify(value)}`,
          { filters: { ...(unindexed[name] ? days : all), [name]: value } },
          bigCompany,
          name in unindexed,
        ])
  if (search)
    for (const searchText of SEARCHES) {
      questions.push([`search: ${searchText}`, { search: searchText, filters: all }])
      if (hasDays) questions.push([`search: ${searchText}, of its days`, { search: searchText, filters: days }])
    }
  for (const by of groupable) {
    const group = { by }
    questions.push([`groups by ${by}`, { group, filters: days }, bigCompany, true])
  }
  if (isOfCompany(list) && audiencesOf(list.endpoint.access).includes('platform'))
    questions.push(['of a town that has nothing', { filters: all }, EMPTY_COMPANY])
  return questions
}

describe.each(all.map((list) => [list.endpoint.path, list] as const))('%s', (_path, list) => {
  test(
    'reads only the rows that a page needs',
    async () => {
      const { addsUp } = list.list
      const against: string[] = []
      for (const [what, question, company, readsAll] of questionsOf(list)) {
        const plans = Map.groupBy(await ofLists(() => callList(list, question, company)), partOf)
        for (const [part, queries] of plans)
          for (const table of large) {
            const read = Math.round(maxRowsRead(queries, table))
            if (read > (readsAll || addsUp ? bounds.sums : bounds[part]))
              against.push(`${what}: its ${part} reads ${read} rows of ${table}`)
          }
      }
      expect(against).toEqual([])
    },
    NIGHTLY ? 300_000 : 60_000,
  )
})

/**
 * Maximum number of rows that a search for records may read of a kind. It checks the newest 300 rows, and the plan
 * counts the rows that it drops for each of the five results.
 */
const MAX_LOOKUP_ROWS = 2000

// Names, addresses and numbers of each kind. The last words are too short for the text index.
test.each([...SEARCHES, 'R-2026-000123', 'P10000005', 'B-100003', 'WO-2026-000012', '10000005', 'an', 'no 1'])(
  'reads few rows of each kind to find %s',
  async (search) => {
    const plans = (await portal.plansOf(() => findAll(search))).filter((plan) => plan.includes('jsonb_build_object'))
    expect(plans).toHaveLength(1)
    const read = large.map((table) => [table, Math.round(maxRowsRead(plans, table))] as const)
    // A municipality has a few hundred questions, so the search reads all of them.
    expect(read.filter(([table, rows]) => rows > (table === 'faq' ? bounds.sums : MAX_LOOKUP_ROWS))).toEqual([])
  },
)

test('declares only existing filters as unindexed', () => {
  for (const list of all)
    for (const name of Object.keys(list.list.unindexed))
      expect(['all', ...Object.keys(declaredOf(list).filters as object)]).toContain(name)
})
