import type { FastifyInstance } from 'fastify'
import { openServer } from './api.ts'
import { type Clock, openClock } from './clock.ts'
import { type Database, openDatabase, type Schema } from './database.ts'
import { type Events, openEvents } from './events.ts'
import { type Movements, openMovements } from './movements.ts'
import type { ProviderSettings } from './settings.ts'

/** Database, clock, events and money movements of a provider. */
export interface ProviderDeps {
  database: Database
  clock: Clock
  events: Events
  movements: Movements
}

/** Opens the database of a provider and the parts that use it. Creates the database tables if needed. */
export async function openProvider(settings: ProviderSettings, schema: Schema): Promise<ProviderDeps> {
  const database = openDatabase(settings.databaseUrl, schema)
  await database.prepare()
  const clock = await openClock(database)
  return { database, clock, events: openEvents(database, clock, settings), movements: openMovements(database, clock) }
}

/** Creates the server of a provider with its health check. `name` appears in its log. */
export function openProviderServer(name: string, bodyLimit: number, database: Database): FastifyInstance {
  const app = openServer(name, bodyLimit)
  app.get('/healthz', async () => {
    await database.query('SELECT 1')
    return { status: 'ok' }
  })
  return app
}

/** Runs the due work repeatedly until the server closes, then closes the database. Runs never overlap. */
export function repeatWork(
  app: FastifyInstance,
  database: Database,
  everyMs: number,
  work: () => Promise<unknown>,
  onError: (error: Error) => void,
): void {
  let run: Promise<unknown> = Promise.resolve()
  let isRunning = false
  const timer = setInterval(() => {
    if (isRunning) return
    isRunning = true
    run = work()
      .catch(onError)
      .finally(() => (isRunning = false))
  }, everyMs)
  timer.unref()
  app.addHook('onClose', async () => {
    clearInterval(timer)
    await run
    await database.close()
  })
}
