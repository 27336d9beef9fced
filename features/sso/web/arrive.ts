import type { ResponseOf } from '../../../shared/endpoint.ts'
import { go } from '../../../web/go.ts'
import { acceptSignIn } from '../../../web/pending-second-step.ts'
import type { Pending, verifySso } from '../contract.ts'

const PENDING = 'sso-pending'
const TRIAL = 'sso-trial'

/**
 * Continues a sign-in after the response. Opens the last screen, which then opens the page that the person came from,
 * or asks for the account's password.
 */
export function arrive(reply: ResponseOf<typeof verifySso>): void {
  if (reply.outcome === 'signed_in') {
    dropPending()
    if (!acceptSignIn(reply.session)) return
  } else sessionStorage.setItem(PENDING, JSON.stringify(reply))
  go('/sso-auth-complete', { replace: true })
}

const parsed = <T>(text: string | null): T | null => {
  try {
    return text === null ? null : (JSON.parse(text) as T)
  } catch {
    return null
  }
}

export const readPending = (): Pending | null => parsed(sessionStorage.getItem(PENDING))
export const dropPending = (): void => sessionStorage.removeItem(PENDING)

/** Parameters that the issuer sent, and the secret of this browser tab. */
export interface CallbackInput {
  browser: string
  state: string
  code?: string
  iss?: string
  error?: string
}

/** Stores the issuer's response for the test screen, which belongs to the staff part of the portal. */
export const storeTrial = (returned: CallbackInput): void => sessionStorage.setItem(TRIAL, JSON.stringify(returned))

/** Returns the stored response and deletes it. */
export function takeTrial(): CallbackInput | null {
  const stored = parsed<CallbackInput>(sessionStorage.getItem(TRIAL))
  sessionStorage.removeItem(TRIAL)
  return stored
}
