import { sql } from 'kysely'
import type pg from 'pg'
import { Listener } from './db/listener.ts'
import { Hosts } from './hosts.ts'
import type { Log } from './log.ts'
import { type Presence, Presences } from './presence.ts'
import type { CompanyId, Tx } from './tenancy.ts'

const CHANNEL = 'live'

/** Change of a company's data: its topic and an id. Never contains personal data. */
export interface LiveEvent {
  /** Name that a feature or case kind declares, such as `work-orders`. */
  topic: string
  id: number
  /** True if nothing changed, but a person opened, answers or left the record. */
  presence?: true
}

type Screen = (event: LiveEvent) => void

/** Recipients of an event: the screens of a company, or the platform's screens for 0 (`PLATFORM` of audit.ts). */
type Scope = CompanyId | 0

/** Sends an event to all portal processes when this transaction commits. */
export const announce = (tx: Tx, company: Scope, event: LiveEvent) =>
  sql`SELECT ${announcing(company, event)}`.execute(tx)

/** Returns the SQL that sends an event, for use within another statement. */
export const announcing = (company: Scope, event: LiveEvent) =>
  sql`pg_notify(${CHANNEL}, ${JSON.stringify({ company, ...event })})`

/** Tells all portal processes that a person opened, answers or left a record. */
export const announcePresence = (tx: Tx, company: Scope, presence: Presence) =>
  sql`SELECT pg_notify(${CHANNEL}, ${JSON.stringify({ company, presence })})`.execute(tx)

/** Clears the company caches of all portal processes when this transaction commits. */
export const announceCompanyChange = (tx: Tx) => sql`SELECT pg_notify(${Hosts.channel}, '')`.execute(tx)

/**
 * Receives database notifications in a portal process. Forwards each event to the open screens of its company or the
 * platform.
 */
export class Live {
  readonly presences = new Presences()
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
    const sent = JSON.parse(payload) as { company: Scope } & (LiveEvent | { presence: Presence })
    const { company } = sent
    if ('topic' in sent) return this.#show(company, { topic: sent.topic, id: sent.id })
    const { presence } = sent
    this.presences.hear(company, presence)
    this.#show(company, { topic: presence.topic, id: presence.id, presence: true })
  }

  #show(company: Scope, event: LiveEvent): void {
    for (const screen of this.#screens.get(company) ?? []) screen(event)
  }
}
