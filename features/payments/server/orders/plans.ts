import type { RawBuilder } from 'kysely'
import type { Call } from '../../../../server/call.ts'
import type { Company } from '../../../../server/hosts.ts'
import type { CompanyId, Tx } from '../../../../server/tenancy.ts'

/** Open payment arrangement of an item, in installments. */
export interface OpenPlan {
  /** Unpaid remainder of the arrangement. It is not due with the newest bill. */
  remainingCents: number
  /** Open installments by due date, named as in `due`. */
  installments: readonly { name: string; dueOn: string; openCents: number }[]
}

/** Port to payment arrangements, so that AutoPay charges installments instead of the full amount. */
export interface Plans {
  of(tx: Tx, company: CompanyId, kind: string, id: number): Promise<OpenPlan | null>
  /** SQL for `bill` and `due_date` of the open installments of item `a.payable_id` of kind `a.kind`. */
  readonly due: string
  /** Loads the next payment of an open arrangement: the sum due by today, or else the first installment after it. */
  next(tx: Tx, company: CompanyId, kind: string, id: number, today: string): Promise<DueInstallment | null>
  /** SQL for the cents of the amount due that charge `c` takes. It must agree with the result of `of`. */
  charged(owed: RawBuilder<number>): RawBuilder<number>
}

/** Amount due of an arrangement. `on` is the due date of the oldest unpaid installment. */
export interface DueInstallment {
  cents: number
  on: string
}

let registered: Plans | null = null

/** Registers the implementation. Called once. */
export function definePlans(plans: Plans): void {
  registered = plans
}

export const plans = (): Plans | null => registered

/** Port to automatic payments of an arrangement (AutoPay). */
export interface AutomaticPayments {
  isOn(tx: Tx, company: CompanyId, kind: string, id: number): Promise<boolean>
  /**
   * Schedules the installments of a new arrangement. Returns the message for the payer, or null if nothing is
   * automatic.
   */
  follow(tx: Tx, call: Call, kind: string, id: number): Promise<string | null>
}

let automatic: AutomaticPayments | null = null

export function defineAutomaticPayments(payments: AutomaticPayments): void {
  automatic = payments
}

export const automaticPayments = (): AutomaticPayments | null => automatic

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

let findScheduled: FindScheduled | null = null

/** Registers the implementation. Called once. */
export function defineScheduled(find: FindScheduled): void {
  findScheduled = find
}

export const scheduledCharge: FindScheduled = async (tx, company, of) =>
  (await findScheduled?.(tx, company, of)) ?? null
