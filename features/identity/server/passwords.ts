import { hash, verify } from '@node-rs/argon2'
import { newSecret } from '../../../server/sessions.ts'

/** Argon2id with the library's defaults: 19 MiB, two passes, one lane. */
export const hashPassword = (password: string): Promise<string> => hash(password)

/** The hash of a password that nobody has, so that an account that isn't there takes as long as one that is. */
let nobodys: Promise<string> | null = null

/** Is it this person's password? `null` stands for nobody, or for one who has no password yet: always no, equally slow. */
export async function isPassword(password_hash: string | null, password: string): Promise<boolean> {
  nobodys ??= hash(newSecret())
  const right = await verify(password_hash ?? (await nobodys), password)
  return right && password_hash !== null
}
