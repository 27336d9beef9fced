import type { ResponseOf } from '../../../shared/endpoint.ts'
import { go } from '../../../web/go.ts'
import { signedInOrAsked } from '../../../web/second-asked.ts'
import type { Pending, verifySso } from '../contract.ts'

const PENDING = 'sso-pending'
const TRIAL = 'sso-trial'

/** Signed in, or asked which account is theirs: the last screen does either. */
export function arrive(answer: ResponseOf<typeof verifySso>): void {
  if (answer.outcome === 'signed_in') {
    dropPending()
    if (!signedInOrAsked(answer.session)) return
  } else sessionStorage.setItem(PENDING, JSON.stringify(answer))
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

/** What the issuer sent back, and the secret of this tab. */
export interface CallbackInput {
  browser: string
  state: string
  code?: string
  iss?: string
  error?: string
}

/** Hands what came back over to the screen of a trial, which is in another part of the portal. */
export const keepTrial = (returned: CallbackInput): void => sessionStorage.setItem(TRIAL, JSON.stringify(returned))

/** Hands it out, once. */
export function takeTrial(): CallbackInput | null {
  const kept = parsed<CallbackInput>(sessionStorage.getItem(TRIAL))
  sessionStorage.removeItem(TRIAL)
  return kept
}
