import { hash, verify } from '@node-rs/argon2'
import { rejected } from '../errors.ts'
import { FairQueue } from '../fair-queue.ts'
import type { AppContext } from '../app-context.ts'
import { networkOf } from '../limits.ts'
import { newSecret } from '../sessions.ts'
import { BREACHED, passwordProblems, type PasswordRules } from '../../shared/passwords.ts'
import { isBreached } from './breaches.ts'

/** Normalizes a password, because keyboards encode the same accented character in different ways. */
const plain = (password: string) => password.normalize('NFKC')

/**
 * Queue that computes two hashes in parallel. Each hash blocks one of Node's four threads for at least 20 ms, and two
 * threads stay free for files and compression.
 */
const hashing = new FairQueue(2)

/**
 * Hashes with Argon2id and the library's defaults: 19 MiB, two passes, one lane.
 * @param caller IP address of the caller, so that callers take turns
 */
export const hashPassword = (password: string, caller = ''): Promise<string> =>
  hashing.run(networkOf(caller), () => hash(plain(password)))

/**
 * Hash of a random password. Checking against it makes a sign-in to a missing account take the same time as any other.
 */
let unknownHash: Promise<string> | null = null

/** True if the password matches. A null hash (no account, or no password yet) never matches and takes the same time. */
export async function isPassword(password_hash: string | null, password: string, caller: string): Promise<boolean> {
  unknownHash ??= hash(newSecret())
  const storedHash = password_hash ?? (await unknownHash)
  const right = await hashing.run(networkOf(caller), () => verify(storedHash, plain(password)))
  return right && password_hash !== null
}

/**
 * Checks the password rules. The rules apply when a person sets a password, not at sign-in.
 * @throws 422 if the password breaks a rule
 */
export async function refuseWeakPassword(
  { config }: Pick<AppContext, 'config'>,
  rules: PasswordRules,
  password: string,
): Promise<void> {
  const problems = passwordProblems(password, rules)
  if (problems.length === 0 && (await isBreached(config, password))) problems.push(BREACHED)
  if (problems.length > 0) throw rejected(problems.join(' '), { password: problems.join(' ') })
}
