import { beforeAll, describe, expect, test } from 'vitest'
import { addTowns } from '../bench/rows.ts'
import { mapleGrove } from '../database/towns/maple-grove.ts'
import { allCalls } from '../portal/server.ts'
import type { ListHandler } from '../server/list.ts'
import { addDays } from '../shared/dates.ts'
import { COUNT_CAP, PAGE_SIZE } from '../shared/table.ts'
import { audiencesOf } from '../shared/endpoint.ts'
import type { Filter } from '../shared/list.ts'
import { believeIn, generateRows } from './generated-rows.ts'
import { testClock, testDatabase } from './harness.ts'
import { directionsOf } from './layers.ts'
import { mostRowsRead, type PortalWithPlans, portalWithPlans, tablesOf } from './plans.ts'
import { addTestPlatformStaff, openTestTown } from './town.ts'

/**
 * What every list promises by being declared: no sort, filter or search reads a table whole, or a town over and over,
 * however many rows there are. By night its tables have a million rows; by day fewer, which the planner takes for a million.
 * One town has a fifth of all, many have some and many none. What has no index says so where it is declared (`unindexed`).
 */

const NIGHTLY = Boolean(process.env['NIGHTLY'])
const MILLION = 1_000_000
const ROWS = NIGHTLY ? MILLION : 12_000
/** As many as the largest town has, those of its own account included. */
const TOWN_ROWS = ROWS / 5 + 100
/** Of what is never large, such as the library of forms (`FEW` of generated-rows.ts). */
const FEW_ROWS = 10_100

/**
 * What a question may read of a large table, by what it is for. A page needs eleven rows; where a filter or a search leaves
 * a few of many, they are found along the list's order or along an index, whichever is shorter: neither reads more than
 * the root of what there is, times four for what nobody can guess. A count ends at its cap, which one row in twenty may be
 * counted to. Totals, groups and sums add up all that match, which is a town's at most, or those of some days.
 */
const bounds = {
  page: 4 * Math.ceil(Math.sqrt((PAGE_SIZE + 1) * ROWS)),
  count: 20 * COUNT_CAP,
  sums: Math.max(TOWN_ROWS, FEW_ROWS),
} as const
type Part = keyof typeof bounds
const partOf = (plan: string): Part =>
  plan.includes('AS counted') ? 'count' : / AS "?_key"?/.test(plan) ? 'page' : 'sums'

const TOWN = 'maplegrove.localhost'
const ADMIN = 'admin.localhost'
const TODAY = '2026-11-20'
/** A town that has nothing yet. */
const EMPTY_TOWN = 2900

const all = allCalls.filter((call): call is ListHandler => 'list' in call)
const declaredOf = ({ list }: ListHandler) => list.declared

