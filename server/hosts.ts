import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Pool } from 'pg'
import { COMPANY_IDS } from './cursor.ts'
import type { Schema } from './db/schema.ts'
import { type ModuleName, modulesAt } from '../shared/modules.ts'
import { companyIdFrom, type CompanyId, outsideCompanies, type Tx } from './tenancy.ts'

/** Company data that every request needs. It is public, and the portal caches it. */
export interface Company {
  id: CompanyId
  guid: string
  name: string
  subdomain: string
  isOnline: boolean
  offlineMessage: string
  timeZone: string
  address1: string
  address2: string
  city: string
  state: string
  zipcode: string
  phone: string
  website: string
  /** First month of the fiscal year, 1 to 12. */
  fiscalMonth: number
  founded: number | null
  tagline: string
  siteWideMessage: string
  themeBackground: string
  themeText: string
  logoPath: string
  /** Modules that are off. */
  off: readonly ModuleName[]
}

/**
 * Site that a host name belongs to: the administrator portal, a company (null if unknown), or the directory on the bare
 * host.
 */
export type Host =
  | { kind: 'admin' }
  | { kind: 'directory' }
  | { kind: 'company'; subdomain: string; company: Company | null }

/** Companies, or null for an unknown one, each until its time in Unix milliseconds. */
type Cache<Key> = Map<Key, { company: Company | null; until: number }>

const CACHE_MS = 60_000
const CHANNEL = 'company_changed'

/**
 * Finds the company of a host name by its first label (spec 1 and 2.5). Caches each company for a minute. If a company
 * changes, a NOTIFY clears the caches of all portal processes.
 */
export class Hosts {
  readonly #outside: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
  readonly #baseHost: string
  readonly #now: () => number
  readonly #bySubdomain: Cache<string> = new Map()
  readonly #byId: Cache<number> = new Map()
  #generation = 0

  constructor(pool: Pool, baseHost: string, now: () => number = Date.now) {
    this.#outside = outsideCompanies(pool)
    this.#baseHost = baseHost.toLowerCase()
    this.#now = now
  }

  /** NOTIFY channel on which `server/live.ts` receives company changes. */
  static readonly channel = CHANNEL

  async resolve(hostHeader: string | undefined): Promise<Host> {
    const name = (hostHeader ?? '').toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '')
    if (!name.endsWith(`.${this.#baseHost}`)) return { kind: 'directory' }
    const label = name.slice(0, -this.#baseHost.length - 1)
    if (label === 'admin') return { kind: 'admin' }
    return { kind: 'company', subdomain: label, company: await this.bySubdomain(label) }
  }

  async bySubdomain(subdomain: string): Promise<Company | null> {
    if (!/^[a-z0-9-]{1,63}$/.test(subdomain)) return null
    const cached = this.#bySubdomain.get(subdomain)
    if (cached && cached.until > this.#now()) return cached.company
    return this.#remember(this.#bySubdomain, subdomain, () => this.#load(sql`lower(c.subdomain) = ${subdomain}`))
  }

  /**
   * Finds a company by id. Callers with an open transaction pass it as `tx`, so that they need not wait for a second
   * connection.
   */
  async byId(id: number, tx?: Tx): Promise<Company | null> {
    if (!Number.isInteger(id) || id < 1 || id > COMPANY_IDS) return null
    const cached = this.#byId.get(id)
    if (cached && cached.until > this.#now()) return cached.company
    return this.#remember(this.#byId, id, () => this.#load(sql`c.id = ${id}`, tx))
  }

  /** Loads and caches a company. If a company changed during the load, the result may be outdated and is not cached. */
  async #remember<Key>(cache: Cache<Key>, key: Key, load: () => Promise<Company | null>): Promise<Company | null> {
    const generation = this.#generation
    const company = await load()
    if (generation !== this.#generation) return company
    // Limits the cache size, so that a flood of made-up host names can't fill the memory.
    if (cache.size > 10_000) cache.clear()
    cache.set(key, { company, until: this.#now() + CACHE_MS })
    return company
  }

  /**
   * Number of times that the cache was cleared. If this number has changed, data derived from a company is outdated.
   */
  get generation(): number {
    return this.#generation
  }

  /** Clears the cache after a company changed. */
  forget(): void {
    this.#generation += 1
    this.#bySubdomain.clear()
    this.#byId.clear()
  }

  async #load(condition: RawBuilder<unknown>, within?: Tx): Promise<Company | null> {
    const load = (tx: Tx) =>
      sql<
        Selectable<Schema['company']> & { zone: string }
      >`SELECT c.*, t.zone FROM company c JOIN timezone t ON t.id = c.timezone_id WHERE ${condition}`.execute(tx)
    const { rows } = await (within ? load(within) : this.#outside(load))
    const row = rows[0]
    if (!row) return null
    return {
      id: companyIdFrom('host', row.id),
      guid: row.guid,
      name: row.name,
      subdomain: row.subdomain,
      isOnline: row.is_online === 1,
      offlineMessage: row.offline_msg,
      timeZone: row.zone,
      address1: row.address1,
      address2: row.address2,
      city: row.city,
      state: row.state,
      zipcode: row.zipcode,
      phone: row.phone_no,
      website: row.website_url,
      fiscalMonth: row.fiscal_month,
      founded: row.founded,
      tagline: row.tagline,
      siteWideMessage: row.site_wide_message,
      themeBackground: row.theme_background,
      themeText: row.theme_text,
      logoPath: row.file_path,
      off: modulesAt(row.modules_off),
    }
  }
}
