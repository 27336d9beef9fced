import { beforeAll, describe, expect, it } from 'vitest'
import { companyIdFrom } from '../../../server/tenancy.ts'
import { mapleGrove } from '../../../database/towns/maple-grove.ts'
import { testClock, testPortal } from '../../../test/harness.ts'
import { openTestCompany } from '../../../test/company.ts'

// 11:30 pm on November 20 for the company, November 21 in UTC.
const portal = await testPortal({ clock: testClock('2026-11-21T04:30:00Z') })
const host = 'maplegrove.localhost'
let token = ''

const items = [
  ['two weeks ago', '2026-11-06T05:00Z', 1, 'completed'],
  ['before two weeks ago', '2026-11-06T03:30Z', 1, 'completed'],
  ['yesterday evening', '2026-11-20T03:00Z', 2, null],
  ['over midnight', '2026-11-20T04:30Z', 3, 'in_progress'],
  ['this morning', '2026-11-20T14:00Z', 4, 'completed'],
  ['tomorrow', '2026-11-21T14:00Z', 2, null],
  ['last hour of the window', '2026-12-04T03:00Z', 3, 'not_started'],
  ['first hour after it', '2026-12-04T05:00Z', 3, 'not_started'],
  ['four weeks ahead', '2026-12-18T04:00Z', 4, null],
  ['after four weeks', '2026-12-18T05:30Z', 4, null],
] as const

beforeAll(async () => {
  const company = await openTestCompany(portal, mapleGrove)
  for (const [title, start, type, status] of items)
    await portal.owner.query(
      `INSERT INTO scheduled_item (company_id, event_type_id, title, starts_at, ends_at, status) VALUES ($1, $2, $3, $4, $4::timestamptz + interval '1 hour', $5)`,
      [company, type, title, start, status],
    )
  token = await portal.signIn(host, 'staff@maplegrove.example')
})

const callApi = (body: object) => portal.post(host, 'muni/return/municipality/scheduled/items', body, { token })
const titles = async (body: object) => (await callApi(body)).body.data.map((item: { title: string }) => item.title)

describe('scheduled items', () => {
  it('lists 14 days from the company’s midnight as upcoming', async () => {
    expect(await titles({ selectedOption: 'upcoming', eventType: null, status: null })).toEqual([
      'over midnight',
      'this morning',
      'tomorrow',
      'last hour of the window',
    ])
  })

  it('lists all items from 14 days ago to 28 days ahead', async () => {
    const all = await titles({ selectedOption: 'all' })
    expect(all).toEqual(
      items.map(([title]) => title).filter((title) => !['before two weeks ago', 'after four weeks'].includes(title)),
    )
  })

  it('lists the calendar’s requested days, including both ends', async () => {
    expect(await titles({ selectedOption: 'calendar', fromDate: '2026-11-21', toDate: '2026-12-03' })).toEqual([
      'tomorrow',
      'last hour of the window',
    ])
    expect((await callApi({ selectedOption: 'calendar' })).status).toBe(400)
    expect((await callApi({ selectedOption: 'calendar', fromDate: '2026-11-21', toDate: '2026-11-20' })).status).toBe(
      400,
    )
    expect((await callApi({ selectedOption: 'calendar', fromDate: '2026-02-30', toDate: '2026-11-20' })).status).toBe(
      400,
    )
    const { status, body } = await callApi({ selectedOption: 'calendar', fromDate: '0000-01-01', toDate: '0000-01-05' })
    expect([status, body.message]).toEqual([400, 'Choose a date from 1900 to 2199.'])
    expect((await callApi({ eventType: 3_000_000_000 })).status).toBe(400)
  })

  it('filters by type (0 means all) and status (none means not started)', async () => {
    expect(await titles({ selectedOption: 'upcoming', eventType: 3 })).toEqual([
      'over midnight',
      'last hour of the window',
    ])
    expect(await titles({ selectedOption: 'upcoming', status: 'not_started' })).toEqual([
      'tomorrow',
      'last hour of the window',
    ])
    expect(await titles({ selectedOption: 'upcoming', eventType: 0, status: 'completed' })).toEqual(['this morning'])
  })

  it('returns the fields that the calendar shows', async () => {
    const { body } = await callApi({ selectedOption: 'upcoming', eventType: 2 })
    expect(body.data).toEqual([
      {
        id: expect.any(Number),
        title: 'tomorrow',
        calendar_date: '2026-11-21T14:00:00.000Z',
        end_datetime: '2026-11-21T15:00:00.000Z',
        status: null,
        description: '',
        type: 'rental',
        moves: { start: true, complete: true, reopen: false, reschedule: true },
        assignee: '',
        path: '',
      },
    ])
  })

  it('accepts each permitted step once and notifies open calendars', async () => {
    const company = Number((await portal.owner.query('SELECT id FROM company')).rows[0].id)
    const heard: number[] = []
    const stop = portal.context.live.subscribe(companyIdFrom('host', company), ({ topic, id }) => {
      if (topic === 'calendar') heard.push(id)
    })
    const read = async () => (await callApi({ selectedOption: 'upcoming', eventType: 2 })).body.data[0]
    const { id } = await read()
    const sendEvent = (event: string, by = token) =>
      portal.post(host, 'muni/change/scheduled/item/status', { itemId: id, event }, { token: by })
    expect(await sendEvent('start')).toMatchObject({
      ...{ status: 200, body: { message: 'tomorrow: In Progress.', status: 'in_progress' } },
    })
    expect(await sendEvent('start')).toMatchObject({
      status: 409,
      body: { message: 'tomorrow has the status “In Progress”, so you cannot do this. Available actions: Complete.' },
    })
    const moves = { start: false, complete: false, reopen: true, reschedule: false }
    expect((await sendEvent('complete')).body).toMatchObject({ status: 'completed', moves })
    expect(await read()).toMatchObject({ status: 'completed', moves })
    expect((await sendEvent('reopen')).status).toBe(200)
    expect((await sendEvent('stop')).status).toBe(400)
    const others = await portal.post(
      host,
      'muni/change/scheduled/item/status',
      { itemId: 1e15, event: 'start' },
      { token },
    )
    expect([others.status, others.body.message]).toEqual([404, 'This item was not found on the calendar.'])
    await portal.owner.query(
      `UPDATE person SET privileges = '{"dashboard": 1}' WHERE email = 'staff@maplegrove.example'`,
    )
    expect((await sendEvent('complete')).status).toBe(403)
    expect(Object.values((await read()).moves)).not.toContain(true)
    await portal.owner.query(`UPDATE person SET privileges = '{}'`)
    const { rows } = await portal.owner.query(
      `SELECT action, detail FROM audit_event WHERE subject_kind = 'scheduled_item' AND subject = $1 ORDER BY id`,
      [String(id)],
    )
    expect(rows.map(({ action }) => action)).toEqual(['calendar.started', 'calendar.completed', 'calendar.reopened'])
    expect(rows[0].detail).toEqual({ title: 'tomorrow', status: { from: 'not_started', to: 'in_progress' } })
    await expect.poll(() => heard).toEqual([id, id, id])
    stop()
  })

  it('rejects callers who are not staff', async () => {
    const resident = await portal.signIn(host, 'resident@maplegrove.example')
    expect((await portal.post(host, 'muni/return/municipality/scheduled/items', {}, { token: resident })).status).toBe(
      403,
    )
  })
})
