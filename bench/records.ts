import { setTimeout as wait } from 'node:timers/promises'
import { harborCity } from '../database/towns/harbor-city.ts'
import { toIso } from '../shared/dates.ts'
import type { ImportReport } from '../shared/imports.ts'
import { openTestCompany } from '../test/company.ts'
import type { BenchEnvironment } from './environment.ts'
import { type Row, timed, timeRow } from './measure.ts'
import { portalProcess } from './portal-process.ts'
import { LIMITS, ROWS, staffCalls, watchPages, watchProcesses } from './workbook.ts'

const DAY_MS = 86_400_000
const LOCATIONS = 5000

const dayOf = (n: number): string => toIso(new Date(Date.UTC(2020, 0, 1) + (n % 2000) * DAY_MS))
const locationOf = (n: number): string => `${1 + (n % LOCATIONS)} Elm Street`

/** Files by content, each with the line of its column names and a function for its other lines. */
const files: Record<string, readonly [path: string, head: string, line: (n: number) => string]> = {
  requests: [
    'muni/import/records',
    'number,category,created,status,closed,description,location,email',
    (n) =>
      `R-${n},Pothole,${dayOf(n)},${n % 3 > 0 ? 'Closed' : 'Open'},,Hole ${n},${locationOf(n)},resident${n}@example.com`,
  ],
  work_orders: [
    'muni/import/records',
    'number,title,created,status,completed,location',
    (n) => `W-${n},Fix ${n},${dayOf(n)},Done,,${locationOf(n)}`,
  ],
  customers: [
    'muni/import/records',
    'name,email,phone,address',
    (n) => `Ann Lee${n},resident${n}@example.com,717-555-0100,${locationOf(n)}`,
  ],
  addresses: [
    'muni/import/places',
    'number,street,lat,lon',
    (n) => `${1 + (n % 1000)},${Math.floor(n / 1000)} Street,40.2${n % 10_000},-76.9${n % 9973}`,
  ],
}

/**
 * Imports 100,000 records of each of four kinds in a portal as in production, and undoes each import. The calls of staff
 * run these imports, so the growth is that of the portal process.
 */
export async function records(environment: BenchEnvironment): Promise<Row[]> {
  const portal = await portalProcess(environment, {
    prepare: async ({ pools: db }) =>
      void (await openTestCompany({ db, clock: { now: () => new Date() } }, harborCity)),
  })
  try {
    const post = await staffCalls(portal.port)
    const send = async (path: string, kind: string, content: string, fields: Record<string, string>) => {
      const form = new FormData()
      for (const [name, value] of Object.entries({ kind, columns: '', ...fields })) form.append(name, value)
      form.append('file', new File([content], 'records.csv'))
      const report = await post<ImportReport>(path, form)
      if (report.errorCount > 0) throw new Error(`${kind}: ${report.invalidRows[0]?.reason}`)
      return report
    }
    await send('muni/import/records', 'request_categories', 'name,days\nPothole,5', { mode: 'import' })
    const watch = watchPages(portal.port)
    await wait(10_000)
    const alone = watch.take()
    const rows: Row[] = []
    for (const [kind, [path, head, line]] of Object.entries(files)) {
      const content = [head, ...Array.from({ length: ROWS }, (_, n) => line(n))].join('\n')
      const memory = watchProcesses(`Pid:\t${portal.pid}`)
      watch.take()
      const preview = await timed(() => send(path, kind, content, { mode: 'preview' }))
      let importId = 0
      const imported = await timed(async () => {
        importId = (await send(path, kind, content, { mode: 'import' })).importId ?? 0
      })
      const undo = await timed(() => post('muni/undo/import', { importId }))
      const [among, grown] = [watch.take(), memory.stop()]
      const name = kind.replaceAll('_', ' ')
      rows.push(
        timeRow(`preview of 100,000 ${name}, against its limit`, { ours: preview, baseline: LIMITS.preview }, 1),
        timeRow(`import of 100,000 ${name}, against its limit`, { ours: imported, baseline: LIMITS.import }, 1),
        timeRow(`undo of 100,000 ${name}, against its limit`, { ours: undo, baseline: LIMITS.undo }, 1),
        {
          what: `growth of the portal with 100,000 ${name}, against the limit of the worker`,
          ...{ ours: `${grown} MB`, baseline: `${LIMITS.memory} MB`, ratio: grown / LIMITS.memory, goal: { max: 1 } },
        },
        timeRow(
          `p95 of another page with 100,000 ${name}, against 100 ms more than alone`,
          { ours: among, baseline: alone + LIMITS.delay },
          1,
        ),
      )
    }
    watch.stop()
    return rows
  } finally {
    await portal.stop()
  }
}
