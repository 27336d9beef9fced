import { StartError } from './start-error.ts'

const MAX_STOP_MS = 15_000
/**
 * Time in which two interrupts count as one, in milliseconds. Under npm, one Ctrl-C arrives twice: from the terminal
 * and from the parent process.
 */
const SAME_SIGNAL_MS = 1000

/** Started parts of a process, in order. A stop of the process ends each part once, in reverse order. */
export class Lifetime {
  readonly #ends: (() => unknown)[] = []
  #leave: () => Promise<void> = async () => {}
  #stopping: Promise<void> | null = null

  /** Registers `end` for a new part. A stop of the process calls it before the `end` of earlier parts. */
  onStop(end: () => unknown): void {
    this.#ends.push(end)
  }

  /**
   * Sets `leave`, the first step of a shutdown that a signal starts. This step completes before any part ends. After a
   * failure, `leave` does not run.
   */
  onLeave(leave: () => Promise<void>): void {
    this.#leave = leave
  }

  leave(): Promise<void> {
    return this.#leave()
  }

  /** True after shutdown has started. Later failures are then only consequences of the shutdown. */
  get stopping(): boolean {
    return this.#stopping !== null
  }

  stop(): Promise<void> {
    return (this.#stopping ??= this.#stop())
  }

  async #stop(): Promise<void> {
    for (const end of this.#ends.toReversed()) {
      try {
        await end()
      } catch (error) {
        console.error('While stopping:', error)
      }
    }
  }
}

/**
 * Runs a server until a signal stops it. After SIGINT or SIGTERM, the server runs `leave` and stops cleanly. A second
 * signal stops it immediately. A StartError is reported in one line. After any failure, all started parts end and the
 * exit code is 1.
 */
export async function runServer(start: (lifetime: Lifetime) => Promise<void>): Promise<void> {
  const lifetime = new Lifetime()
  let firstSignal = 0
  const onSignal = () => {
    const now = Date.now()
    if (firstSignal === 0) {
      firstSignal = now
      void lifetime.leave().then(() => stopAndExit(lifetime, 0))
    } else if (now - firstSignal > SAME_SIGNAL_MS) process.exit(1)
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  process.on('uncaughtException', (error) => void giveUp(lifetime, error))
  await runCommandWithin(lifetime, () => start(lifetime))
}

/** Runs a command to its end, then ends the parts that it started. */
export async function runCommand(command: (lifetime: Lifetime) => Promise<void>): Promise<void> {
  const lifetime = new Lifetime()
  await runCommandWithin(lifetime, () => command(lifetime))
  await stopAndExit(lifetime, Number(process.exitCode ?? 0))
}

async function runCommandWithin(lifetime: Lifetime, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!lifetime.stopping) await giveUp(lifetime, error)
  }
}

export async function giveUp(lifetime: Lifetime, error: unknown): Promise<never> {
  console.error(error instanceof StartError ? error.message : error)
  return stopAndExit(lifetime, 1)
}

async function stopAndExit(lifetime: Lifetime, code: number): Promise<never> {
  setTimeout(() => process.exit(1), MAX_STOP_MS).unref()
  await lifetime.stop()
  process.exit(code)
}
