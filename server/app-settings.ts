import manifest from '../package.json' with { type: 'json' }
import type { Config } from './config.ts'

/** What this installation is called and which version it runs (specification 7.2). Known without asking anybody. */
export const settingsOf = (config: Pick<Config, 'serverName' | 'mode'>) => ({
  server_name: config.serverName,
  environment: config.mode === 'production' ? 'production' : 'development',
  app_version: manifest.version,
})
