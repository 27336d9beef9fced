import { runProcess } from '../provider-kit/run-process.ts'
import { buildGateway } from './app.ts'
import { readSettings } from './settings.ts'

await runProcess('gateway', () => {
  const settings = readSettings(process.env)
  return {
    settings,
    build: (localOrigin) => buildGateway(settings, () => process.env['GATEWAY_PUBLIC_ORIGIN'] ?? localOrigin()),
  }
})
