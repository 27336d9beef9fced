/** Settings that every provider process has. */
export interface ProviderSettings {
  port: number
  host: string
  databaseUrl: string
  apiKey: string
  webhookUrl: string
  webhookSecret: string
  /** Origins that may frame the hosted fields and receive redirects. `*` matches one or more labels of a host name. */
  frameAncestors: string[]
  /** Time for which a planted timeout keeps a connection open. In milliseconds. */
  faultHoldMs: number
}

/**
 * Reads the shared settings from variables such as `GATEWAY_PORT`.
 * @throws Error with a message that names the variable
 */
export function readProviderSettings(env: NodeJS.ProcessEnv, prefix: 'GATEWAY' | 'BANKFILE'): ProviderSettings {
  const need = (name: string) => requiredSetting(env, `${prefix}_${name}`)
  const port = Number(need('PORT'))
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error(`${prefix}_PORT must be a port number.`)
  return {
    port,
    host: env[`${prefix}_HOST`]?.trim() || '127.0.0.1',
    databaseUrl: need('DATABASE_URL'),
    apiKey: need('API_KEY'),
    webhookUrl: need('WEBHOOK_URL'),
    webhookSecret: need('WEBHOOK_SECRET'),
    frameAncestors: need('FRAME_ANCESTORS').split(/\s+/),
    faultHoldMs: Number(env[`${prefix}_FAULT_HOLD_MS`] ?? 30_000),
  }
}

/**
 * Reads a required variable.
 * @throws Error with a message that names the variable
 */
export function requiredSetting(env: NodeJS.ProcessEnv, name: string): string {
  const value = env[name]?.trim()
  if (!value) throw new Error(`${name} is missing.`)
  return value
}
