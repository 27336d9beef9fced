import { beforeAll, describe, expect, it } from 'vitest'
import { harborCity } from '../../../database/towns/harbor-city.ts'
import { mapleGrove } from '../../../database/towns/maple-grove.ts'
import { oldMill } from '../../../database/towns/old-mill.ts'
import { testClock, testPortal } from '../../../test/harness.ts'
import { addTestPlatformStaff, openTestCompany } from '../../../test/company.ts'

const ADMIN = 'admin.localhost'
const portal = await testPortal({ clock: testClock('2026-11-20T15:00:00Z') })
const companyIds: Record<string, number> = {}
let token = ''

const put = (companyName: string, title: string, start: string, more: { type?: number; status?: string | null } = {}) =>
  portal.owner.query(
    `INSERT INTO scheduled_item (company_id, event_type_id, title, starts_at, ends_at, status)
     VALUES ($1, $2, $3, $4, $4::timestamptz + interval '1 hour', $5)`,
    [companyIds[companyName], more.type ?? 1, title, start, more.status ?? null],
  )

beforeAll(async () => {
  // Offsets from UTC: New York -5 hours (-4 in summer), Honolulu -10, Puerto Rico always -4.
  for (const [name, demoCompany, zone] of [
    ['east', mapleGrove, 1],
    ['hawaii', harborCity, 7],
    ['island', oldMill, 8],
  ] as const) {
    companyIds[name] = await openTestCompany(portal, demoCompany)
    await portal.owner.query('UPDATE company SET timezone_id = $2 WHERE id = $1', [companyIds[name], zone])
  }
  await addTestPlatformStaff(portal)
  token = await portal.signIn(ADMIN, 'super@mainstreet.example')
})

interface Item {
  title: string
  company: string
  timeZone: string
}
interface Day {
  day: string
  count: number
  statuses: Record<string, number>
  types: Record<string, number>
  items: Item[]
}

const callApi = (path: string, body: object, as = token) => portal.post(ADMIN, `admin/${path}`, body, { token: as })
const calendar = (fromDate: string, toDate = fromDate, filters: object = {}) =>
  callApi('return/master/calendar', { fromDate, toDate, filters })
const days = async (...range: Parameters<typeof calendar>): Promise<Day[]> => (await calendar(...range)).body.days
const titlesByDay = async (...range: Parameters<typeof calendar>) =>
  Object.fromEntries((await days(...range)).map(({ day, items }) => [day, items.map(({ title }) => title)]))
const dayItems = async (
  day: string,
  { filters = {}, ...question }: { filters?: object; [name: string]: unknown } = {},
) => (await callApi('return/master/calendar/day', { ...question, filters: { day, ...filters } })).body
const titles = async (day: string, question: { filters?: object; search?: string } = {}) =>
  (await dayItems(day, question)).rows.map(({ title }: Item) => title)

