import type { Company } from '../../../server/hosts.ts'
import type { House } from '../../../server/house.ts'
import type { Who } from '../../../server/states.ts'
import type { Tx } from '../../../server/tenancy.ts'
import type { Submission } from './row.ts'

/** What an approval brings with it, in the transaction that approves; whoever issues papers says it here. */
export interface Issuing {
  onApproved(tx: Tx, at: { house: House; company: Company; who: Who }, submission: Submission): Promise<void>
  onRevoked(tx: Tx, at: { house: House; company: Company; who: Who }, submission: Submission): Promise<void>
}

const nothing: Issuing = { onApproved: async () => {}, onRevoked: async () => {} }
let issuing = nothing

/** Once, where what issues papers is loaded. @public */
export const defineIssuing = (declared: Issuing): void => void (issuing = declared)
export const issuingOf = (): Issuing => issuing
