import type pg from 'pg'
import { type Db, PgBoss } from 'pg-boss'
import type { Clock } from './clock.ts'
import { JOBS_SCHEMA } from './db/install-jobs.ts'
import { Listener } from './db/listener.ts'
import { connectionTo, poolOf } from './db/pool.ts'
import type { Log } from './log.ts'
import { clientOf, type Tx } from './tenancy.ts'

export interface JobOptions {
  /** How often a job that failed is tried again, with a delay that doubles. Default 8. */
  retryLimit?: number
  /** The first delay. Default 5. */
  retryDelaySeconds?: number
  /** Runs by the clock as well, in UTC, without data, and never twice at once: "0 6 * * *". */
  cron?: string
  /** A job that takes longer counts as failed. Default 300. */
  timeoutSeconds?: number
}

/** A job that runs now. */
export interface RunningJob {
  name: string
  /** Its number in the queue; '' if it was not taken from there. */
  id: string
  /** The municipality that it is about, if it says so. */
  company: number | null
  /** Since when, and how long it may take. */
  ms: number
  limitMs: number
}

/** After so many workers that ended with it, a job is not tried again. */
const MAX_STOPS = 2
const TIMEOUT_SECONDS = 300
/** Silence after which a job counts as left by a worker that died before it could begin. */
const HEARTBEAT_SECONDS = 60

interface Job {
  handle: (data: never) => Promise<void>
  options: JobOptions
}

/** The queue's way to the database. Its listening stands apart from its pool, which may lead through a pooler. */
function queueOn(pool: pg.Pool, connection: pg.ClientConfig, log: Log): Db {
  return {
    executeSql: (text, values) => pool.query(text, values),
    listen: async (channel, hear, reopened) => {
      const listener = new Listener(connection, log)
      listener.on(channel, { hear, reopened })
      await listener.open()
      return { close: () => listener.close() }
    },
  }
}

/**
 * Work that is done after a commit. A job is written in the transaction of what causes it, so that neither exists
 * without the other; it runs at least once, on one of the portals, so handlers must stand being run again.
 */
export class Jobs {
  readonly #boss: PgBoss
  readonly #pool: pg.Pool
  readonly #clock: Clock
  readonly #log: Log
  readonly #jobs = new Map<string, Job>()
  readonly #running = new Set<Omit<RunningJob, 'ms'> & { since: number }>()
  readonly #stops = new Map<string, number>()
  /** Hears of each job before it runs; the job waits for it. */
  onStart: () => Promise<void> = async () => {}

