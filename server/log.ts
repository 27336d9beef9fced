import { once } from 'node:events'
import { Writable } from 'node:stream'
import pg from 'pg'
import { type Logger, pino } from 'pino'
import type { Watcher } from './response-watchers.ts'
import type { Config } from './config.ts'
import { readable } from './log-lines.ts'

export type Log = Logger

/**
 * Opens the log. It writes JSON lines asynchronously, or short readable lines in a terminal. Callers log facts and ids,
 * never personal data: no names, addresses, account or card numbers, tokens or query strings.
 */
export function openLog(
  config: Pick<Config, 'logLevel'>,
  output: NodeJS.WriteStream & { fd: number } = process.stdout,
): { log: Log; flush(): Promise<void> } {
  const options = {
    level: config.logLevel,
    base: null,
    timestamp: isoTime,
    serializers: { err: describeError },
  }
  if (output.isTTY) {
    const lines = new Writable({
      write: (chunk: Buffer, _encoding, done) => void output.write(readable(chunk.toString()), () => done()),
    })
    return { log: pino(options, lines), flush: async () => {} }
  }
  const destination = pino.destination({ fd: output.fd, sync: false, minLength: 8192, periodicFlush: 250 })
  const flush = async () => {
    destination.end()
    await once(destination, 'close')
  }
  return { log: pino(options, destination), flush }
}

/**
 * Timestamp of the last log line, as a number and as text. Many lines have the same millisecond, and formatting a time
 * takes longer than the rest of a line.
 */
let written = { at: 0, text: '' }
function isoTime(): string {
  const at = Date.now()
  if (at !== written.at) written = { at, text: `,"time":"${new Date(at).toISOString()}"` }
  return written.text
}

/**
 * Returns the part of an error that the log may contain. Omits PostgreSQL's details and quoted parts of messages,
 * because they contain row values. The code, table and constraint are enough to find the cause.
 */
export function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? error : 'something that is no error'
  const { name, stack } = error
  if (!(error instanceof pg.DatabaseError))
    return { type: name, message: error.message, stack: stack?.split('\n').slice(1, 8).join('\n') }
  const { code, table, column, constraint } = error
  return {
    type: 'DatabaseError',
    message: error.message.replaceAll(/"[^"]*"/g, '"…"'),
    code,
    table,
    column,
    constraint,
  }
}

/**
 * Logs one line for each request: the route pattern, the caller, the company and the duration. The pattern contains no
 * tokens or ids of the path.
 */
export const requestLog =
  (log: Log): Watcher =>
  (request, reply, ms) => {
    const { session, companyId } = request.caller ?? { session: null, companyId: null }
    log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? 'none',
        status: reply.statusCode,
        ms: Math.round(ms * 10) / 10,
        company: companyId,
        user: session?.personId ?? null,
        impersonator: session?.impersonatorId ?? null,
        requestId: request.id,
      },
      'request',
    )
  }
