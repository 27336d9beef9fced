import { parse } from 'csv-parse/sync'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { allCalls } from '../portal/server.ts'
import type { ListHandler } from '../server/list.ts'
import { audiencesOf } from '../shared/endpoint.ts'
import { type Column, type Group, type Grouping, groupUnits } from '../shared/list.ts'
import { COUNT_CAP } from '../shared/table.ts'
import { type TestPortal, testPortal } from './harness.ts'
import { directionsOf, sampleOf } from './layers.ts'

/**
 * Guarantees that each list must meet because of its declaration. They are tested for each list, with the demo
 * companies.
 */

const lists = allCalls.filter((call): call is ListHandler => 'list' in call)
const MAPLE = 'maplegrove.localhost'
const HARBOR = 'harborcity.localhost'
const ADMIN = 'admin.localhost'

/** Lists that are empty in the demo data. The tests of their features fill them. */
const EMPTY = [
  'admin/return/provider/events',
  // Lists with encrypted text. The demo data has no encrypted text, because the demo must start with any encryption
  // key.
  'muni/return/premise/notes',
]

/** Lists with ids that start at 1 in each company or in its demo data. So two companies can have equal ids. */
const NUMBERED = [
  'muni/return/communications',
  'muni/return/communication/report',
  'muni/return/form/submissions',
  'muni/return/rental/applications',
]

interface ListResponse {
  rows: ({ id: number } & Record<string, unknown>)[]
  next: string | null
  previous: string | null
  count: number | null
  totals: Record<string, number> | null
  groups: Group[] | null
}

const ready = Promise.withResolvers<{ portal: TestPortal; tokens: Record<string, string>; maple: number }>()
beforeAll(async () => {
  const portal = await testPortal({ demo: true, env: { DEMO: '1' } })
  await portal.owner.query(`UPDATE company SET modules_off = '{}'`)
  const tokens = {
    [MAPLE]: await portal.signIn(MAPLE, 'admin@maplegrove.example'),
    [HARBOR]: await portal.signIn(HARBOR, 'admin@harborcity.example'),
    [ADMIN]: await portal.signIn(ADMIN, 'super@mainstreet.example'),
  }
  const { rows } = await portal.owner.query(`SELECT id FROM company WHERE subdomain = 'maplegrove'`)
  await portal.owner.query(
    `INSERT INTO email_outbox (company_id, to_address, subject, text_body, html_body, created_at)
     SELECT id, 'ann@example.org', 'Mail ' || n, '', '', now() FROM company, generate_series(1, 7) AS n`,
  )
  await portal.owner.query(
    `INSERT INTO platform_audit_event (at, action) SELECT timestamptz '2026-11-10 12:00Z' + n * interval '1 hour', 'company.changed'
     FROM generate_series(1, 7) AS n`,
  )
  await portal.owner.query(
    `INSERT INTO company_config_version (company_id, at, actor_kind, actor_name, section, before, after)
     SELECT $1, now(), 'platform', 'Ann Lee', 'hours', '{"office_hours_open": "09:00"}', jsonb_build_object('office_hours_open', '07:0' || n)
     FROM generate_series(1, 7) AS n`,
    [rows[0].id],
  )
  ready.resolve({ portal, tokens, maple: rows[0].id })
})

// Clears the person's limit on reads, because these tests read more lists than the limit allows.
// `server/limits.test.ts` tests that limit.
beforeEach(async () => (await ready.promise).portal.owner.query('DELETE FROM failed_guess'))

const declaredOf = ({ list }: ListHandler) => list.declared
const hostOf = ({ endpoint }: ListHandler) =>
  audiencesOf(endpoint.access).includes('municipality') && endpoint.scope === 'company' ? MAPLE : ADMIN

async function callList(list: ListHandler, question: object = {}, path = list.endpoint.path, host = hostOf(list)) {
  const { portal, tokens, maple } = await ready.promise
  const days = declaredOf(list).days
  // Excludes today, because the tests themselves write log entries today.
  const filters = days && !('filters' in question) ? { filters: { fromDate: '2025-11-01', toDate: '2026-11-19' } } : {}
  const companyInput = host === ADMIN && list.endpoint.scope === 'company' ? { companyId: maple } : {}
  return portal.post(host, path, { ...companyInput, ...filters, ...question }, { token: tokens[host] ?? '' })
}

async function loadList(list: ListHandler, question: object = {}, host?: string): Promise<ListResponse> {
  const { status, body } = await callList(list, question, undefined, host)
  expect({ status, message: body.message }).toEqual({ status: 200, message: undefined })
  return body
}

/** Returns all rows by paging from the first page to the last. */
async function walk(list: ListHandler, question: object, pageSize: number) {
  const rows: ListResponse['rows'] = []
  let page = await loadList(list, { ...question, pageSize })
  rows.push(...page.rows)
  while (page.next) {
    page = await loadList(list, { ...question, pageSize, cursor: page.next, totals: false })
    rows.push(...page.rows)
  }
  return { rows, last: page }
}

