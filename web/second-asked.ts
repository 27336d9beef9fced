import { go } from './go.ts'
import { rememberSignIn } from './session.ts'

const KEPT = 'second-step'

/** What signing in answers where somebody has to show a second factor yet; the ticket lives some minutes. */
interface PendingSecondStep {
  message: string
  second: { ticket: string; methods: readonly string[] }
}

/**
 * Takes what a way to sign in answered, wherever it was: a session is kept in this tab; where a second factor is asked
 * for, the sign-in page asks. @returns whether there is a session now
 */
export function signedInOrAsked(answer: Parameters<typeof rememberSignIn>[0] | PendingSecondStep): boolean {
  if ('second' in answer) {
    sessionStorage.setItem(KEPT, JSON.stringify(answer))
    go('/sign-in', { replace: true })
    return false
  }
  rememberSignIn(answer)
  return true
}

/** For the sign-in page, once. */
export function takeAsked<A extends PendingSecondStep>(): A | null {
  const kept = sessionStorage.getItem(KEPT)
  sessionStorage.removeItem(KEPT)
  return kept === null ? null : (JSON.parse(kept) as A)
}
