import { sql } from 'kysely'
import type pg from 'pg'
import { Listener } from './db/listener.ts'
import { Hosts } from './hosts.ts'
import type { Log } from './log.ts'
import type { CompanyId, Tx } from './tenancy.ts'

const CHANNEL = 'live'

/** Something of a town changed: what kind of thing, and a small fact about it (never personal data). */
export interface LiveEvent {
  /** As its feature or its kind of case names it. */
  topic: string
  id: number
}

type Screen = (event: LiveEvent) => void

/** Whose screens: a town's, or (0, `PLATFORM` of audit.ts) those on which the platform looks at all towns. */
type Scope = CompanyId | 0

/** Tells all portals that something changed, when this transaction commits. */
export const announce = (tx: Tx, company: Scope, event: LiveEvent) =>
  sql`SELECT ${announcing(company, event)}`.execute(tx)

/** The same as a part of another statement. */
export const announcing = (company: Scope, event: LiveEvent) =>
  sql`pg_notify(${CHANNEL}, ${JSON.stringify({ company, ...event })})`

/** Tells all portals to forget what they cached of companies, when this transaction commits. */
export const announceCompanyChange = (tx: Tx) => sql`SELECT pg_notify(${Hosts.channel}, '')`.execute(tx)

/** One listening connection a portal, fanned out to the screens that are open. */
export class Live {
  readonly #listener: Listener
  readonly #screens = new Map<Scope, Set<Screen>>()

  constructor(connection: pg.ClientConfig, hosts: Hosts, log: Log) {
    this.#listener = new Listener(connection, log)
    this.#listener.on(CHANNEL, { hear: (payload) => this.#tell(payload), reopened: () => {} })
    this.#listener.on(Hosts.channel, { hear: () => hosts.forget(), reopened: () => hosts.forget() })
  }

  start = (): Promise<void> => this.#listener.open()
  stop = (): Promise<void> => this.#listener.close()

  subscribe(company: Scope, screen: Screen): () => void {
    const screens = this.#screens.get(company) ?? new Set()
    this.#screens.set(company, screens.add(screen))
    return () => {
      screens.delete(screen)
      if (screens.size === 0) this.#screens.delete(company)
    }
  }

  #tell(payload: string): void {
    const { company, ...event } = JSON.parse(payload) as LiveEvent & { company: Scope }
    for (const screen of this.#screens.get(company) ?? []) screen(event)
  }
}
