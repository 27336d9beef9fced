import type { Company } from '../../../../server/hosts.ts'
import type { Tx } from '../../../../server/tenancy.ts'

/** Next automatic charge of a payable. `on` is null if no bill has a charge yet. */
export interface ScheduledCharge {
  on: string | null
  cents: number
}

/** Port to scheduled charges of a payable (AutoPay), so that payers see them before they pay. */
export type FindScheduled = (
  tx: Tx,
  company: Company,
  of: { person: number; kind: string; id: number },
) => Promise<ScheduledCharge | null>

let registered: FindScheduled | null = null

/** Registers the implementation. Called once. */
export function defineScheduled(find: FindScheduled): void {
  registered = find
}

export const scheduledCharge: FindScheduled = async (tx, company, of) => (await registered?.(tx, company, of)) ?? null
