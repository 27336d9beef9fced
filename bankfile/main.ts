import type { AddressInfo } from 'node:net'
import { buildBankfile } from './app.ts'
import { readSettings } from './settings.ts'

// The parent process is gone. Exits immediately, so that its next start finds the port free. Each step is one
// transaction, so no work is left half done.
process.once('disconnect', () => process.exit(0))

try {
  const settings = readSettings(process.env)
  const app = await buildBankfile(settings)
  await app.listen({ port: settings.port, host: settings.host })
  const { port } = app.server.address() as AddressInfo
  process.stdout.write(`bank-file provider ready on http://${settings.host}:${port}\n`)
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
