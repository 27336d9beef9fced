import { isPlatformRole, mayEnterAdmin } from '../../../../shared/privileges.ts'
import { entryOf, screenAt } from '../../../../shared/screens.ts'
import { translated } from '../../../../shared/messages.ts'
import { call } from '../../../../web/call.ts'
import { forgetSession, rememberSignIn } from '../../../../web/session.ts'
import { adminSignIn } from '../../contract.ts'
import { type StartedSession } from '../../../../shared/accounts.ts'
import type { SecondStepRequest } from '../second-step.ts'

/** Error messages of the sign-in (spec 8.5). */
export const LOGIN_FAILED = 'Login failed'
export const LOGIN_REFUSED = 'Invalid email or password.'
export const NOT_AN_ADMIN = 'You are not an admin.'

/**
 * Signs in an administrator with a password.
 * @returns the error message, the second step, or null after success
 * @throws {CallError} if the server refuses
 */
export async function signInAsAdmin(credentials: {
  email: string
  password: string
}): Promise<string | SecondStepRequest | null> {
  const response = await call(adminSignIn, credentials)
  return 'second' in response ? response : enterAsAdmin(response)
}

/**
 * Stores an administrator's session. The server accepts only administrators here, but this function checks the role
 * again (spec 6.1, product rules section 3).
 * @returns the error message, or null
 */
export function enterAsAdmin(response: StartedSession): string | null {
  if (!response.token) return response.message || translated(LOGIN_FAILED)
  if (!isPlatformRole(response.user.role_id)) {
    forgetSession()
    return translated(NOT_AN_ADMIN)
  }
  rememberSignIn(response)
  return null
}

/**
 * Returns the path of an administrator's first page: the requested page if it exists, otherwise `/admin`. Null if the
 * person has no admin area.
 */
export function entryPath(un: number, from: string | null): string | null {
  if (!mayEnterAdmin(un)) return null
  const path = from?.replace(/[?#].*$/, '') ?? ''
  return from !== null && screenAt(path)?.built && entryOf(path) === 'admin' ? from : '/admin'
}
