/** Settings of the gateway from its environment, validated once. */
export interface Settings {
  port: number
  host: string
  databaseUrl: string
  apiKey: string
  webhookUrl: string
  webhookSecret: string
  /** Origins that may frame the hosted fields and be redirect targets. `*` matches one or more labels. */
  frameAncestors: string[]
  /** Time for which an injected timeout keeps a connection open, in milliseconds. */
  faultHoldMs: number
}

/** @throws Error with a message that names the variable */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  if (env['GATEWAY_LIVE'] === '1')
    throw new Error('The sandbox gateway refuses to run in live mode: GATEWAY_LIVE must not be set.')
  const need = (name: string) => {
    const value = env[name]?.trim()
    if (!value) throw new Error(`${name} is missing.`)
    return value
  }
  const port = Number(need('GATEWAY_PORT'))
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error('GATEWAY_PORT must be a port number.')
  return {
    port,
    host: env['GATEWAY_HOST']?.trim() || '127.0.0.1',
    databaseUrl: need('GATEWAY_DATABASE_URL'),
    apiKey: need('GATEWAY_API_KEY'),
    webhookUrl: need('GATEWAY_WEBHOOK_URL'),
    webhookSecret: need('GATEWAY_WEBHOOK_SECRET'),
    frameAncestors: need('GATEWAY_FRAME_ANCESTORS').split(/\s+/),
    faultHoldMs: Number(env['GATEWAY_FAULT_HOLD_MS'] ?? 30_000),
  }
}
