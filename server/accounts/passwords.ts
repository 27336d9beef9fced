import { hash, verify } from '@node-rs/argon2'
import { rejected } from '../errors.ts'
import { FairQueue } from '../fair-queue.ts'
import type { AppContext } from '../app-context.ts'
import { networkOf } from '../limits.ts'
import { newSecret } from '../sessions.ts'
import { BREACHED, passwordProblems, type PasswordRules } from '../../shared/passwords.ts'
import { isBreached } from './breaches.ts'

/** The same password, however the keyboard composes its characters. */
const plain = (password: string) => password.normalize('NFKC')

/** A hash takes a thread for 20 ms or more. Two of the four stay free for files and compression. */
const hashing = new FairQueue(2)

/**
 * Argon2id with the library's defaults: 19 MiB, two passes, one lane.
 * @param caller the address that it is done for, which waits for its turn
 */
export const hashPassword = (password: string, caller = ''): Promise<string> =>
  hashing.run(networkOf(caller), () => hash(plain(password)))

/** The hash of a password that nobody has, so that an account that isn't there takes as long as one that is. */
let nobodys: Promise<string> | null = null

/** Is it this person's password? `null` stands for nobody, or for one who has no password yet: always no, equally slow. */
export async function isPassword(password_hash: string | null, password: string, caller: string): Promise<boolean> {
  nobodys ??= hash(newSecret())
  const known = password_hash ?? (await nobodys)
  const right = await hashing.run(networkOf(caller), () => verify(known, plain(password)))
  return right && password_hash !== null
}

/** The rules count when a password is set, never when one signs in. @throws 422 with what is wrong with it */
export async function refuseWeakPassword(
  { config }: Pick<AppContext, 'config'>,
  rules: PasswordRules,
  password: string,
): Promise<void> {
  const problems = passwordProblems(password, rules)
  if (problems.length === 0 && (await isBreached(config, password))) problems.push(BREACHED)
  if (problems.length > 0) throw rejected(problems.join(' '), { password: problems.join(' ') })
}
