import { createHash } from 'node:crypto'
import type { Config } from '../config.ts'

const RANGES = 'https://api.pwnedpasswords.com/range/'
const MAX_WAIT_MS = 1500

/**
 * True if this password was in a data leak (spec 5.6). With `online`, a service checks the password. The service gets
 * only the first five digits of a hash and never learns the password. If the service does not respond in time, a local
 * list decides.
 */
export async function isBreached({ breachCheck }: Pick<Config, 'breachCheck'>, password: string): Promise<boolean> {
  const result = breachCheck === 'online' ? await checkService(password).catch(() => null) : null
  return result ?? isListed(password)
}

/** Checks a password with the service. Null if the service sent no readable response. */
async function checkService(password: string): Promise<boolean | null> {
  const hash = createHash('sha1').update(password).digest('hex').toUpperCase()
  const response = await fetch(RANGES + hash.slice(0, 5), {
    headers: { 'add-padding': 'true' },
    signal: AbortSignal.timeout(MAX_WAIT_MS),
  })
  if (!response.ok) return null
  const lines = (await response.text()).split(/\r?\n/)
  // The service pads its response with fake entries, which have a count of 0.
  return lines.some((line) => line.startsWith(`${hash.slice(5)}:`) && !/:0+$/.test(line))
}

let listed: Promise<ReadonlySet<string>> | null = null

/**
 * True if the local list contains the password, ignoring capitals and outer symbols. People add capitals and symbols to
 * meet a rule (`Password1!`), but the list has few of them.
 */
async function isListed(password: string): Promise<boolean> {
  listed ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'].filter((word) => word.length >= 6)),
  )
  const commonList = await listed
  const small = password.toLowerCase()
  return commonList.has(small) || commonList.has(small.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''))
}
