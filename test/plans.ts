import { expect } from 'vitest'
import type { Env } from '../server/config.ts'
import type { TestDatabase } from './databases.ts'
import { type TestPortal, testClock, testPortal } from './harness.ts'

/** A portal with a database that reports the plan of each statement as it runs, so that tests see the real queries. */
export interface PortalWithPlans extends TestPortal {
  /** Returns the plans of all statements during `work`. */
  plansOf(work: () => Promise<unknown>): Promise<string[]>
}

export async function portalWithPlans(database: TestDatabase, env: Env = {}): Promise<PortalWithPlans> {
  const name = new URL(database.url).pathname.slice(1)
  for (const setting of [
    `session_preload_libraries = 'auto_explain'`,
    'auto_explain.log_min_duration = 0',
    'auto_explain.log_nested_statements = on',
    'auto_explain.log_analyze = on',
    'auto_explain.log_timing = off',
    'client_min_messages = log',
  ])
    await database.owner.query(`ALTER DATABASE ${name} SET ${setting}`)
  const portal = await testPortal({ database, clock: testClock(), env })
  const plans: string[] = []
  const heard = new WeakSet<object>()
  for (const pool of [portal.db.app, portal.db.platform])
    pool.on('acquire', (client) => {
      if (heard.has(client)) return
      heard.add(client)
      client.on('notice', ({ message }) => plans.push(message ?? ''))
    })
  /**
   * Waits for the last plans to arrive. The database reports the plan of a read only when its transaction ends, which
   * is after the response.
   */
  const waitForPlans = async () => {
    for (const pool of [portal.db.app, portal.db.platform])
      while (pool.idleCount < pool.totalCount) await new Promise((resolve) => setImmediate(resolve))
  }
  return {
    ...portal,
    plansOf: async (work) => {
      await waitForPlans()
      plans.length = 0
      await work()
      await waitForPlans()
      return plans.filter((plan) => plan.includes('plan:'))
    },
  }
}

const SCAN =
  /\b(?:Parallel )?(Seq|(?<!Bitmap )Index|Index Only|Bitmap Heap) Scan (?:Backward )?(?:using \w+ )?on (?:public\.)?(\w+)/g

/** Lists the tables that the query plans scan. */
export const tablesOf = (plans: readonly string[]): string[] => [
  ...new Set(plans.flatMap((plan) => [...plan.matchAll(SCAN)].map(([, , table = '']) => table))),
]

/** Fails the test if a plan scans one of these tables completely. */
export function expectNoWholeTable(plans: readonly string[], large: readonly string[]): void {
  expect(plans.length, 'plans were told at all').toBeGreaterThan(0)
  const whole = plans.filter((plan) =>
    large.some((table) => new RegExp(`Seq Scan on (?:public\\.)?${table}\\b`).test(plan)),
  )
  expect(whole).toEqual([])
}

/** Returns the number of rows that the largest scan of a table reads, including discarded rows. */
export function maxRowsRead(plans: readonly string[], table: string): number {
  const scans = plans.flatMap((plan) => plan.split(/(?=(?:Seq|(?<!Bitmap )Index|Index Only|Bitmap Heap) Scan )/))
  const own = scans.filter((scan) =>
    new RegExp(`^[\\w ]+Scan (?:Backward )?(?:using \\w+ )?on (?:public\\.)?${table}\\b`).test(scan),
  )
  return Math.max(
    ...own.map((scan) => {
      const [, rows = '0', loops = '1'] = /actual rows=([\d.]+) loops=(\d+)/.exec(scan) ?? []
      const thrownAway = [...scan.matchAll(/Rows Removed by (?:Filter|Index Recheck): (\d+)/g)].map(([, n]) =>
        Number(n),
      )
      return (Number(rows) + thrownAway.reduce((sum, n) => sum + n, 0)) * Number(loops)
    }),
    0,
  )
}
