import { sql } from 'kysely'
import type { Client } from 'pg'
import type { DemoCompany, Household } from '../database/towns/town.ts'
import type { Clock } from './clock.ts'
import type { Database } from './db/database.ts'
import { alone, connectOwner } from './db/owner.ts'
import type { Schema } from './db/schema.ts'
import type { Files } from './files.ts'
import type { Log } from './log.ts'
import type { Pools } from './db/pool.ts'
import type { Secrets } from './secrets.ts'
import type { CompanyId, Tx } from './tenancy.ts'

const LOCK = 7_061_727
/** What an interrupted load leaves behind, with all that hangs from it. */
const WIPED =
  'company, platform_person, platform_department, form_template, platform_daily_figure, figure_walk, canned_answer, saved_view, sms_message, sms_stop, sandbox_sms, voice_call, voice_stop, sandbox_call, refused_address'
/** The table that a load of the demo towns leaves beside those of the migrations. */
export const DEMO_MARK = `
  CREATE TABLE IF NOT EXISTS demo_load (only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one), finished_at timestamptz(3));
  COMMENT ON TABLE demo_load IS 'local: whether the demo towns were loaded to their end'`

interface Parts {
  clock: Clock
  log: Log
  /** Hears what is loaded, in lines for whoever waits. */
  tell: (line: string) => void
  files: Files
  /** Seals what the portal that is loaded has to open again. */
  secrets: Secrets
}

/** What the demo is loaded with. */
export interface Demo extends Parts {
  db: Pools
  /** Tells PostgreSQL how many rows these tables have by now: without it what is asked while loading is planned for empty ones. */
  analyze(...tables: (keyof Schema)[]): Promise<void>
}

/** What a feature's part of a town has to know of the town itself. */
export const aboutTown = (tx: Tx, company: CompanyId) =>
  tx
    .selectFrom('company as c')
    .innerJoin('timezone as z', 'z.id', 'c.timezone_id')
    .select(['c.subdomain', 'c.state', 'c.office_hours_closed as closes', 'z.zone as timeZone'])
    .where('c.id', '=', company)
    .executeTakeFirstOrThrow()

/** A house before which something happens, as the columns of the tables have it. */
export interface DemoContext {
  place: string
  address_id: number
  lat: number
  lon: number
  x: number
  y: number
}

export async function housesOf(tx: Tx, company: CompanyId, most: number): Promise<DemoContext[]> {
  const { rows } = await sql<DemoContext>`
    SELECT a.house_number || ' ' || s.name AS place, a.id AS address_id, a.lat, a.lon, (a.at)[0] AS x, (a.at)[1] AS y
    FROM address a JOIN street s ON s.company_id = a.company_id AND s.id = a.street_id
    WHERE a.company_id = ${company} ORDER BY a.id LIMIT ${most}`.execute(tx)
  return rows
}

/** A feature's part of the demo. Its manifest loads it by `() => import('./demo.ts')`, since most portals need none. */
export interface DemoPart {
  /** For each town, once it has its people, its bills and what was paid; at once with the other features' parts. */
  town?: (demo: Demo, town: DemoCompany, its: { company: CompanyId; households: readonly Household[] }) => Promise<void>
  /** Its part of a town needs nothing of what was paid, and is there before the parts of the others begin. */
  early?: boolean
  /** When all towns are there. */
  after?: (demo: Demo) => Promise<void>
}

/** How far a load is: one that runs by another portal stands as interrupted, too. */
async function standingOf(owner: Pick<Client, 'query'>): Promise<{ interrupted: boolean; empty: boolean }> {
  await owner.query(DEMO_MARK)
  const { rows } = await owner.query<{ interrupted: boolean; empty: boolean }>(
    'SELECT EXISTS (SELECT FROM demo_load WHERE finished_at IS NULL) AS interrupted, NOT EXISTS (SELECT FROM company) AS empty',
  )
  return rows[0] ?? { interrupted: false, empty: false }
}

/** True if the demo is to be loaded, or is being loaded by another portal, for which a load waits. */
export async function isDemoDue(ownerUrl: string): Promise<boolean> {
  const owner = await connectOwner(ownerUrl)
  try {
    const { interrupted, empty } = await standingOf(owner)
    return interrupted || empty
  } finally {
    await owner.end()
  }
}

/**
 * Loads the demo towns into a database without any town, once, whoever starts at the same time. A load that was
 * interrupted is wiped and done again. Answers whether it loaded.
 */
export async function loadDemoOnce(
  database: Pick<Database, 'ownerUrl' | 'pools'>,
  parts: Parts,
  load: (demo: Demo) => Promise<void>,
): Promise<boolean> {
  const owner = await connectOwner(database.ownerUrl)
  try {
    return await alone(owner, LOCK, async () => {
      const { interrupted, empty } = await standingOf(owner)
      if (interrupted) await owner.query(`TRUNCATE ${WIPED} RESTART IDENTITY CASCADE`)
      else if (!empty) return false
      await owner.query(
        'INSERT INTO demo_load (finished_at) VALUES (NULL) ON CONFLICT (only_one) DO UPDATE SET finished_at = NULL',
      )
      parts.tell('Loading the demo towns, which takes a moment')
      // Whoever looks at the towns at once would be served by plans for empty tables: autovacuum comes a minute later, and
      // looks at more than these few thousand rows of each.
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
