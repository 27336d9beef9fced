import { hash, verify } from '@node-rs/argon2'
import { rejected } from '../../../server/errors.ts'
import type { House } from '../../../server/house.ts'
import { newSecret } from '../../../server/sessions.ts'
import { BREACHED, passwordProblems, type PasswordRules } from '../rules.ts'
import { isBreached } from './breaches.ts'

/** The same password, however the keyboard composes its characters. */
const plain = (password: string) => password.normalize('NFKC')

/** Argon2id with the library's defaults: 19 MiB, two passes, one lane. */
export const hashPassword = (password: string): Promise<string> => hash(plain(password))

/** The hash of a password that nobody has, so that an account that isn't there takes as long as one that is. */
let nobodys: Promise<string> | null = null

/** Is it this person's password? `null` stands for nobody, or for one who has no password yet: always no, equally slow. */
export async function isPassword(password_hash: string | null, password: string): Promise<boolean> {
  nobodys ??= hash(newSecret())
  const right = await verify(password_hash ?? (await nobodys), plain(password))
  return right && password_hash !== null
}

/** The rules count when a password is set, never when one signs in. @throws 422 with what is wrong with it */
export async function refuseWeakPassword(
  { config }: Pick<House, 'config'>,
  rules: PasswordRules,
  password: string,
): Promise<void> {
  const problems = passwordProblems(password, rules)
  if (problems.length === 0 && (await isBreached(config, password))) problems.push(BREACHED)
  if (problems.length > 0) throw rejected(problems.join(' '), { password: problems.join(' ') })
}
