import { type ProviderSettings, readProviderSettings, requiredSetting } from '../provider-kit/settings.ts'

export interface Settings extends ProviderSettings {
  /** Key of 32 bytes that encrypts account numbers and files. */
  key: Buffer
  /** Folder for files to the bank (`outgoing`) and from it (`incoming`). Null if files are exchanged only over HTTP. */
  folder: string | null
  /**
   * True if real money moves. The test controls for clock and faults are then disabled, and an account needs setup
   * before its first charge.
   */
  live: boolean
}

/** @throws Error that names the variable if it is missing or wrong */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const settings = readProviderSettings(env, 'BANKFILE')
  const key = Buffer.from(requiredSetting(env, 'BANKFILE_KEY'), 'base64')
  if (key.length !== 32) throw new Error('BANKFILE_KEY must be 32 bytes in base64.')
  return {
    ...settings,
    key,
    folder: env['BANKFILE_FOLDER']?.trim() || null,
    live: env['BANKFILE_LIVE'] === '1',
  }
}
