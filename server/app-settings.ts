import manifest from '../package.json' with { type: 'json' }
import type { Config } from './config.ts'

/** Returns the name and version of this installation (spec 7.2). Needs no database. */
export const settingsOf = (config: Pick<Config, 'serverName' | 'mode'>) => ({
  server_name: config.serverName,
  environment: config.mode === 'production' ? 'production' : 'development',
  app_version: manifest.version,
})
