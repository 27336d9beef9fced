import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from './folders.ts'
import { reasonOf, StartError } from './start-error.ts'

/** Where the key of sealed texts is kept, in the data folder. */
export const KEY_FILE = 'secret.key'

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

function keptIn(dataDir: string): Secrets {
  const made = () => JSON.stringify({ apiKey: secret(), webhookSecret: secret() })
  return JSON.parse(keepOnce(dataDir, 'secrets.json', made)) as Secrets
}

/** The key under which texts are sealed, where none is given: 32 bytes in base64, made once. */
export const keptKey = (dataDir: string): string =>
  keepOnce(dataDir, KEY_FILE, () => `${randomBytes(32).toString('base64')}\n`).trim()

/** Answers the file of this name in the data folder; where there is none it is made first, for its owner alone. */
function keepOnce(dataDir: string, name: string, make: () => string): string {
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
