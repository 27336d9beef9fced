import { Counter } from 'prom-client'
import { auditPlatform } from './audit.ts'
import type { Clock } from './clock.ts'
import type { Pools } from './db/pool.ts'
import type { Jobs } from './jobs.ts'
import type { Log } from './log.ts'
import { outsideCompanies } from './tenancy.ts'
import type { Stop } from './watchdog.ts'

export const stoppedJobs = new Counter({
  name: 'mainstreet_stopped_jobs_total',
  help: 'Jobs that did not finish because their worker was stopped or died',
  labelNames: ['job', 'why'],
  registers: [],
})

interface Parts {
  jobs: Pick<Jobs, 'requeue'>
  log: Pick<Log, 'error'>
  clock: Clock
  db: Pick<Pools, 'platform'>
}

const messages = {
  blocked: 'a job blocked the worker, so the worker was stopped',
  overdue: 'a job exceeded its time limit, so its worker was stopped',
  died: 'the worker died while running jobs',
} as const

/**
 * Reports why a worker stopped, in the log, the metrics and the platform's audit log. Returns the worker's jobs to the
 * queue.
 */
export async function recordWorkerStop({ why, jobs: stopped }: Stop, { jobs, log, clock, db }: Parts): Promise<void> {
  const summaries = stopped.map(({ name, company, ms }) => ({ job: name, company, seconds: Math.round(ms / 1000) }))
  if (stopped.length === 0) return
  log.error({ why, jobs: summaries }, messages[why])
  for (const { name } of stopped) stoppedJobs.inc({ job: name, why })
  try {
    const canceled: string[] = []
    for (const { name, id } of stopped) if (id !== '' && (await jobs.requeue(name, id))) canceled.push(name)
    if (canceled.length > 0) log.error({ jobs: canceled }, 'these jobs are not tried again')
    const actor = { session: null, requestId: '', kind: 'system' } as const
    const detail = { why, jobs: summaries, ...(canceled.length > 0 && { canceled }) }
    await outsideCompanies(db.platform)((tx) => auditPlatform(tx, clock, actor, { action: 'job.stopped', detail }))
  } catch (error) {
    log.error({ err: error }, 'what a worker ended with could not be written down')
  }
}
