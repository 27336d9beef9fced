/** Settings from the environment, checked at startup. */
export interface Settings {
  port: number
  host: string
  databaseUrl: string
  apiKey: string
  webhookUrl: string
  webhookSecret: string
  /** Origins, with `*` for one or more labels, that may frame the hosted fields. */
  frameAncestors: string[]
  /** 32 bytes. Seals account numbers and files. */
  key: Buffer
  /** Folder for files to the bank (`outgoing`) and from it (`incoming`). Null if files are exchanged only over HTTP. */
  folder: string | null
  /**
   * True if money moves. Clock changes and faults are then disabled, and an account needs setup before its first
   * charge.
   */
  live: boolean
  /** Time that a simulated time-out holds a connection. */
  faultHoldMs: number
}

/** @throws Error with one sentence that names the variable */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const need = (name: string) => {
    const value = env[name]?.trim()
    if (!value) throw new Error(`${name} is missing.`)
    return value
  }
  const port = Number(need('BANKFILE_PORT'))
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error('BANKFILE_PORT must be a port number.')
  const key = Buffer.from(need('BANKFILE_KEY'), 'base64')
  if (key.length !== 32) throw new Error('BANKFILE_KEY must be 32 bytes in base64.')
  return {
    port,
    host: env['BANKFILE_HOST']?.trim() || '127.0.0.1',
    databaseUrl: need('BANKFILE_DATABASE_URL'),
    apiKey: need('BANKFILE_API_KEY'),
    webhookUrl: need('BANKFILE_WEBHOOK_URL'),
    webhookSecret: need('BANKFILE_WEBHOOK_SECRET'),
    frameAncestors: need('BANKFILE_FRAME_ANCESTORS').split(/\s+/),
    key,
    folder: env['BANKFILE_FOLDER']?.trim() || null,
    live: env['BANKFILE_LIVE'] === '1',
    faultHoldMs: Number(env['BANKFILE_FAULT_HOLD_MS'] ?? 30_000),
  }
}
