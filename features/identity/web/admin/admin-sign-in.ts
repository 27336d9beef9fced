import { isPlatformRole, mayEnterAdmin } from '../../../../shared/privileges.ts'
import { entryOf, screenAt } from '../../../../shared/screens.ts'
import { translated } from '../../../../shared/words.ts'
import { call } from '../../../../web/call.ts'
import { forgetSession, rememberSignIn } from '../../../../web/session.ts'
import { adminSignIn } from '../../contract.ts'
import { type SessionBegun } from '../../../../shared/accounts.ts'
import type { SecondStepRequest } from '../second-step.ts'

/** The sentences of specification 8.5. */
export const LOGIN_FAILED = 'Login failed'
export const LOGIN_REFUSED = 'Invalid email or password.'
export const NOT_AN_ADMIN = 'You are not an admin.'

/**
 * Signs an administrator in, as far as a password does.
 * @returns the sentence against it, what else is asked for, or null once the session is kept
 * @throws {CallError} what the server refuses
 */
export async function signInAsAdmin(credentials: {
  email: string
  password: string
}): Promise<string | SecondStepRequest | null> {
  const answer = await call(adminSignIn, credentials)
  return 'second' in answer ? answer : enterAsAdmin(answer)
}

/**
 * Keeps an administrator's session. The server knows administrators alone here; the check of the role stands all the
 * same (specification 6.1; product rules, section 3).
 * @returns the sentence against it, or null
 */
export function enterAsAdmin(answer: SessionBegun): string | null {
  if (!answer.token) return answer.message || translated(LOGIN_FAILED)
  if (!isPlatformRole(answer.user.role_id)) {
    forgetSession()
    return translated(NOT_AN_ADMIN)
  }
  rememberSignIn(answer)
  return null
}

/** Where an administrator goes after signing in: to what they were after, as far as there is such a screen. */
export function wayIn(un: number, from: string | null): string | null {
  if (!mayEnterAdmin(un)) return null
  const path = from?.replace(/[?#].*$/, '') ?? ''
  return from !== null && screenAt(path)?.built && entryOf(path) === 'admin' ? from : '/admin'
}
