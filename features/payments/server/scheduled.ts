import type { Company } from '../../../server/hosts.ts'
import type { Tx } from '../../../server/tenancy.ts'

/** Next automatic charge of a payable. `on` is null if no bill has a charge yet. */
export interface ScheduledCharge {
  on: string | null
  cents: number
}

/** Port to what charges a payable without its payer present (AutoPay), so that a payer hears of it before they pay. */
export type FindScheduled = (
  tx: Tx,
  company: Company,
  of: { person: number; kind: string; id: number },
) => Promise<ScheduledCharge | null>

let known: FindScheduled | null = null

/** Declares it, once. */
export function defineScheduled(find: FindScheduled): void {
  known = find
}

export const scheduledCharge: FindScheduled = async (tx, company, of) => (await known?.(tx, company, of)) ?? null
