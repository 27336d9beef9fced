import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mapleGrove } from '../database/towns/maple-grove.ts'
import { testDatabase, testPortal } from '../test/harness.ts'
import { bareEnv } from '../test/processes.ts'
import { openTestCompany } from '../test/company.ts'
import { type ChildHandle, startChildProcess } from './child-process.ts'
import { recordWorkerStop, stoppedJobs } from './stopped-jobs.ts'
import type { CompanyId } from './tenancy.ts'
import { type Stop, watchWorkers } from './watchdog.ts'

const database = await testDatabase()
const { context, db, clock, owner } = await testPortal({ database })
const { log } = context
const stops: Stop[] = []
let company: CompanyId
let worker: ChildHandle

beforeAll(async () => {
  company = await openTestCompany({ db, clock }, mapleGrove)
  for (const name of ['test.block', 'test.hang', 'test.quick']) context.jobs.define(name, async () => {})
  const watch = watchWorkers(
    (stop) => {
      stops.push(stop)
      void recordWorkerStop(stop, { jobs: context.jobs, log, clock, db })
    },
    { blockedMs: 2500, graceMs: 500, everyMs: 100 },
  )
  const entry = fileURLToPath(new URL('../test/blocking-worker.ts', import.meta.url))
  const env = { ...bareEnv, WORKER_DATABASES: JSON.stringify(database.urls) }
  worker = startChildProcess({ name: 'worker', entry, env, log, level: null, watch })
  worker.keep()
  await until(async () => (await owner.query("SELECT 1 FROM jobs.queue WHERE name = 'test.quick'")).rowCount === 1)
})
afterAll(() => worker.stop())

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await wait(50)
}
const enqueue = (name: string) => context.inCompany(company, (tx) => context.jobs.enqueue(tx, name, { company }))
const isIn = (name: string, state: string) => async () => {
  const { rows } = await owner.query<{ state: string }>('SELECT state FROM jobs.job WHERE name = $1', [name])
  return rows.length > 0 && rows.every((row) => row.state === state)
}

test('stops and reports a job that blocks the worker, and others continue', { timeout: 90_000 }, async () => {
  await enqueue('test.block')
  await until(isIn('test.block', 'active'))
  await enqueue('test.quick')
  await until(isIn('test.quick', 'completed'))
  await until(isIn('test.block', 'cancelled'))
  expect(stops.map(({ why, jobs }) => [why, jobs.map((job) => [job.name, job.company])])).toEqual([
    ['blocked', [['test.block', company]]],
    ['blocked', [['test.block', company]]],
  ])
  const written = () => owner.query("SELECT detail FROM platform_audit_event WHERE action = 'job.stopped' ORDER BY id")
  await until(async () => (await written()).rowCount === 2)
  expect((await written()).rows).toMatchObject([
    { detail: { why: 'blocked', jobs: [{ job: 'test.block', company }] } },
    { detail: { canceled: ['test.block'] } },
  ])
  expect((await stoppedJobs.get()).values).toMatchObject([{ labels: { job: 'test.block', why: 'blocked' }, value: 2 }])
})

test('stops a job that waits beyond its time limit', async () => {
  stops.length = 0
  await enqueue('test.hang')
  await until(async () => stops.length > 0)
  expect(stops[0]).toMatchObject({ why: 'overdue', jobs: [{ name: 'test.hang', company }] })
  await until(isIn('test.hang', 'cancelled'))
})
