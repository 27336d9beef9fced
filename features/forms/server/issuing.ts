import type { Company } from '../../../server/hosts.ts'
import type { AppContext } from '../../../server/app-context.ts'
import type { TransitionActor } from '../../../server/states.ts'
import type { Tx } from '../../../server/tenancy.ts'
import type { Submission } from './row.ts'

/** What an approval brings with it, in the transaction that approves; whoever issues papers says it here. */
export interface DocumentIssuer {
  onApproved(
    tx: Tx,
    at: { context: AppContext; company: Company; who: TransitionActor },
    submission: Submission,
  ): Promise<void>
  onRevoked(
    tx: Tx,
    at: { context: AppContext; company: Company; who: TransitionActor },
    submission: Submission,
  ): Promise<void>
}

const nothing: DocumentIssuer = { onApproved: async () => {}, onRevoked: async () => {} }
let issuing = nothing

/** Once, where what issues papers is loaded. @public */
export const defineIssuing = (declared: DocumentIssuer): void => void (issuing = declared)
export const issuingOf = (): DocumentIssuer => issuing
