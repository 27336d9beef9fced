import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from './folders.ts'
import { reasonOf, StartError } from './start-error.ts'

/** Name of the file in the data folder that contains the key for encrypting stored secrets. */
export const KEY_FILE = 'secret.key'

/** Secrets that the installation generates. */
interface Secrets {
  apiKey: string
  webhookSecret: string
}

/**
 * Returns the configured secrets, and generates missing secrets at the first start. Generated secrets are stored in the
 * file `secrets.json` in the data folder. Only the file's owner can read it. If two portal processes start together,
 * both use the file that was created first.
 */
export function ensureSecrets(dataDir: string, configured: { [name in keyof Secrets]: string | null }): Secrets {
  const { apiKey, webhookSecret } = configured
  for (const [name, value] of [
    ['GATEWAY_API_KEY', apiKey],
    ['GATEWAY_WEBHOOK_SECRET', webhookSecret],
  ] as const)
    if (value !== null && value.length < 16) throw new StartError(`${name} must have at least 16 characters.`)
  if (apiKey && webhookSecret) return { apiKey, webhookSecret }
  const stored = storedSecretsIn(dataDir)
  return { apiKey: apiKey ?? stored.apiKey, webhookSecret: webhookSecret ?? stored.webhookSecret }
}

function storedSecretsIn(dataDir: string): Secrets {
  const made = () => JSON.stringify({ apiKey: secret(), webhookSecret: secret() })
  return JSON.parse(storeOnce(dataDir, 'secrets.json', made)) as Secrets
}

/** Returns the generated key for encrypting stored secrets: 32 bytes in base64. Only used if no key is configured. */
export const storedKey = (dataDir: string): string =>
  storeOnce(dataDir, KEY_FILE, () => `${randomBytes(32).toString('base64')}\n`).trim()

/** Reads a file of the data folder. If the file is missing, creates it first, readable only by its owner. */
function storeOnce(dataDir: string, name: string, make: () => string): string {
  const path = join(dataDir, name)
  const own = `${path}.${process.pid}`
  try {
    makeFolder(dataDir)
    writeFileSync(own, make(), { mode: 0o600 })
    try {
      linkSync(own, path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    } finally {
      rmSync(own, { force: true })
    }
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new StartError(`DATA_DIR ${dataDir} cannot be written (${reasonOf(error)}).`)
  }
}

const secret = () => randomBytes(32).toString('base64url')