  /**
   * `app`: where the application's role logs in; `listen`: where LISTEN works, if not there. `works`: whether `work` will be
   * called; else jobs are only written, and the queue is looked after elsewhere.
   */
  constructor(urls: { app: string; listen?: string }, clock: Clock, log: Log, { works = true } = {}) {
    this.#pool = poolOf({ connectionString: urls.app, application_name: 'mainstreet jobs', max: 4 })
    this.#boss = new PgBoss({
      db: queueOn(this.#pool, connectionTo(urls.listen ?? urls.app, 'jobs listener'), log),
      schema: JOBS_SCHEMA,
      useListenNotify: works,
      supervise: works,
      schedule: works,
      // The owner does these, when it migrates.
      ...{ migrate: false, createSchema: false, reindex: false, monitorVacuum: false },
    })
    this.#boss.on('error', (error) => log.error({ err: error }, 'the job queue failed'))
    this.#clock = clock
    this.#log = log
  }

  /** Says what a kind of job does, before `open`. */
  define<Data>(name: string, handle: (data: Data) => Promise<void>, options: JobOptions = {}): void {
    if (this.#jobs.has(name)) throw new Error(`the job ${name} is defined twice`)
    this.#jobs.set(name, { handle, options })
  }

  /** Opens the queue, so that jobs can be written. */
  async open(): Promise<void> {
    await this.#boss.start()
    const known = new Map((await this.#boss.getQueues()).map((queue) => [queue.name, queue]))
    for (const [name, { options }] of this.#jobs) {
      const settings = {
        retryLimit: options.retryLimit ?? 8,
        retryDelay: options.retryDelaySeconds ?? 5,
        retryBackoff: true,
        expireInSeconds: options.timeoutSeconds ?? TIMEOUT_SECONDS,
        heartbeatSeconds: HEARTBEAT_SECONDS,
        notify: true,
      }
      const queue = known.get(name)
      if (!queue) await this.#boss.createQueue(name, { ...settings, policy: options.cron ? 'exclusive' : 'standard' })
      else if (Object.entries(settings).some(([key, value]) => queue[key as keyof typeof queue] !== value))
        await this.#boss.updateQueue(name, settings)
    }
  }

  /** Begins to do jobs, and to make those that run by the clock. */
  async work(): Promise<void> {
    for (const [name, job] of this.#jobs) {
      let worker = ''
      worker = await this.#boss.work(name, { pollingIntervalSeconds: 10 }, async (batch) => {
        try {
          for (const { id, data } of batch) await this.#run(name, job, data, id)
        } finally {
          // Notices that came meanwhile count as one, however many jobs they stood for: look again until there is none.
          if (worker) this.#boss.notifyWorker(worker)
        }
      })
      if (job.options.cron) await this.#boss.schedule(name, job.options.cron)
    }
    for (const { name } of await this.#boss.getSchedules())
      if (!this.#jobs.get(name)?.options.cron) await this.#boss.unschedule(name)
  }

  /** Writes a job in the caller's transaction: it runs after the commit, or never was. `after`: not before then. */
  async enqueue(tx: Tx, name: string, data: object, { after }: { after?: Date } = {}): Promise<void> {
    if (!this.#jobs.has(name)) throw new Error(`there is no job ${name}`)
    const client = clientOf(tx)
    const seconds = after ? Math.ceil((after.getTime() - this.#clock.now().getTime()) / 1000) : 0
    const db = { executeSql: (text: string, values?: unknown[]) => client.query(text, values) }
    await this.#boss.send(name, data, { db, ...(seconds > 0 && { startAfter: seconds }) })
  }

  /** Does what is due and returns when nothing is, for tests: how many jobs were done. A failed one waits for its next try. */
  async runDue(): Promise<number> {
    let done = 0
    for (const [name, job] of this.#jobs) {
      for (const { id, data } of await this.#boss.fetch<never>(name, { batchSize: 100 })) {
        done++
        await this.#run(name, job, data, id).then(
          () => this.#boss.complete(name, id),
          (error: Error) => this.#boss.fail(name, id, { message: error.message }),
        )
      }
    }
    return done === 0 ? 0 : done + (await this.runDue())
  }

  /** Runs a job's handler at once, for tests and commands. */
  async runNow(name: string, data: object = {}): Promise<void> {
    const job = this.#jobs.get(name)
    if (!job) throw new Error(`there is no job ${name}`)
    await job.handle(data as never)
  }

  /** Lets running jobs end, for a few seconds, and stops. */
  async stop(): Promise<void> {
    await this.#boss.stop({ graceful: true, timeout: 5000 })
    await this.#pool.end()
  }

  /** The jobs that run now. */
  running(): RunningJob[] {
    const now = performance.now()
    return [...this.#running].map(({ since, ...job }) => ({ ...job, ms: now - since }))
  }

  /**
   * Gives back a job whose worker ended in the middle of it, so that it is tried again, or cancels it if that happened before.
   * @returns true if it is not tried again
   */
  async giveBack(name: string, id: string): Promise<boolean> {
    const stops = (this.#stops.get(id) ?? 0) + 1
    this.#stops.set(id, stops)
    if (stops >= MAX_STOPS) await this.#boss.cancel(name, id)
    else await this.#boss.fail(name, id, { message: 'its worker ended' })
    return stops >= MAX_STOPS
  }

  async #run(name: string, job: Job, data: unknown, id: string): Promise<void> {
    const company = Object(data) as { company?: unknown }
    const limitMs = (job.options.timeoutSeconds ?? TIMEOUT_SECONDS) * 1000
    const one = {
      ...{ name, id, limitMs, since: performance.now() },
      company: typeof company.company === 'number' ? company.company : null,
    }
    this.#running.add(one)
    try {
      await this.onStart()
      await job.handle(data as never)
    } catch (error) {
      this.#log.warn({ err: error, job: name }, 'a job failed')
      throw error
    } finally {
      this.#running.delete(one)
    }
  }
}
