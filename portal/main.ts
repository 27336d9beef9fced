import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type ChildHandle, startChildProcess } from '../server/child-process.ts'
import { systemClock } from '../server/clock.ts'
import { type Config, type Mode, readConfig } from '../server/config.ts'
import { type Database, openDatabase } from '../server/db/database.ts'
import { isDemoDue } from '../server/demo.ts'
import { startGateway } from '../server/gateway-process.ts'
import { Jobs } from '../server/jobs.ts'
import { giveUp, type Lifetime, runServer } from '../server/lifetime.ts'
import { type Log, openLog } from '../server/log.ts'
import { openMailer } from '../server/mailer.ts'
import { openFiles } from '../server/open-files.ts'
import type { PageRenderer, PageSource } from '../server/page-texts.ts'
import { builtPages, devPages } from '../server/pages.ts'
import { claimable, portInUse } from '../server/ports.ts'
import { claimKey } from '../server/secret-key.ts'
import { StartError } from '../server/start-error.ts'
import { recordWorkerStop } from '../server/stopped-jobs.ts'
import { watchWorkers } from '../server/watchdog.ts'
import { printLine, printWelcome } from '../server/welcome.ts'

const RENDERER = new URL('../dist/server/citizen-server.js', import.meta.url).href
const BUILT_PAGES = fileURLToPath(new URL('../dist/web', import.meta.url))
/** Maximum time that running requests may take after the stop signal. In milliseconds. */
const LAST_REQUESTS_MS = 5000
/**
 * Node options of the worker. It collects garbage when the heap is 20% larger than its live objects, not several times as
 * large. A limit of the heap would end the worker in the largest jobs.
 */
const WORKER_FLAGS = ['--heap-growing-percent=20', '--max-semi-space-size=4']

/** Starts every part of the portal in order. On exit, the parts stop in reverse order. */
async function start(lifetime: Lifetime): Promise<void> {
  const config = readConfig(process.env, modeOf(process.argv[2]))
  await claimable('PORT', config.port, config.host)
  if (config.gateway.run) await claimable('GATEWAY_PORT', config.gateway.port, config.host)

  const { log, flush } = openLog(config)
  lifetime.onStop(flush)
  const clock = systemClock
  const files = await openFiles(config, clock)

  if (config.database.url === null) printLine('Starting the database')
  const database = await openDatabase(config)
  lifetime.onStop(database.close)
  database.embedded?.onDeath(
    () =>
      void giveUp(lifetime, new StartError(`The embedded database ended. ${config.dataDir}/postgres.log says why.`)),
  )

  await claimKey(database.pools.platform, config.secretKey, clock)

  if (config.demo && (await isDemoDue(database.ownerUrl))) await loadDemo(database, lifetime, log)

  if (config.gateway.run && database.urls.gateway) {
    const gateway = await startGateway(config, database.urls.gateway, log)
    lifetime.onStop(gateway.stop)
  }

  const db = database.pools
  const beside = config.jobs === 'beside'
  const jobs = new Jobs(database.urls, clock, log, { works: !beside })
  const mailer = openMailer({ config, clock, jobs, db })
  const pages = await openPages(config, lifetime)
  // Loads these modules late, because loading them takes a second. Earlier start errors then appear without this delay.
  const [{ buildApp }, { features }] = await Promise.all([import('../server/app.ts'), import('./server.ts')])
  const { app, leave } = await buildApp({ config, clock, log, jobs, mailer, files, pages, db, features })
  lifetime.onStop(() => jobs.stop())
  lifetime.onStop(() => Promise.race([app.close(), after(LAST_REQUESTS_MS)]))

  await jobs.open()
  if (!beside) await jobs.work()

  await app.listen({ port: config.port, host: config.host }).catch((error: unknown) => {
    throw portInUse('PORT', config.port, error)
  })
  if (beside) {
    const watch = watchWorkers((stopped) => void recordWorkerStop(stopped, { jobs, log, clock, db }))
    lifetime.onStop(startWorker(database.urls, log, watch).stop)
  }
  lifetime.onLeave(() => {
    leave()
    return after(config.drainSeconds * 1000)
  })
  printWelcome(config)
  // Notifies the launcher (`bin/mainstreet.mjs`) that the portal is ready. The launcher restarts a crashed portal only
  // if it was ready before.
  process.send?.('ready')
}

function modeOf(argument: string | undefined): Mode {
  if (argument === 'start' || argument === 'dev' || argument === 'production') return argument
  throw new StartError('Say what to run: start, dev or production.')
}

/**
 * Starts the process that runs the jobs (`worker.ts`). The worker uses the settings of the portal and the database that
 * the portal found or started.
 */
function startWorker(urls: Database['urls'], log: Log, watch: (worker: ChildProcess) => void): ChildHandle {
  const entry = fileURLToPath(new URL('worker.ts', import.meta.url))
  const env = { ...process.env, WORKER_MODE: process.argv[2], WORKER_DATABASES: JSON.stringify(urls) }
  const worker = startChildProcess({ name: 'worker', entry, flags: WORKER_FLAGS, env, log, level: null, watch })
  worker.keep()
  return worker
}

/**
 * Loads the demo in a separate process (`load-demo.ts`), because the portal would never free the memory used for
 * loading.
 */
async function loadDemo({ urls, ownerUrl }: Database, lifetime: Lifetime, log: Log): Promise<void> {
  const entry = fileURLToPath(new URL('load-demo.ts', import.meta.url))
  const env = { ...process.env, DEMO_MODE: process.argv[2], DEMO_DATABASE: JSON.stringify({ urls, ownerUrl }) }
  const loading = startChildProcess({ name: 'demo', entry, env, log, level: null })
  lifetime.onStop(loading.stop)
  const [code] = (await once(loading.first, 'exit')) as [number | null]
  if (code !== 0)
    throw new StartError('The demo could not be loaded. The lines above say why. The next start tries again.')
}

/** Opens the built pages, or Vite's server during development. */
async function openPages(config: Config, lifetime: Lifetime): Promise<PageSource> {
  if (config.mode !== 'dev') return builtPages(BUILT_PAGES, (await import(RENDERER)) as PageRenderer)
  const { createServer } = await import('vite')
  const vite = await createServer({
    configFile: fileURLToPath(new URL('../vite.config.ts', import.meta.url)),
    // The native loader writes no copy of the config file. A copy would make the watcher restart the portal.
    configLoader: 'native',
    server: { middlewareMode: true, ws: { port: config.gateway.port + 1 } },
  })
  lifetime.onStop(() => vite.close())
  return devPages(vite)
}

const after = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms).unref())

await runServer(start)
