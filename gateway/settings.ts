import { type ProviderSettings, readProviderSettings } from '../provider-kit/settings.ts'

export type Settings = ProviderSettings

/**
 * Reads the settings from the environment.
 * @throws Error with a message that names the variable
 */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  if (env['GATEWAY_LIVE'] === '1')
    throw new Error('The sandbox gateway refuses to run in live mode: GATEWAY_LIVE must not be set.')
  return readProviderSettings(env, 'GATEWAY')
}
