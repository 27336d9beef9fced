import type { AddressInfo } from 'node:net'
import { buildGateway } from './app.ts'
import { readSettings } from './settings.ts'

// Exits immediately when the parent process is gone, so that its next start finds the port free. Each step is one
// transaction, so no work is left incomplete.
process.once('disconnect', () => process.exit(0))

try {
  const settings = readSettings(process.env)
  let port = settings.port
  const app = await buildGateway(settings, () => process.env['GATEWAY_PUBLIC_ORIGIN'] ?? `http://localhost:${port}`)
  await app.listen({ port: settings.port, host: settings.host })
  port = (app.server.address() as AddressInfo).port
  process.stdout.write(`gateway ready on http://${settings.host}:${port}\n`)
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
