import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from '../ports.ts'
import { reasonOf, StartError } from '../start-error.ts'
import { findBinaries, reachableFolder, type Runner, runner } from './binaries.ts'
import { isRunning } from './lock.ts'

export interface Embedded {
  /** URL of the owner role, with the password. */
  url: string
  /** True if the server was still running because its portal had been killed. */
  adopted: boolean
  stop(): Promise<void>
  /** Registers a callback for when the server ends unexpectedly. */
  onDeath(callback: () => void): void
}

interface Options {
  dataDir: string
  /** False for tests, where databases exist for seconds only. A power failure may then lose data. */
  durable?: boolean
  /** Folder of an additional Unix socket. Tests send many queries, which are faster over a socket. */
  sockets?: string
}

const OWNER = 'mainstreet'
const MAX_START_MS = 60_000
/**
 * Maximum time, in milliseconds, to wait for a response from a leftover server. If the server does not respond, the
 * portal stops it.
 */
const MAX_RESPONSE_MS = 3000
const MAX_STOP_MS = 15_000
const LARGEST_LOG = 10_000_000
const EXE = process.platform === 'win32' ? '.exe' : ''

/**
 * Settings that differ from PostgreSQL's defaults. The log omits statements and their values, because they contain
 * personal data.
 */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  max_connections: '200',
  shared_buffers: '256MB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
  jit: 'off',
}

/** Settings for a temporary database that does not need to survive a crash. */
const THROWN_AWAY = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  autovacuum: 'off',
}

/**
 * Starts the embedded PostgreSQL of a data folder. Creates the database on the first start, or adopts a server that
 * outlived its portal. The server listens only on loopback, with a password saved in the data folder. The caller must
 * hold the folder's lock.
 * @throws StartError
 */
export async function startEmbedded({ dataDir, durable = true, sockets = '' }: Options): Promise<Embedded> {
  const user = runner()
  const bin = findBinaries(user)
  const password = storePassword(dataDir)
  const folder = reachableFolder(join(dataDir, 'postgres'), user, password)
  if (!existsSync(join(folder, 'PG_VERSION'))) await makeCluster(bin, folder, password, user, durable)
  const left = await takeOver(folder, password)
  const running =
    left ?? (await launch(bin, folder, password, user, { logFile: join(dataDir, 'postgres.log'), durable, sockets }))
  await makeDatabase(running.port, password)
  return lifeOf(running, folder, password, left !== null)
}

/** True if this folder ever had an embedded server. */
export const isMade = (dataDir: string): boolean => existsSync(passwordOf(dataDir))

/**
 * Finds the database server of a portal that is running on this folder, so that a command can use it. Null if no server
 * responds.
 */
export async function findRunning(dataDir: string): Promise<{ url: string } | null> {
  const password = storePassword(dataDir)
  const running = await takeOver(reachableFolder(join(dataDir, 'postgres'), runner(), password), password)
  return running && { url: urlOf(running.port, password) }
}

interface RunningServer {
  pid: number
  port: number
  /** Process of the server. Null if the server was adopted. */
  child: ChildProcess | null
}

function lifeOf(running: RunningServer, folder: string, password: string, adopted: boolean): Embedded {
  const { pid, port, child } = running
  let stopping: Promise<void> | null = null
  // Stops the database when this process exits. This can't happen if the process is killed with -9.
  const stopAtOnce = () => signal(pid, 'SIGINT')
  process.once('exit', stopAtOnce)
  return {
    url: urlOf(port, password),
    adopted,
    stop: () => {
      process.off('exit', stopAtOnce)
      return (stopping ??= stopServer(pid, folder))
    },
    onDeath: (callback) => {
      child?.once('exit', () => {
        if (!stopping) callback()
      })
    },
  }
}

const urlOf = (port: number, password: string, database = OWNER) =>
  `postgres://${OWNER}:${password}@127.0.0.1:${port}/${database}`

const passwordOf = (dataDir: string) => join(dataDir, 'postgres-password')

function storePassword(dataDir: string): string {
  const path = passwordOf(dataDir)
  if (existsSync(path)) return readFileSync(path, 'utf8').trim()
  if (existsSync(join(dataDir, 'postgres')))
    throw new StartError(`${path} is missing, and nothing else opens the database beside it.`)
  const password = randomBytes(24).toString('base64url')
  writeFileSync(path, `${password}\n`, { mode: 0o600 })
  return password
}

