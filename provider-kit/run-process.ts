import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { ProviderSettings } from './settings.ts'

interface Provider {
  settings: Pick<ProviderSettings, 'port' | 'host'>
  /** Builds the server. `localOrigin` returns its origin on this machine, which is known only after it listens. */
  build: (localOrigin: () => string) => Promise<FastifyInstance>
}

/**
 * Runs a provider process until a signal stops it. `prepare` reads the settings. If a setting is wrong, the process
 * reports it and exits.
 */
export async function runProcess(name: string, prepare: () => Provider): Promise<void> {
  // Exits immediately when the parent process ends, so that the next start finds the port free. Each step is one
  // transaction, so no work is left incomplete.
  process.once('disconnect', () => process.exit(0))
  try {
    const { settings, build } = prepare()
    let { port } = settings
    const app = await build(() => `http://localhost:${port}`)
    await app.listen({ port, host: settings.host })
    port = (app.server.address() as AddressInfo).port
    process.stdout.write(`${name} ready on http://${settings.host}:${port}\n`)
    for (const signal of ['SIGTERM', 'SIGINT'] as const)
      process.once(
        signal,
        () =>
          void app.close().then(
            () => process.exit(0),
            () => process.exit(1),
          ),
      )
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  }
}