let portal: PortalWithPlans
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
      INSERT INTO payment_settings (company_id) SELECT id FROM company WHERE id > 1000;
      INSERT INTO provider_account (company_id, provider, account) SELECT id, 'sandbox', 'acct_' || id FROM company WHERE id > 1000`)
    tokens[TOWN] = await portal.signIn(TOWN, 'admin@maplegrove.example')
    tokens[ADMIN] = await portal.signIn(ADMIN, 'super@mainstreet.example')
    // What a list looks up before it lists is there, too.
    const read = new Set(['form_template'])
    for (const list of all)
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

const isOfTown = ({ endpoint }: ListHandler) => endpoint.scope === 'company'
const hostOf = (list: ListHandler) =>
  audiencesOf(list.endpoint.access).includes('municipality') && isOfTown(list) ? TOWN : ADMIN

/** What is asked, of which town where not of the largest, and whether all that matches has to be read. */
type PlannedQuestion = [what: string, question: Question, company?: number, readsAll?: boolean]

interface Question {
  group?: { by: string }
  [part: string]: unknown
}

/** A page and the one after it; a list of a town as its clerk asks it, or for another town as the platform does. */
async function ask(list: ListHandler, question: Question, company = bigTown) {
  const host = company === bigTown ? hostOf(list) : ADMIN
  const body = { ...(host === ADMIN && isOfTown(list) && { companyId: company }), ...question }
  const post = (more: object) =>
    portal.post(host, list.endpoint.path, { ...body, ...more }, { token: tokens[host] ?? '' })
  const { status, body: page } = await post({})
  expect({ status, message: page.message, question }).toEqual({ status: 200, message: undefined, question })
  // The rows of the last group, which is among the smaller ones.
  const [value] = page.groups?.slice(-1) ?? []
  if (value) await post({ group: { ...question.group, value: value.value } })
  if (page.next) await post({ cursor: page.next, totals: false })
  return page
}

/** The days that a list asks for when nothing is chosen. */
const daysOf = (list: ListHandler): object => {
  const { days } = declaredOf(list)
  return days ? { fromDate: addDays(TODAY, -(days.usual ?? 30)), toDate: TODAY } : {}
}
const needsDays = (list: ListHandler) => declaredOf(list).days?.needed === true

/** Values that a filter could have: all of a choice, else something that many rows have, that few have, and that none has. */
function valuesFor(name: string, { kind, labels, value }: Filter): unknown[] {
  const offered = kind === 'choice' ? Object.keys(labels ?? {}).flatMap((label) => [label, Number(label)]) : []
  const towns = /company/i.test(name) ? [bigTown, EMPTY_TOWN] : [10_000_003, 1, 999_999]
  const others = { choice: [], flag: [true], text: SEARCHES, id: towns, hidden: [10_000_003, TODAY] }[kind]
  return [...offered, ...others].filter((some) => value.safeParse(some).success)
}

/** In many rows, in few, in none, and several words. */
const SEARCHES = ['street', '17017', 'zzqxy', 'anna 1701']

function questionsOf(list: ListHandler): PlannedQuestion[] {
  const { sorts, filters, search, groupable } = declaredOf(list)
  const { unindexed } = list.list
  if (unindexed['all']) return []
  const days = daysOf(list)
  const hasDays = Object.keys(days).length > 0
  const all = needsDays(list) ? days : {}
  const questions: PlannedQuestion[] = []
  for (const [nth, sort] of sorts.entries())
    for (const direction of directionsOf(nth)) {
      questions.push([`by ${sort} ${direction}`, { sort, direction, filters: all }])
      if (hasDays) questions.push([`by ${sort} ${direction}, of its days`, { sort, direction, filters: days }])
    }
  for (const [name, filter] of Object.entries(filters as Record<string, Filter>))
    for (const value of valuesFor(name, filter))
      if (hasDays || !unindexed[name])
        questions.push([
          `${name}: ${JSON.stringify(value)}`,
          { filters: { ...(unindexed[name] ? days : all), [name]: value } },
          bigTown,
          name in unindexed,
        ])
  if (search)
    for (const words of SEARCHES) {
      questions.push([`search: ${words}`, { search: words, filters: all }])
      if (hasDays) questions.push([`search: ${words}, of its days`, { search: words, filters: days }])
    }
  for (const by of groupable) {
    const group = { by }
    questions.push([`groups by ${by}`, { group, filters: days }, bigTown, true])
  }
  if (isOfTown(list) && audiencesOf(list.endpoint.access).includes('platform'))
    questions.push(['of a town that has nothing', { filters: all }, EMPTY_TOWN])
  return questions
}

describe.each(all.map((list) => [list.endpoint.path, list] as const))('%s', (_path, list) => {
  test(
    'reads what a page needs',
    async () => {
      const { addsUp } = list.list
      const against: string[] = []
      for (const [what, question, company, readsAll] of questionsOf(list)) {
        const plans = Map.groupBy(await ofLists(() => ask(list, question, company)), partOf)
        for (const [part, asked] of plans)
          for (const table of large) {
            const read = Math.round(mostRowsRead(asked, table))
            if (read > (readsAll || addsUp ? bounds.sums : bounds[part]))
              against.push(`${what}: its ${part} reads ${read} rows of ${table}`)
          }
      }
      expect(against).toEqual([])
    },
    NIGHTLY ? 300_000 : 60_000,
  )
})

test('what is said to have no index is a filter of its list', () => {
  for (const list of all)
    for (const name of Object.keys(list.list.unindexed))
      expect(['all', ...Object.keys(declaredOf(list).filters as object)]).toContain(name)
})
