import { beforeAll, expect, test } from 'vitest'
import { features } from '../portal/server.ts'
import { areaNames } from '../shared/privileges.ts'
import { areas } from '../shared/areas.ts'
import { screenAt, screens } from '../shared/all-screens.ts'
import { audiencesOf } from '../shared/endpoint.ts'
import { belongsTo, moduleNames, type ModuleName, modules, staysOpen, withoutModules } from '../shared/modules.ts'
import type { AppContext } from '../server/app-context.ts'
import { testPortal, type TestPortal } from './harness.ts'

const MAPLE = 'maplegrove.localhost'
let portal: TestPortal
let admin: string
let resident: string
beforeAll(async () => {
  portal = await testPortal({ demo: true })
  admin = await portal.signIn(MAPLE, 'admin@maplegrove.example')
  resident = await portal.signIn(MAPLE, 'resident@maplegrove.example')
})

const turnOff = async (...names: readonly ModuleName[]) => {
  await portal.owner.query(`UPDATE company SET modules_off = $1 WHERE subdomain = 'maplegrove'`, [
    names.map((name) => modules[name].url),
  ])
  portal.context.hosts.forget()
}

const calls = features.flatMap(({ module, calls: handlers = [] }) =>
  module ? handlers.map(({ endpoint }) => ({ module, endpoint })) : [],
)

test('every module has calls, and its screens and areas exist', () => {
  for (const name of moduleNames) {
    const { areas: its, finish, url } = modules[name]
    const paths = screens.map(({ path }) => path).filter((path) => belongsTo(name, path))
    expect(calls.filter(({ module }) => module === name).length, name).toBeGreaterThan(0)
    expect(paths, name).toContain(url)
    expect(paths, name).toEqual(expect.arrayContaining([...finish]))
    for (const area of its) expect(Object.keys(areas), name).toContain(area)
  }
  const owners = screens.map(({ path }) => moduleNames.filter((name) => belongsTo(name, path)))
  expect(owners.filter((names) => names.length > 1)).toEqual([])
  const shared = areaNames.filter(
    (area) => moduleNames.filter((n) => modules[n].areas.some((a) => a === area)).length > 1,
  )
  expect(shared).toEqual([])
})

const refusalOf = async ({ endpoint }: (typeof calls)[number]) => {
  const audiences = audiencesOf(endpoint.access)
  const token = audiences.includes('public') || audiences.includes('citizen') ? resident : admin
  const { status, body } = await (endpoint.method === 'GET'
    ? portal.get(MAPLE, `/api/v2/${endpoint.path}`, { token })
    : portal.post(MAPLE, endpoint.path, {}, { token }))
  return { status, code: body.code as unknown }
}
const OFF = { status: 404, code: 'module_off' }

test.each(moduleNames)('with %s off, its calls are refused, except those that finish', async (name) => {
  await turnOff(name)
  for (const one of calls) {
    if (one.module !== name) continue
    if (!staysOpen(name, one.endpoint)) expect(await refusalOf(one), one.endpoint.path).toEqual(OFF)
    else if (one.endpoint.responseType !== 'events')
      expect((await refusalOf(one)).code, one.endpoint.path).not.toBe('module_off')
  }
  await turnOff()
})

test('with any two modules off, the calls of both are refused and those of a third answer', async () => {
  const closed = calls.filter(({ module, endpoint }) => !staysOpen(module, endpoint))
  for (const [at, first] of moduleNames.entries())
    for (const second of moduleNames.slice(at + 1)) {
      await turnOff(first, second)
      for (const one of closed)
        if (one.module === first || one.module === second)
          expect(await refusalOf(one), `${first}, ${second}: ${one.endpoint.path}`).toEqual(OFF)
      const third = closed.find(({ module, endpoint }) => module !== first && module !== second && !endpoint.files)
      if (third) expect((await refusalOf(third)).code, third.endpoint.path).not.toBe('module_off')
    }
  await turnOff()
})

