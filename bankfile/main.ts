import { runProcess } from '../provider-kit/run-process.ts'
import { buildBankfile } from './app.ts'
import { readSettings } from './settings.ts'

await runProcess('bank-file provider', () => {
  const settings = readSettings(process.env)
  return { settings, build: () => buildBankfile(settings) }
})