describe('day of an item', () => {
  it("follows the item's own company time zone around midnight", async () => {
    await put('island', 'island, first minute', '2026-03-03T04:00Z')
    await put('east', 'east, still the day before', '2026-03-03T04:30Z')
    await put('east', 'east, first minute', '2026-03-03T05:00Z')
    await put('hawaii', 'hawaii, last minute of the day before', '2026-03-03T09:59Z')
    await put('hawaii', 'hawaii, first minute', '2026-03-03T10:00Z')
    await put('island', 'island, last minute', '2026-03-04T03:59Z')
    await put('hawaii', 'hawaii, last minute', '2026-03-04T09:59Z')
    expect(await titlesByDay('2026-03-02', '2026-03-04')).toEqual({
      '2026-03-02': ['east, still the day before', 'hawaii, last minute of the day before'],
      '2026-03-03': ['island, first minute', 'east, first minute', 'hawaii, first minute', 'island, last minute'],
    })
    const [day] = await days('2026-03-03')
    expect(day?.count).toBe(5)
    expect(day?.items[0]).toMatchObject({ company: 'Old Mill', timeZone: 'America/Puerto_Rico' })
    expect(await titles('2026-03-03')).toHaveLength(5)
    expect(await titles('2026-03-02')).toEqual(['east, still the day before', 'hawaii, last minute of the day before'])
  })

  it('stays correct on days of 25 and 23 hours', async () => {
    await put('east', 'november, first minute', '2026-11-01T04:00Z')
    await put('east', 'november, the hour that comes twice', '2026-11-01T06:30Z')
    await put('east', 'november, last minute', '2026-11-02T04:59Z')
    await put('east', 'the day after', '2026-11-02T05:00Z')
    await put('east', 'march, first minute', '2026-03-08T05:00Z')
    await put('east', 'march, last minute', '2026-03-09T03:59Z')
    await put('east', 'the day after march', '2026-03-09T04:00Z')
    expect(await titlesByDay('2026-10-31', '2026-11-02')).toEqual({
      '2026-11-01': ['november, first minute', 'november, the hour that comes twice', 'november, last minute'],
      '2026-11-02': ['the day after'],
    })
    expect(await titles('2026-11-01')).toHaveLength(3)
    expect(await titlesByDay('2026-03-07', '2026-03-09')).toEqual({
      '2026-03-08': ['march, first minute', 'march, last minute'],
      '2026-03-09': ['the day after march'],
    })
  })
})

describe('day of all companies', () => {
  const DAY = '2026-06-10'
  beforeAll(async () => {
    const kinds = [
      ['east', 1, 'completed'],
      ['east', 2, null],
      ['hawaii', 3, 'in_progress'],
      ['island', 4, 'not_started'],
      ['east', 3, null],
      ['hawaii', 1, 'completed'],
      ['island', 3, 'completed'],
    ] as const
    for (const [n, [companyName, type, status]] of kinds.entries())
      await put(companyName, `item ${n}`, `${DAY}T${14 + Math.floor(n / 2)}:00Z`, { type, status })
  })

  it('counts items by status and type, and shows the first four', async () => {
    expect(await days(DAY)).toMatchObject([
      {
        ...{ day: DAY, count: 7 },
        statuses: { not_started: 3, in_progress: 1, completed: 3 },
        types: { billing: 2, rental: 1, workorder: 3, inspection: 1 },
        items: [{ title: 'item 0' }, { title: 'item 1' }, { title: 'item 2' }, { title: 'item 3' }],
      },
    ])
  })

  it.each([
    [{ status: 'completed' }, ['item 0', 'item 5', 'item 6']],
    [{ status: 'not_started' }, ['item 1', 'item 3', 'item 4']],
    [{ eventType: 3 }, ['item 2', 'item 4', 'item 6']],
    [{ eventType: 3, status: 'completed' }, ['item 6']],
    [{ eventType: 77 }, []],
  ])('filters calendar and list by %j', async (filters, expected) => {
    expect((await titlesByDay(DAY, DAY, filters))[DAY] ?? []).toEqual(expected)
    expect(await titles(DAY, { filters })).toEqual(expected)
  })

  it('filters by company', async () => {
    const filters = { company: companyIds['hawaii'] }
    expect(await days(DAY, DAY, filters)).toMatchObject([
      { count: 2, items: [{ title: 'item 2' }, { title: 'item 5' }] },
    ])
    expect(await titles(DAY, { filters })).toEqual(['item 2', 'item 5'])
  })

  it('pages by time and by company in both directions without gaps', async () => {
    for (const [sort, direction, expected] of [
      ['calendar_date', 'asc', '0123456'],
      // Items with the same start time are in the order of their companies. Descending order reverses the whole list.
      ['calendar_date', 'desc', '6543210'],
      ['company', 'asc', '2501436'],
    ] as const) {
      const seen: string[] = []
      let page = await dayItems(DAY, { sort, direction, pageSize: 2 })
      for (;;) {
        seen.push(...page.rows.map(({ title }: Item) => title.slice(5)))
        if (!page.next) break
        page = await dayItems(DAY, { sort, direction, pageSize: 2, cursor: page.next })
      }
      expect(seen.join('')).toBe(expected)
      expect(page.count).toBe(7)
      const back = await dayItems(DAY, { sort, direction, pageSize: 2, cursor: page.previous })
      expect(back.rows.map(({ title }: Item) => title.slice(5))).toEqual(seen.slice(4, 6))
    }
  })

  it('searches by a part of the title', async () => {
    expect(await titles(DAY, { search: 'TEM 3' })).toEqual(['item 3'])
    expect(await titles(DAY, { search: '3  item' })).toEqual(['item 3'])
    expect(await titles(DAY, { search: '%' })).toEqual([])
  })

  it('exports CSV with context, in company time zones, and logs the export', async () => {
    await put('hawaii', '=cmd()', `${DAY}T20:00Z`, { type: 4 })
    const { body } = await callApi('export/master/calendar', { fromDate: '2026-06-09', toDate: DAY, filters: {} })
    const { body: csv, headers } = await portal.app.inject({ url: body.url, headers: { host: ADMIN } })
    expect(headers['content-type']).toContain('text/csv')
    const lines = csv.trim().split('\n')
    expect(lines[0]).toBe('Company,Title,Type,Start Date,End Date,Time zone,Status,Description')
    expect(lines).toContain(
      'Harbor City,\'=cmd(),Inspection,2026-06-10 10:00,2026-06-10 11:00,Hawaii Time,Not Started,""',
    )
    expect(lines).toHaveLength(9)
    const status = (line: string) => line.split(',').at(-2)
    portal.clock.set(`${DAY}T23:00:00Z`)
    const again = await callApi('export/master/calendar', { fromDate: DAY, toDate: DAY, filters: {} })
    const { body: toCome } = await portal.app.inject({ url: again.body.url, headers: { host: ADMIN } })
    // On its own day, an item without a status is still scheduled, as on the screens.
    expect(status(toCome.split('\n').find((line: string) => line.includes('=cmd()')) ?? '')).toBe('Scheduled')
    portal.clock.set('2026-11-20T15:00:00Z')
    const { rows } = await portal.owner.query(
      `SELECT detail FROM platform_audit_event WHERE action = 'export.calendar'`,
    )
    expect(rows[0].detail).toMatchObject({ fromDate: '2026-06-09', toDate: DAY })
  })
})

