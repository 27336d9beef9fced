import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { reasonOf, StartError } from './start-error.ts'

/**
 * Lowest port and number of ports in the range. The range is below the ports that the system uses for outgoing
 * connections. Such a connection could otherwise take a port before the server listens on it.
 */
const [LOWEST, PORTS] = [10_000, 20_000]
/** Port of this range to which browsers and `fetch` refuse to connect. */
const BLOCKED = 10_080

/** Ports that this process has already assigned. Their servers may not have started yet. */
const allocatedPorts = new Set<number>()

/** Finds a free loopback port. Never returns the same port twice in one process. */
export async function freePort(random: (max: number) => number = randomInt): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    const port = LOWEST + random(PORTS)
    if (port === BLOCKED || allocatedPorts.has(port)) continue
    allocatedPorts.add(port)
    const free = await tryPort(port, '127.0.0.1').catch(() => null)
    if (free !== null) return free
  }
  return tryPort(0, '127.0.0.1')
}

/** Checks before startup that no other process uses a port. `name` is the environment variable that sets the port. */
export async function claimable(name: string, port: number, host: string): Promise<void> {
  try {
    await tryPort(port, host)
  } catch (error) {
    throw portInUse(name, port, error)
  }
}

/** Creates the one-line error of a port that is not available. */
export function portInUse(name: string, port: number, error: unknown): StartError {
  const code = (error as NodeJS.ErrnoException).code
  if (code === 'EADDRINUSE')
    return new StartError(`${name} ${port} is in use. Stop what listens there, or set ${name} to another port.`)
  if (code === 'EACCES')
    return new StartError(`${name} ${port} may not be used by this user. Set ${name} to a port above 1023.`)
  return new StartError(`${name} ${port} cannot be listened on (${reasonOf(error)}). See HOST.`)
}

async function tryPort(port: number, host: string): Promise<number> {
  const server = createServer().listen({ port, host, exclusive: true })
  await once(server, 'listening')
  const address = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return address.port
}
