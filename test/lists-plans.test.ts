import { beforeAll, describe, expect, test } from 'vitest'
import { addTowns } from '../bench/rows.ts'
import { mapleGrove } from '../database/towns/maple-grove.ts'
import { allCalls } from '../portal/server.ts'
import type { ImplementedList } from '../server/list.ts'
import { addDays } from '../shared/dates.ts'
import { audiencesOf } from '../shared/endpoint.ts'
import type { Filter } from '../shared/list.ts'
import { believeIn, generateRows } from './generated-rows.ts'
import { testClock, testDatabase } from './harness.ts'
import { mostRowsRead, type PlannedPortal, portalWithPlans, tablesOf } from './plans.ts'
import { addTestPlatformStaff, openTestTown } from './town.ts'

/**
 * What every list promises by being declared: no sort, filter or search reads a table whole, or a town over and over,
 * however many rows there are. By night its tables have a million rows; by day fewer, which the planner takes for a million.
 * One town has a fifth of all, many have some and many none. What has no index says so where it is declared (`unindexed`).
 */

const NIGHTLY = Boolean(process.env['NIGHTLY'])
const MILLION = 1_000_000
const ROWS = NIGHTLY ? MILLION : 20_000
/** No step reads more rows of a large table than the largest town has, those of its own account included. */
const MOST_READ = ROWS / 5 + 100

const TOWN = 'maplegrove.localhost'
const ADMIN = 'admin.localhost'
const TODAY = '2026-11-20'
/** A town that has nothing yet. */
const EMPTY_TOWN = 2900

const lists = allCalls.filter((call): call is ImplementedList => 'list' in call)
const declaredOf = ({ list }: ImplementedList) => list.declared

let portal: PlannedPortal
let large: string[] = []
let bigTown = 0
const tokens: Record<string, string> = {}

beforeAll(
  async () => {
    const clock = testClock()
    const database = await testDatabase()
    // The first to connect: a connection that is older would tell no plans.
    portal = await portalWithPlans(database, { DEMO: '1' })
    bigTown = await openTestTown({ db: database.pools, clock }, mapleGrove)
    await addTestPlatformStaff({ db: database.pools, clock })
    const { owner } = database
    await addTowns(owner, { first: 1001, count: 2000, name: 'Town', subdomain: 'town' })
    await owner.query(`
      INSERT INTO ledger_account (company_id, code, name, kind)
      SELECT c.id, a.code, a.name, a.kind FROM company c CROSS JOIN ledger_account a WHERE c.id > 1000 AND a.company_id = ${bigTown};
      INSERT INTO payment_settings (company_id, provider_account) SELECT id, 'acct_' || id FROM company WHERE id > 1000`)
    tokens[TOWN] = await portal.signIn(TOWN, 'admin@maplegrove.example')
    tokens[ADMIN] = await portal.signIn(ADMIN, 'super@mainstreet.example')
    const read = new Set<string>()
    for (const list of lists)
      for (const table of tablesOf(await ofLists(() => ask(list, { filters: daysOf(list) })))) read.add(table)
    large = await generateRows(owner, [...read].toSorted(), ROWS, bigTown, clock.now())
    await owner.query('VACUUM (ANALYZE) company')
    if (!NIGHTLY) await believeIn(owner, large, MILLION)
  },
  NIGHTLY ? 1_200_000 : 120_000,
)

/** The plans of what lists ask, who call their rows `r`: not of sessions and the like. */
const ofLists = async (work: () => Promise<unknown>) =>
  (await portal.plansOf(work)).filter((plan) => /\br\./.test(plan))

const isOfTown = ({ endpoint }: ImplementedList) => endpoint.scope === 'company'
const hostOf = (list: ImplementedList) =>
  audiencesOf(list.endpoint.access).includes('municipality') && isOfTown(list) ? TOWN : ADMIN

