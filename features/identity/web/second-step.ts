import { CallError } from '../../../web/call.ts'
import type { SecondAsked, SessionBegun } from '../../../shared/accounts.ts'

export interface SecondStepProps {
  second: SecondAsked
  /** What the server said to it. */
  message: string
  onSession: (session: SessionBegun) => void
  /** Back to the password; with a sentence where the ticket is over. */
  onBack: (sentence: string | null) => void
}

/** What signing in answered where the password alone was not enough. */
export type SecondStepRequest = Pick<SecondStepProps, 'second' | 'message'>

/** A ticket that is over leads back to the password. */
export const isOver = (error: unknown): error is CallError => error instanceof CallError && error.code === 'ticket_over'
