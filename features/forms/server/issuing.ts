import type { Company } from '../../../server/hosts.ts'
import type { AppContext } from '../../../server/app-context.ts'
import type { TransitionActor } from '../../../server/states.ts'
import type { Tx } from '../../../server/tenancy.ts'
import type { Submission } from './row.ts'

/** Side effects of an approval, in its transaction. The code that issues documents registers these functions. */
export interface DocumentIssuer {
  onApproved(
    tx: Tx,
    at: { context: AppContext; company: Company; actor: TransitionActor },
    submission: Submission,
  ): Promise<void>
  onRevoked(
    tx: Tx,
    at: { context: AppContext; company: Company; actor: TransitionActor },
    submission: Submission,
  ): Promise<void>
}

const nothing: DocumentIssuer = { onApproved: async () => {}, onRevoked: async () => {} }
let issuing = nothing

/** Registers the issuer. Called once, when the code that issues documents loads. @public */
export const defineIssuing = (declared: DocumentIssuer): void => void (issuing = declared)
export const issuingOf = (): DocumentIssuer => issuing
