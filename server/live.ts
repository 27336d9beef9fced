import { sql } from 'kysely'
import pg from 'pg'
import { Hosts } from './hosts.ts'
import type { Log } from './log.ts'
import type { CompanyId, Tx } from './tenancy.ts'

const CHANNEL = 'live'

/** Something of a town changed: what kind of thing, and a small fact about it (never personal data). */
export interface LiveEvent {
  topic: 'payments' | 'calendar'
  id: number
}

type Listener = (event: LiveEvent) => void

/** Tells all portals that something changed, when this transaction commits. */
export const announce = (tx: Tx, company: CompanyId, event: LiveEvent) =>
  sql`SELECT pg_notify(${CHANNEL}, ${JSON.stringify({ company, ...event })})`.execute(tx)

/** Tells all portals to forget what they cached of companies, when this transaction commits. */
export const announceCompanyChange = (tx: Tx) => sql`SELECT pg_notify(${Hosts.channel}, '')`.execute(tx)

/** One listening connection a portal, fanned out to the screens that are open. It comes back by itself when it breaks. */
export class Live {
  readonly #connection: pg.ClientConfig
  readonly #hosts: Hosts
  readonly #log: Log
  readonly #listeners = new Map<CompanyId, Set<Listener>>()
  #client: pg.Client | null = null
  #stopped = false
  #retry: NodeJS.Timeout | null = null

  constructor(connection: pg.ClientConfig, hosts: Hosts, log: Log) {
    this.#connection = connection
    this.#hosts = hosts
    this.#log = log
  }

  async start(): Promise<void> {
    const client = new pg.Client({ ...this.#connection, keepAlive: true })
    client.on('notification', ({ channel, payload }) => this.#hear(channel, payload ?? ''))
    client.on('error', (error) => this.#log.warn({ err: error.message }, 'live connection lost'))
    client.on('end', () => this.#comeBack())
    await client.connect()
    await client.query(`LISTEN ${CHANNEL}; LISTEN ${Hosts.channel}`)
    this.#client = client
    // What was missed while away is unknown.
    this.#hosts.forget()
  }

  subscribe(company: CompanyId, listener: Listener): () => void {
    const listeners = this.#listeners.get(company) ?? new Set()
    this.#listeners.set(company, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) this.#listeners.delete(company)
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true
    if (this.#retry) clearTimeout(this.#retry)
    await this.#client?.end()
  }

  #hear(channel: string, payload: string): void {
    if (channel === Hosts.channel) return this.#hosts.forget()
    const { company, ...event } = JSON.parse(payload) as LiveEvent & { company: CompanyId }
    for (const listener of this.#listeners.get(company) ?? []) listener(event)
  }

  #comeBack(): void {
    if (this.#stopped || this.#retry) return
    this.#client = null
    this.#retry = setTimeout(() => {
      this.#retry = null
      this.start().catch(() => this.#comeBack())
    }, 1000)
    this.#retry.unref()
  }
}