const columnsOf = (list: ListHandler) => Object.entries(declaredOf(list).columns) as [string, Column][]
const cellsOf = async (list: ListHandler): Promise<Record<string, string>[]> => {
  const { portal } = await ready.promise
  const { csv } = declaredOf(list)
  const { body, status } = await callList(list, {}, csv?.call.path)
  expect(status).toBe(200)
  const text = String((await portal.get(hostOf(list), body.url)).body)
  // Without a byte order mark, Excel reads the file as Windows-1252.
  expect(text.startsWith('\uFEFF')).toBe(true)
  return parse(text, { columns: true, bom: true })
}

test('finds the lists', () => expect(lists.length).toBeGreaterThan(2))

describe.each(sampleOf(lists, 2).map((list) => [list.endpoint.path, list] as const))('%s', (path, list) => {
  const { sorts, groupable, totalled, csv } = declaredOf(list) as ReturnType<typeof declaredOf> & {
    groupable: readonly string[]
  }
  let cachedWalk: ReturnType<typeof walk> | undefined
  /** Returns all rows of the list. Reads them only once, because the data does not change. */
  const everyRow = async () => (await (cachedWalk ??= walk(list, {}, 500))).rows

  test('visits each row once when paging both ways, in each sort', async () => {
    const { count } = await loadList(list)
    if (!EMPTY.includes(path)) expect(count).toBeGreaterThan(0)
    // Uses larger pages for longer lists, but small enough for several pages.
    const pageSize = Math.max(1, Math.min(400, Math.ceil((count ?? 0) / 4)))
    for (const [index, sort] of sampleOf([...sorts.entries()]))
      for (const direction of directionsOf(index)) {
        const { rows, last } = await walk(list, { sort, direction }, pageSize)
        const ids = rows.map((row) => JSON.stringify([row['companyId'], row.id]))
        expect(new Set(ids).size).toBe(ids.length)
        expect(Math.min(ids.length, COUNT_CAP)).toBe(count)
        if (!last.previous) continue
        const before = await loadList(list, { sort, direction, pageSize, cursor: last.previous })
        const at = rows.length - last.rows.length
        expect(before.rows).toEqual(rows.slice(Math.max(0, at - pageSize), at))
      }
  })

  test('has totals equal to the sums of all matches and of groups', async () => {
    const rows = await everyRow()
    // A total can be checked only if the rows contain its column.
    const summed = totalled.filter((name) => rows[0] === undefined || name in rows[0])
    const { totals } = await loadList(list)
    const sumOf = (some: ListResponse['rows'], name: string) => some.reduce((sum, row) => sum + Number(row[name]), 0)
    if (!list.list.hasOwnSums)
      for (const name of summed) expect([name, totals?.[name]]).toEqual([name, sumOf(rows, name)])
    const kindOf = new Map(columnsOf(list).map(([name, { kind }]) => [name, kind]))
    const groupings = groupable.flatMap((by): Grouping[] =>
      kindOf.get(by) === 'instant' ? groupUnits.map((unit) => ({ by, unit })) : [{ by }],
    )
    for (const grouping of groupings) {
      const by = [grouping.by, grouping.unit]
      const { groups } = await loadList(list, { group: grouping })
      const counted = (groups ?? []).reduce((sum, group) => sum + group.count, 0)
      expect([by, counted]).toEqual([by, rows.length])
      const [first] = groups ?? []
      if (!first) continue
      const groupRows = await walk(list, { group: { ...grouping, value: first.value } }, 500)
      expect([by, first.value, groupRows.rows.length]).toEqual([by, first.value, first.count])
      if (list.list.hasOwnSums) continue
      for (const name of summed) expect(first.totals[name]).toBe(sumOf(groupRows.rows, name))
    }
  })

  test('refuses a forged cursor', async () => {
    const made = (key: unknown) => Buffer.from(JSON.stringify([key, 1, 0])).toString('base64url')
    for (const sort of sampleOf(sorts)) {
      const kind = columnsOf(list).find(([name]) => name === sort)?.[1].kind
      const invalid = ['nonsense', made(null), made({}), kind === 'text' ? made('a\0b') : made('not one of its keys')]
      for (const cursor of invalid) expect((await callList(list, { sort, cursor })).status).toBe(400)
    }
  })

  test.runIf(csv && !list.list.hasOwnFile)('exports the same rows as CSV', async () => {
    const cells = await cellsOf(list)
    const rows = await everyRow()
    expect(cells).toHaveLength(rows.length)
    const heads = columnsOf(list).filter(([, column]) => column.csv !== false)
    expect(Object.keys(cells[0] ?? {})).toEqual(heads.map(([, { csv: head, label }]) => head || label))
    for (const [name, column] of heads.filter(
      ([head, { kind, screen }]) => kind === 'text' && screen !== false && !list.list.ownCells.includes(head),
    ))
      for (const [at, row] of rows.entries())
        expect(cells[at]?.[column.csv || column.label]?.replace(/^'(?=[=+@-])/, '')).toBe(row[name])
  })

  test.runIf(hostOf(list) === MAPLE)('never shows rows of another company', async () => {
    const ours = await everyRow()
    const others = await loadList(list, { pageSize: 500 }, HARBOR)
    const markOf = (row: ListResponse['rows'][number]) => (NUMBERED.includes(path) ? JSON.stringify(row) : row.id)
    const ownMarks = new Set(ours.map(markOf))
    expect(others.rows.filter((row) => ownMarks.has(markOf(row)))).toEqual([])
  })
})
