import { CallError } from '../../../web/call.ts'
import type { SecondFactorRequest, StartedSession } from '../../../shared/accounts.ts'

export interface SecondStepProps {
  second: SecondFactorRequest
  /** Message from the server. */
  message: string
  onSession: (session: StartedSession) => void
  /** Returns to the password step. The message is set if the ticket expired. */
  onBack: (message: string | null) => void
}

/** Sign-in response that requires a second step. */
export type SecondStepRequest = Pick<SecondStepProps, 'second' | 'message'>

/** True if the ticket expired. The person then returns to the password step. */
export const isTicketExpired = (error: unknown): error is CallError =>
  error instanceof CallError && error.code === 'ticket_expired'
