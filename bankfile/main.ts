import type { AddressInfo } from 'node:net'
import { buildBankfile } from './app.ts'
import { readSettings } from './settings.ts'

// Whoever started us with a channel is gone: at once, so that their next start finds the port free. Of what was under
// way nothing is half done, since each step is one transaction.
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
