/** Worker for the watchdog test. One of its jobs blocks the processor forever, and another never ends. */
import { systemClock } from '../server/clock.ts'
import { Jobs } from '../server/jobs.ts'
import type { Log } from '../server/log.ts'
import { reportJobs } from '../server/watchdog.ts'

const silent = { warn: () => {}, error: () => {}, info: () => {} } as unknown as Log

process.once('disconnect', () => process.exit(0))
const jobs = new Jobs(JSON.parse(process.env['WORKER_DATABASES'] ?? ''), systemClock, silent)
/** Delays retries, so that they start only after the other jobs have run. */
const retries = { retryDelaySeconds: 8 }
jobs.define(
  'test.block',
  async () => {
    for (;;);
  },
  retries,
)
jobs.define('test.hang', () => new Promise(() => {}), { retryDelaySeconds: 1, timeoutSeconds: 2 })
jobs.define('test.quick', async () => {})
await jobs.open()
reportJobs(jobs)
await jobs.work()