describe('master calendar', () => {
  it('rejects more than 42 days', async () => {
    expect((await calendar('2026-11-01', '2026-12-12')).status).toBe(200)
    for (const [from, to] of [
      ['2026-11-01', '2026-12-13'],
      ['2026-11-02', '2026-11-01'],
      ['2026-02-30', '2026-03-01'],
      ['0000-01-01', '0000-01-02'],
      ['9999-12-31', '9999-12-31'],
    ] as const)
      expect((await calendar(from, to)).status, from).toBe(400)
    for (const cursor of ['nonsense', Buffer.from('["2026-06-10 1 x",1,0]').toString('base64url')])
      expect((await callApi('return/master/calendar/day', { filters: { day: '2026-06-10' }, cursor })).status).toBe(400)
    expect(await days('2031-01-01', '2031-02-11')).toEqual([])
  })

  it('is limited to platform staff who may see the dashboard', async () => {
    expect((await calendar('2026-06-10')).status).toBe(200)
    const callcenter = await portal.signIn(ADMIN, 'callcenter@mainstreet.example')
    const range = { fromDate: '2026-06-10', toDate: '2026-06-10' }
    expect((await callApi('return/master/calendar', range, callcenter)).status).toBe(200)
    await portal.owner.query(
      `UPDATE platform_person SET privileges = '{"dashboard": 0}' WHERE email = 'callcenter@mainstreet.example'`,
    )
    for (const [path, body] of [
      ['return/master/calendar', range],
      ['return/master/calendar/day', { filters: { day: '2026-06-10' } }],
      ['export/master/calendar', range],
    ] as const)
      expect((await callApi(path, body, callcenter)).status, path).toBe(403)
  })
})
