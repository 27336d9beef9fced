import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { Log } from '../log.ts'
import { StartError } from '../start-error.ts'

const RECONNECT_MS = 1000
const BEAT_MS = 10_000
/**
 * Longest wait for the response to a heartbeat, in milliseconds. After this time, the connection counts as dead, even
 * if TCP reports it as open.
 */
const BEAT_TIMEOUT_MS = 5000
const MAX_DELIVERY_MS = 3000

interface ChannelListener {
  hear(payload: string): void
  /** Called after a reconnect, because notifications were lost while the connection was down. */
  reopened(): void
}

/** Separate database connection that receives notifications. It reconnects automatically. */
export class Listener {
  readonly #config: pg.ClientConfig
  readonly #log: Log
  readonly #ears = new Map<string, ChannelListener>()
  #client: pg.Client | null = null
  #stopped = false
  #retry: NodeJS.Timeout | null = null
  #beat: NodeJS.Timeout | null = null

  constructor(config: pg.ClientConfig, log: Log) {
    this.#config = config
    this.#log = log
  }

  /** Registers a channel's listener. Call it before `open`. */
  on(channel: string, ear: ChannelListener): void {
    this.#ears.set(channel, ear)
  }

  async open(): Promise<void> {
    const client = new pg.Client({ ...this.#config, keepAlive: true, query_timeout: BEAT_TIMEOUT_MS })
    client.on('notification', ({ channel, payload }) => this.#ears.get(channel)?.hear(payload ?? ''))
    client.on('error', (error) => this.#log.warn({ err: error.message }, 'the listening connection was lost'))
    client.on('end', () => this.#reconnect())
    await client.connect()
    if (this.#stopped) return client.end()
    const channels = [...this.#ears.keys()]
    await client.query(channels.map((channel) => `LISTEN ${pg.escapeIdentifier(channel)}`).join('; '))
    this.#client = client
    this.#beat = setInterval(() => void client.query('SELECT 1').catch(() => client.end()), BEAT_MS)
    this.#beat.unref()
    for (const ear of this.#ears.values()) ear.reopened()
  }

  async close(): Promise<void> {
    this.#stopped = true
    if (this.#retry) clearTimeout(this.#retry)
    if (this.#beat) clearInterval(this.#beat)
    await this.#client?.end()
  }

  #reconnect(): void {
    if (this.#beat) clearInterval(this.#beat)
    if (this.#stopped || this.#retry) return
    this.#client = null
    this.#retry = setTimeout(() => {
      this.#retry = null
      this.open().catch(() => this.#reconnect())
    }, RECONNECT_MS)
    this.#retry.unref()
  }
}

/**
 * Checks that notifications sent through `pool` arrive on a connection with `config`. Behind a transaction pooler,
 * LISTEN succeeds but no notification arrives. So the portal runs this check when it starts.
 * @throws StartError
 */
export async function proveListening(config: pg.ClientConfig, pool: pg.Pool): Promise<void> {
  const channel = `probe_${randomUUID()}`
  const client = new pg.Client(config)
  client.on('error', () => {})
  let timer: NodeJS.Timeout | undefined
  try {
    await client.connect()
    await client.query(`LISTEN ${pg.escapeIdentifier(channel)}`)
    const heard = new Promise<boolean>((resolve) => {
      client.once('notification', () => resolve(true))
      timer = setTimeout(() => resolve(false), MAX_DELIVERY_MS)
    })
    await pool.query('SELECT pg_notify($1, $2)', [channel, ''])
    if (!(await heard))
      throw new StartError(
        'DATABASE_LISTEN_URL must lead to PostgreSQL itself: what is notified does not arrive there, as behind a pooler of transactions.',
      )
  } finally {
    clearTimeout(timer)
    await client.end().catch(() => {})
  }
}