/** Creates the database cluster in a temporary folder, then moves the complete cluster to its final location. */
async function makeCluster(
  bin: string,
  folder: string,
  password: string,
  user: Runner | null,
  durable: boolean,
): Promise<void> {
  const unfinished = `${folder}.unfinished`
  const passwordFile = `${folder}.password`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { mode: 0o700 })
  writeFileSync(passwordFile, password, { mode: 0o600 })
  if (user) for (const path of [unfinished, passwordFile]) chownSync(path, user.uid, user.gid)
  const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
  const access = [`--username=${OWNER}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256']
  const child = spawn(
    join(bin, `initdb${EXE}`),
    ['-D', unfinished, ...access, ...locale, '--no-instructions', ...(durable ? [] : ['--no-sync'])],
    {
      ...asUser(user),
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  let complaint = ''
  child.stderr.on('data', (text: Buffer) => (complaint += text.toString()))
  const code = await ending(child)
  rmSync(passwordFile, { force: true })
  if (code !== 0)
    throw new StartError(`The embedded database could not be made: ${complaint.trim().split('\n').at(-1) ?? code}`)
  renameSync(unfinished, folder)
}

/**
 * Returns the spawn options for running the server as this user. Except on Windows, the server does not inherit our
 * environment, and its working directory is the root folder. Otherwise, the server would keep our current folder in
 * use.
 */
const asUser = (user: Runner | null) => ({
  ...user,
  cwd: process.platform === 'win32' ? undefined : '/',
  env: process.platform === 'win32' ? process.env : { PATH: process.env['PATH'], LC_ALL: 'C' },
})

/**
 * Waits for a child process to end. Returns its exit code.
 * @throws StartError if the process could not start
 */
async function ending(child: ChildProcess): Promise<number | null> {
  try {
    const [code] = (await once(child, 'exit')) as [number | null]
    return code
  } catch (error) {
    throw new StartError(`The embedded database could not be started (${reasonOf(error)}).`)
  }
}

/**
 * Finds a server that is still running on the folder. Stops a server that doesn't respond. If another process now has
 * the server's process id, removes the leftover `postmaster.pid`.
 */
async function takeOver(folder: string, password: string): Promise<RunningServer | null> {
  const left = readPostmaster(folder)
  if (!left || !isRunning(left.pid)) return null
  if (!isServerOf(left.pid, folder)) {
    rmSync(join(folder, 'postmaster.pid'), { force: true })
    return null
  }
  const alive = () => readPostmaster(folder)?.pid === left.pid && isRunning(left.pid)
  if (left.port && (await acceptsConnections(left.port, password, alive, MAX_RESPONSE_MS)))
    return { pid: left.pid, port: left.port, child: null }
  await stopServer(left.pid, folder)
  return null
}

function readPostmaster(folder: string): { pid: number; port: number } | null {
  try {
    const lines = readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')
    const [pid, port] = [Number(lines[0]), Number(lines[3])]
    return Number.isSafeInteger(pid) && pid > 0 ? { pid, port } : null
  } catch {
    return null
  }
}

/** True if this process is the folder's server. After a machine crash, another process may have the same process id. */
function isServerOf(pid: number, folder: string): boolean {
  if (process.platform !== 'linux') return true
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folder)
  } catch {
    return false
  }
}

async function launch(
  bin: string,
  folder: string,
  password: string,
  user: Runner | null,
  how: { logFile: string; durable: boolean; sockets: string },
): Promise<RunningServer> {
  const settings = { ...SETTINGS, ...(!how.durable && THROWN_AWAY), unix_socket_directories: how.sockets }
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const log = openLog(how.logFile)
  try {
    const port = await freePort()
    // Starts the server in a separate process group. Ctrl-C in a terminal then reaches only the portal, which finishes
    // its work before the server ends.
    const child = spawn(join(bin, `postgres${EXE}`), ['-D', folder, '-p', String(port), ...options], {
      ...asUser(user),
      detached: true,
      stdio: ['ignore', log, log],
    })
    const ended = ending(child)
    let alive = true
    ended.then(
      () => (alive = false),
      () => (alive = false),
    )
    if (!(await acceptsConnections(port, password, () => alive, MAX_START_MS))) {
      if (!alive) await ended
      else signal(child.pid ?? 0, 'SIGQUIT')
      throw new StartError(`The embedded database did not start. ${how.logFile} says why.`)
    }
    child.unref()
    return { pid: child.pid ?? 0, port, child }
  } finally {
    closeSync(log)
  }
}

function openLog(path: string): number {
  if (existsSync(path) && statSync(path).size > LARGEST_LOG) renameSync(path, `${path}.1`)
  return openSync(path, 'a', 0o600)
}

async function acceptsConnections(
  port: number,
  password: string,
  alive: () => boolean,
  maxMs: number,
): Promise<boolean> {
  for (const until = Date.now() + maxMs; alive() && Date.now() < until; await wait(25)) {
    const client = new pg.Client({ connectionString: urlOf(port, password, 'postgres'), connectionTimeoutMillis: 5000 })
    client.on('error', () => {})
    try {
      await client.connect()
      return true
    } catch {
      // The server is not accepting connections yet.
    } finally {
      await client.end().catch(() => {})
    }
  }
  return false
}

async function makeDatabase(port: number, password: string): Promise<void> {
  const client = new pg.Client({ connectionString: urlOf(port, password, 'postgres') })
  await client.connect()
  try {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [OWNER])
    if (!rowCount) await client.query(`CREATE DATABASE ${OWNER}`)
  } finally {
    await client.end()
  }
}

/**
 * Stops the server in fast mode: it ends all connections and keeps committed data. The server removes `postmaster.pid`
 * as its last step.
 */
async function stopServer(pid: number, folder: string): Promise<void> {
  const left = () => readPostmaster(folder)?.pid === pid && isRunning(pid)
  for (const how of ['SIGINT', 'SIGQUIT'] as const) {
    signal(pid, how)
    for (const until = Date.now() + MAX_STOP_MS; left() && Date.now() < until; await wait(20));
    if (!left()) return
  }
}

function signal(pid: number, how: NodeJS.Signals): void {
  try {
    process.kill(pid, how)
  } catch {
    // The process has already ended.
  }
}
