import { go } from './go.ts'
import { rememberSignIn } from './session.ts'

const STORAGE_KEY = 'second-step'

/** Response to a sign-in that needs a second factor. The ticket is valid for a few minutes. */
interface PendingSecondStep {
  message: string
  second: { ticket: string; methods: readonly string[] }
}

/**
 * Handles the response of any sign-in method. Stores the session in this tab, or opens the sign-in page for the second
 * factor.
 * @returns true if a session exists now
 */
export function acceptSignIn(response: Parameters<typeof rememberSignIn>[0] | PendingSecondStep): boolean {
  if ('second' in response) {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(response))
    go('/sign-in', { replace: true })
    return false
  }
  rememberSignIn(response)
  return true
}

/** Returns and deletes the stored response that requires a second factor, for the sign-in page. */
export function takePending<A extends PendingSecondStep>(): A | null {
  const stored = sessionStorage.getItem(STORAGE_KEY)
  sessionStorage.removeItem(STORAGE_KEY)
  return stored === null ? null : (JSON.parse(stored) as A)
}
