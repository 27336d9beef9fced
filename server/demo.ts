import { sql } from 'kysely'
import type { Client } from 'pg'
import type { DemoCompany, Household } from '../database/towns/town.ts'
import type { Clock } from './clock.ts'
import type { Database } from './db/database.ts'
import { withAdvisoryLock, connectOwner } from './db/owner.ts'
import type { Schema } from './db/schema.ts'
import type { Files } from './files.ts'
import type { Log } from './log.ts'
import type { Pools } from './db/pool.ts'
import type { Secrets } from './secrets.ts'
import type { CompanyId, Tx } from './tenancy.ts'

const LOCK = 7_061_727
/** Tables to empty after an interrupted load. CASCADE also empties the tables that depend on them. */
const WIPED =
  'company, platform_person, platform_department, form_template, attachment, platform_daily_figure, figure_walk, saved_reply, saved_view, sms_message, sms_opt_out, sandbox_sms, voice_call, voice_opt_out, sandbox_call, refused_address'
/** SQL that creates the table in which the demo load is recorded. No migration creates this table. */
export const DEMO_MARK = `
  CREATE TABLE IF NOT EXISTS demo_load (only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one), finished_at timestamptz(3));
  COMMENT ON TABLE demo_load IS 'local: whether the demo towns were loaded to their end'`

interface Parts {
  clock: Clock
  log: Log
  /** Reports progress, one line at a time. */
  report: (line: string) => void
  files: Files
  /** Encrypts values that the portal must be able to decrypt later. */
  secrets: Secrets
}

/** Context for loading demo data. */
export interface Demo extends Parts {
  db: Pools
  /**
   * Updates PostgreSQL's statistics for these tables. Otherwise, queries during the load would use plans for empty
   * tables.
   */
  analyze(...tables: (keyof Schema)[]): Promise<void>
}

/** Reads the company data that the features need to create their demo data. */
export const loadCompanyDetails = (tx: Tx, company: CompanyId) =>
  tx
    .selectFrom('company as c')
    .innerJoin('timezone as z', 'z.id', 'c.timezone_id')
    .select(['c.subdomain', 'c.state', 'c.office_hours_closed as closes', 'z.zone as timeZone'])
    .where('c.id', '=', company)
    .executeTakeFirstOrThrow()

/** Address and location for demo records. The property names match the columns of the tables. */
export interface DemoAddress {
  location: string
  address_id: number
  lat: number
  lon: number
  x: number
  y: number
}

export async function demoAddresses(tx: Tx, company: CompanyId, max: number): Promise<DemoAddress[]> {
  const { rows } = await sql<DemoAddress>`
    SELECT a.house_number || ' ' || s.name AS location, a.id AS address_id, a.lat, a.lon, (a.at)[0] AS x, (a.at)[1] AS y
    FROM address a JOIN street s ON s.company_id = a.company_id AND s.id = a.street_id
    WHERE a.company_id = ${company} ORDER BY a.id LIMIT ${max}`.execute(tx)
  return rows
}

/**
 * Demo part of a feature. The feature's manifest loads it with `() => import('./demo.ts')`, because most portals don't
 * need it.
 */
export interface DemoPart {
  /** Runs for each company after its people, bills and payments exist. The parts of all features run in parallel. */
  company?: (
    demo: Demo,
    demoCompany: DemoCompany,
    its: { company: CompanyId; households: readonly Household[] },
  ) => Promise<void>
  /** True if this part needs no payments and runs before the other parts. */
  early?: boolean
  /** Runs after all companies are loaded. */
  after?: (demo: Demo) => Promise<void>
}

/** Returns the state of the demo load. `interrupted` is also true while another portal process loads the demo. */
async function statusOf(owner: Pick<Client, 'query'>): Promise<{ interrupted: boolean; empty: boolean }> {
  await owner.query(DEMO_MARK)
  const { rows } = await owner.query<{ interrupted: boolean; empty: boolean }>(
    'SELECT EXISTS (SELECT FROM demo_load WHERE finished_at IS NULL) AS interrupted, NOT EXISTS (SELECT FROM company) AS empty',
  )
  return rows[0] ?? { interrupted: false, empty: false }
}

/** True if the portal must load the demo, or must wait while another portal process loads it. */
export async function isDemoDue(ownerUrl: string): Promise<boolean> {
  const owner = await connectOwner(ownerUrl)
  try {
    const { interrupted, empty } = await statusOf(owner)
    return interrupted || empty
  } finally {
    await owner.end()
  }
}

/**
 * Loads the demo companies into a database without companies. Loads them only once, even if several portal processes
 * start together. Deletes the data of an interrupted load and starts again. Returns true if it loaded the companies.
 */
export async function loadDemoOnce(
  database: Pick<Database, 'ownerUrl' | 'pools'>,
  parts: Parts,
  load: (demo: Demo) => Promise<void>,
): Promise<boolean> {
  const owner = await connectOwner(database.ownerUrl)
  try {
    return await withAdvisoryLock(owner, LOCK, async () => {
      const { interrupted, empty } = await statusOf(owner)
      if (interrupted) await owner.query(`TRUNCATE ${WIPED} RESTART IDENTITY CASCADE`)
      else if (!empty) return false
      await owner.query(
        'INSERT INTO demo_load (finished_at) VALUES (NULL) ON CONFLICT (only_one) DO UPDATE SET finished_at = NULL',
      )
      parts.report('Loading the demo municipalities, which takes a minute or two')
      // Updates the statistics, because early requests would otherwise use query plans for empty tables. Autovacuum
      // starts only after a minute. The lower target means smaller samples, which are enough for these tables.
      await owner.query('SET default_statistics_target = 20')
      const analyze = async (...tables: string[]) => void (await owner.query(`ANALYZE ${tables.join(', ')}`))
      await load({ ...parts, db: database.pools, analyze })
      await owner.query('ANALYZE')
      await owner.query('UPDATE demo_load SET finished_at = now()')
      return true
    })
  } finally {
    await owner.end()
  }
}
