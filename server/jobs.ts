import type pg from 'pg'
import { type Db, PgBoss } from 'pg-boss'
import type { Clock } from './clock.ts'
import { JOBS_SCHEMA } from './db/install-jobs.ts'
import { Listener } from './db/listener.ts'
import { connectionTo, poolOf } from './db/pool.ts'
import type { Log } from './log.ts'
import { mayStartJob } from './current-preview.ts'
import { clientOf, type Tx } from './tenancy.ts'

export interface JobOptions {
  /** Number of retries of a failed job. The delay doubles with each retry. Default 8. */
  retryLimit?: number
  /** Delay before the first retry, in seconds. Default 5. */
  retryDelaySeconds?: number
  /** Cron schedule in UTC, such as "0 6 * * *". Scheduled runs get no data and never overlap. */
  cron?: string
  /** Maximum duration in seconds. A job that takes longer counts as failed. Default 300. */
  timeoutSeconds?: number
}

/** Job that is running now. */
export interface RunningJob {
  name: string
  /** Id of the job in the queue. '' for a job that did not come from the queue. */
  id: string
  /** Company id of the job. Null if the job's data contains no company. */
  company: number | null
  /** `ms` is the time since the job started. `limitMs` is the longest time allowed. */
  ms: number
  limitMs: number
}

/** A job is cancelled after this many workers have died while they ran it. */
const MAX_STOPS = 2
const TIMEOUT_SECONDS = 300
/**
 * Seconds without a heartbeat after which a job counts as abandoned. Its worker may have died before the job started.
 */
const HEARTBEAT_SECONDS = 60

interface Job {
  handle: (data: never) => Promise<void>
  options: JobOptions
}

/**
 * Gives the queue access to the database. The queue listens on a separate connection, because LISTEN does not work
 * through a connection pooler.
 */
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
 * Queue of work that runs after a commit. A job is written in the transaction that causes it, so both commit or neither
 * does. A job runs at least once, in any portal process, so handlers must tolerate repeats.
 */
export class Jobs {
  readonly #boss: PgBoss
  readonly #pool: pg.Pool
  readonly #clock: Clock
  readonly #log: Log
  readonly #jobs = new Map<string, Job>()
  readonly #running = new Set<Omit<RunningJob, 'ms'> & { since: number }>()
  readonly #stops = new Map<string, number>()
  /** Called before each job starts. The job waits for the returned promise. */
  onStart: () => Promise<void> = async () => {}

  /**
   * `app` is the URL for the application role. `listen` is the URL for LISTEN, if different. `works` is false for a
   * process that only adds jobs, while another process maintains the queue.
   */
  constructor(urls: { app: string; listen?: string }, clock: Clock, log: Log, { works = true } = {}) {
    this.#pool = poolOf({ connectionString: urls.app, application_name: 'mainstreet jobs', max: 4 })
    this.#boss = new PgBoss({
      db: queueOn(this.#pool, connectionTo(urls.listen ?? urls.app, 'jobs listener'), log),
      schema: JOBS_SCHEMA,
      useListenNotify: works,
      supervise: works,
      schedule: works,
      // The owner role makes these schema changes when it migrates the database.
      ...{ migrate: false, createSchema: false, reindex: false, monitorVacuum: false },
    })
    this.#boss.on('error', (error) => log.error({ err: error }, 'the job queue failed'))
    this.#clock = clock
    this.#log = log
  }

  /** Defines a kind of job. Call it before `open`. */
  define<Data>(name: string, handle: (data: Data) => Promise<void>, options: JobOptions = {}): void {
    if (this.#jobs.has(name)) throw new Error(`the job ${name} is defined twice`)
    this.#jobs.set(name, { handle, options })
  }

  /** Opens the queue, so that jobs can be added. */
  async open(): Promise<void> {
    await this.#boss.start()
    const existing = new Map((await this.#boss.getQueues()).map((queue) => [queue.name, queue]))
    for (const [name, { options }] of this.#jobs) {
      const settings = {
        retryLimit: options.retryLimit ?? 8,
        retryDelay: options.retryDelaySeconds ?? 5,
        retryBackoff: true,
        expireInSeconds: options.timeoutSeconds ?? TIMEOUT_SECONDS,
        heartbeatSeconds: HEARTBEAT_SECONDS,
        notify: true,
      }
      const queue = existing.get(name)
      if (!queue) await this.#boss.createQueue(name, { ...settings, policy: options.cron ? 'exclusive' : 'standard' })
      else if (Object.entries(settings).some(([key, value]) => queue[key as keyof typeof queue] !== value))
        await this.#boss.updateQueue(name, settings)
    }
  }

  /** Starts running due jobs and creating scheduled jobs. */
  async work(): Promise<void> {
    for (const [name, job] of this.#jobs) {
      let worker = ''
      worker = await this.#boss.work(name, { pollingIntervalSeconds: 10 }, async (batch) => {
        try {
          for (const { id, data } of batch) await this.#run(name, job, data, id)
        } finally {
          // Several notifications that arrive during a run count as one, even if they report several jobs. So the
          // worker checks the queue again until it is empty.
          if (worker) this.#boss.notifyWorker(worker)
        }
      })
      if (job.options.cron) await this.#boss.schedule(name, job.options.cron)
    }
    for (const { name } of await this.#boss.getSchedules())
      if (!this.#jobs.get(name)?.options.cron) await this.#boss.unschedule(name)
  }

  /**
   * Adds a job in the caller's transaction. The job runs after the commit, or never if the transaction rolls back.
   * `after` is the earliest start.
   */
  async enqueue(tx: Tx, name: string, data: object, { after }: { after?: Date } = {}): Promise<void> {
    if (!this.#jobs.has(name)) throw new Error(`there is no job ${name}`)
    if (!mayStartJob(name)) return
    const client = clientOf(tx)
    const seconds = after ? Math.ceil((after.getTime() - this.#clock.now().getTime()) / 1000) : 0
    const db = { executeSql: (text: string, values?: unknown[]) => client.query(text, values) }
    await this.#boss.send(name, data, { db, ...(seconds > 0 && { startAfter: seconds }) })
  }

  /** Runs all due jobs, for tests. Returns the number of jobs. A failed job waits for its next retry. */
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

  /** Runs a job's handler immediately, for tests and commands. */
  async runNow(name: string, data: object = {}): Promise<void> {
    const job = this.#jobs.get(name)
    if (!job) throw new Error(`there is no job ${name}`)
    await job.handle(data as never)
  }

  /** Waits a few seconds for running jobs, then stops. */
  async stop(): Promise<void> {
    await this.#boss.stop({ graceful: true, timeout: 5000 })
    await this.#pool.end()
  }

  running(): RunningJob[] {
    const now = performance.now()
    return [...this.#running].map(({ since, ...job }) => ({ ...job, ms: now - since }))
  }

  /**
   * Returns a job to the queue after its worker process died, so that the job runs again. If `MAX_STOPS` workers have
   * died during the job, cancels the job.
   * @returns True if the job will not run again
   */
  async requeue(name: string, id: string): Promise<boolean> {
    const stops = (this.#stops.get(id) ?? 0) + 1
    this.#stops.set(id, stops)
    if (stops >= MAX_STOPS) await this.#boss.cancel(name, id)
    else await this.#boss.fail(name, id, { message: 'the job’s worker process stopped' })
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
