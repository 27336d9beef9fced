import { setPriority } from 'node:os'
import { buildAppContext } from '../server/app.ts'
import { systemClock } from '../server/clock.ts'
import { type Mode, readConfig } from '../server/config.ts'
import type { Database } from '../server/db/database.ts'
import { openPools } from '../server/db/pool.ts'
import { Jobs } from '../server/jobs.ts'
import { type Lifetime, runServer } from '../server/lifetime.ts'
import { openLog } from '../server/log.ts'
import { openMailer } from '../server/mailer.ts'
import { openFiles } from '../server/open-files.ts'
import { reportJobs } from '../server/watchdog.ts'
import { features } from './server.ts'

/**
 * Nice value of the worker process. Under load, the worker gets a third of the CPU time that the portal gets, so that
 * pages stay fast.
 */
const NICENESS = 5

/**
 * Runs the portal's jobs in a separate process, so that large alerts, AutoPay runs or PDFs never delay a page.
 * `main.ts` starts this process with the portal's settings and database, and restarts it after a crash.
 */
async function work(lifetime: Lifetime): Promise<void> {
  // Exits when the portal process has ended. Each step is one transaction, so no work is left incomplete.
  process.once('disconnect', () => process.exit(0))
  setPriority(NICENESS)
  const config = readConfig(process.env, process.env['WORKER_MODE'] as Mode)
  const urls = JSON.parse(process.env['WORKER_DATABASES'] ?? '') as Database['urls']
  const { log, flush } = openLog(config)
  lifetime.onStop(flush)
  const clock = systemClock
  const db = openPools(urls)
  lifetime.onStop(db.close)
  const jobs = new Jobs(urls, clock, log)
  const files = await openFiles(config, clock)
  const mailer = openMailer({ config, clock, jobs, db })
  const context = buildAppContext({ config, clock, log, jobs, mailer, files, db, features })
  lifetime.onStop(() => context.live.stop())
  lifetime.onStop(() => jobs.stop())
  await context.live.start()
  await jobs.open()
  lifetime.onStop(reportJobs(jobs))
  await jobs.work()
  log.info({ worker: process.pid }, 'the jobs are done here')
}

await runServer(work)
