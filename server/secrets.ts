import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from './folders.ts'
import { reasonOf, StartError } from './start-error.ts'

/** Secrets that the installation makes for itself. */
interface Secrets {
  apiKey: string
  webhookSecret: string
}

/**
 * Answers each given secret, or the one that was made earlier and kept in `secrets.json` of the data folder,
 * which only its owner reads. Two portals that start at once agree: the first file stays.
 */
export function keepSecrets(dataDir: string, given: { [name in keyof Secrets]: string | null }): Secrets {
  const { apiKey, webhookSecret } = given
  for (const [name, value] of [
    ['GATEWAY_API_KEY', apiKey],
    ['GATEWAY_WEBHOOK_SECRET', webhookSecret],
  ] as const)
    if (value !== null && value.length < 16) throw new StartError(`${name} must have at least 16 characters.`)
  if (apiKey && webhookSecret) return { apiKey, webhookSecret }
  const kept = keptIn(dataDir)
  return { apiKey: apiKey ?? kept.apiKey, webhookSecret: webhookSecret ?? kept.webhookSecret }
}

/**
 * Answers the given key, 32 bytes in base64, or the one that was made earlier and kept in `secret.key` of the data
 * folder. Portals that share a database must share it.
 */
export function keepSecretKey(dataDir: string, given: string | null): string {
  if (given === null) return kept(dataDir, 'secret.key', () => randomBytes(32).toString('base64')).trim()
  if (Buffer.from(given, 'base64').length !== 32)
    throw new StartError('SECRET_KEY must be 32 bytes in base64, such as `openssl rand -base64 32` prints.')
  return given
}

/** Keeps texts that the database must not hold in the clear: the secrets of issuers, of codes. */
export interface Sealer {
  seal(text: string): string
  /** @throws where it was sealed with another key, or changed */
  open(sealed: string): string
}

const NONCE = 12
const TAG = 16

/** AES-256-GCM: nonce, tag and text, in base64url. `key`: 32 bytes in base64. */
export function sealerOf(key: string): Sealer {
  const bytes = Buffer.from(key, 'base64')
  return {
    seal(text) {
      const nonce = randomBytes(NONCE)
      const cipher = createCipheriv('aes-256-gcm', bytes, nonce)
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')
    },
    open(sealed) {
      const all = Buffer.from(sealed, 'base64url')
      const cipher = createDecipheriv('aes-256-gcm', bytes, all.subarray(0, NONCE), { authTagLength: TAG })
      cipher.setAuthTag(all.subarray(NONCE, NONCE + TAG))
      return cipher.update(all.subarray(NONCE + TAG), undefined, 'utf8') + cipher.final('utf8')
    },
  }
}

const keptIn = (dataDir: string): Secrets =>
  JSON.parse(
    kept(dataDir, 'secrets.json', () => JSON.stringify({ apiKey: secret(), webhookSecret: secret() })),
  ) as Secrets

/** The text of a file that its first reader makes. */
function kept(dataDir: string, name: string, make: () => string): string {
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