/** A page and the one after it; a list of a town as its clerk asks it, or for another town as the platform does. */
async function ask(list: ImplementedList, question: object, company = bigTown) {
  const host = company === bigTown ? hostOf(list) : ADMIN
  const body = { ...(host === ADMIN && isOfTown(list) && { companyId: company }), ...question }
  const post = (more: object) =>
    portal.post(host, list.endpoint.path, { ...body, ...more }, { token: tokens[host] ?? '' })
  const { status, body: page } = await post({})
  expect({ status, message: page.message, question }).toEqual({ status: 200, message: undefined, question })
  if (page.next) await post({ cursor: page.next, totals: false })
  return page
}

/** The days that a list asks for when nothing is chosen. */
const daysOf = (list: ImplementedList): object => {
  const { days } = declaredOf(list)
  return days ? { fromDate: addDays(TODAY, -(days.usual ?? 30)), toDate: TODAY } : {}
}
const needsDays = (list: ImplementedList) => declaredOf(list).days?.needed === true

/** Values that a filter could have: all of a choice, else something that many rows have, that few have, and that none has. */
function valuesFor(name: string, { kind, labels, value }: Filter): unknown[] {
  const offered = kind === 'choice' ? Object.keys(labels ?? {}).flatMap((label) => [label, Number(label)]) : []
  const towns = /company/i.test(name) ? [bigTown, EMPTY_TOWN] : [10_000_003, 1, 999_999]
  const others = { choice: [], flag: [true], text: SEARCHES, id: towns, hidden: [10_000_003, TODAY] }[kind]
  return [...offered, ...others].filter((some) => value.safeParse(some).success)
}

/** In many rows, in few, in none, and several words. */
const SEARCHES = ['street', '17017', 'zzqxy', 'anna 1701']

function questionsOf(list: ImplementedList): [string, object, number?][] {
  const { sorts, filters, search } = declaredOf(list)
  const { unindexed } = list.list
  if (unindexed['all']) return []
  const days = daysOf(list)
  const hasDays = Object.keys(days).length > 0
  const all = needsDays(list) ? days : {}
  const questions: [string, object, number?][] = []
  for (const sort of sorts)
    for (const direction of ['asc', 'desc']) {
      questions.push([`by ${sort} ${direction}`, { sort, direction, filters: all }])
      if (hasDays) questions.push([`by ${sort} ${direction}, of its days`, { sort, direction, filters: days }])
    }
  for (const [name, filter] of Object.entries(filters as Record<string, Filter>))
    for (const value of valuesFor(name, filter))
      if (hasDays || !unindexed[name])
        questions.push([
          `${name}: ${JSON.stringify(value)}`,
          { filters: { ...(unindexed[name] ? days : all), [name]: value } },
        ])
  if (search)
    for (const words of SEARCHES) {
      questions.push([`search: ${words}`, { search: words, filters: all }])
      if (hasDays) questions.push([`search: ${words}, of its days`, { search: words, filters: days }])
    }
  if (isOfTown(list) && audiencesOf(list.endpoint.access).includes('platform'))
    questions.push(['of a town that has nothing', { filters: all }, EMPTY_TOWN])
  return questions
}

describe.each(lists.map((list) => [list.endpoint.path, list] as const))('%s', (_path, list) => {
  test(
    'reads no more than a town has',
    async () => {
      const against: string[] = []
      for (const [what, question, company] of questionsOf(list)) {
        const plans = await ofLists(() => ask(list, question, company))
        for (const table of large) {
          const read = Math.round(mostRowsRead(plans, table))
          if (read > MOST_READ) against.push(`${what}: reads ${read} rows of ${table}`)
        }
      }
      expect(against).toEqual([])
    },
    NIGHTLY ? 300_000 : 60_000,
  )
})

test('what is said to have no index is a filter of its list', () => {
  for (const list of lists)
    for (const name of Object.keys(list.list.unindexed))
      expect(['all', ...Object.keys(declaredOf(list).filters as object)]).toContain(name)
})