test.each(moduleNames)('with %s off, its pages are not found and nothing links to them', async (name) => {
  await turnOff(name)
  const { finish } = modules[name] as { finish: readonly string[] }
  const paths = screens
    .filter(({ path, entry }) => entry === 'citizen' && belongsTo(name, path))
    .map(({ path }) => path)
  for (const path of paths) {
    const url = path.replaceAll(/\{\w+Id\}/g, '1').replaceAll(/\{\w+\}/g, 'abc')
    const { status } = await portal.get(MAPLE, url)
    expect(status === 404, path).toBe(!finish.includes(path))
  }
  const { body: components } = await portal.post(MAPLE, 'return/company/components', {})
  expect(components.components.find((one: { url: string }) => one.url === modules[name].url).is_active).toBe(0)
  const { body: tiles } = await portal.post(MAPLE, 'return/company/selections', {})
  const open = [...tiles.topServices, ...tiles.otherServices].filter((tile) => tile.is_active === 1)
  for (const { url } of open) expect(belongsTo(name, url), url).toBe(false)
  const { body: search } = await portal.post(MAPLE, 'search/faqs', { text: modules[name].label }, { token: resident })
  for (const { path } of search.others) expect(belongsTo(name, screenAt(path)?.path ?? path), path).toBe(false)
  await turnOff()
})

test('staff keep only the permissions that complete open records', () => {
  const all = Object.fromEntries(areaNames.map((area) => [area, 31]))
  expect(withoutModules(all, ['faqs'])['faqs']).toBe(0)
  expect(withoutModules(all, ['work_orders'])['work_orders']).toBe(9)
  expect(withoutModules(all, ['work_orders'])['requests']).toBe(31)
})

/** Jobs that complete records from before the module was turned off. */
const FINISHING = new Set([
  // Confirms, reminds of and ends existing reservations, and lets renters in.
  'rentals.notify',
  'rentals.review',
  'rentals.access',
  'rentals.allocate',
  // Releases the numbers of unpaid payments.
  'general-payments.release',
  // Ends documents on their last day.
  'forms.documents',
  // Ends alerts on time, and sends the rest of an alert that is being sent.
  'alerts.finish',
  'alerts.send',
])

/** Runs the scheduled jobs of a module after 400 days. Returns the tables that they changed. */
async function changedByJobs(name: ModuleName): Promise<string[]> {
  const names: string[] = []
  const define = (job: string, _: unknown, { cron }: { cron?: string } = {}) => void (cron && names.push(job))
  const context = { ...portal.context, jobs: { define } } as unknown as AppContext
  for (const { module, jobs } of features) if (module === name) jobs?.(context)
  portal.clock.advance(400 * 86_400_000)
  const before = await checksums()
  for (const job of names) if (!FINISHING.has(job)) await portal.context.jobs.runNow(job)
  const after = await checksums()
  portal.clock.advance(-400 * 86_400_000)
  return Object.keys(before).filter((table) => before[table] !== after[table])
}

test.each(moduleNames)('with %s off, its jobs write nothing', async (name) => {
  await turnOff(name)
  expect(await changedByJobs(name)).toEqual([])
  await turnOff()
})

test('with the modules on, the same jobs write', async () => {
  expect(await changedByJobs('parking')).toContain('parking_ticket')
  expect(await changedByJobs('work_orders')).toContain('work_order')
  expect(await changedByJobs('registration')).toContain('registration')
})

/** Returns a checksum of the municipality's rows in each table. */
async function checksums(): Promise<Record<string, string>> {
  const { rows: tables } = await portal.owner.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name = 'company_id' ORDER BY 1`,
  )
  const sums: Record<string, string> = {}
  for (const { name } of tables) {
    const { rows } = await portal.owner.query<{ sum: string }>(
      `SELECT count(*) || '/' || coalesce(sum(hashtextextended(t::text, 0)), 0) AS sum FROM "${name}" t
       WHERE company_id = (SELECT id FROM company WHERE subdomain = 'maplegrove')`,
    )
    sums[name] = rows[0]?.sum ?? ''
  }
  return sums
}
