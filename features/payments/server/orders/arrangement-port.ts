import type { RawBuilder } from 'kysely'
import type { Call } from '../../../../server/call.ts'
import type { Company } from '../../../../server/hosts.ts'
import type { CompanyId, Tx } from '../../../../server/tenancy.ts'

/** Open payment arrangement of a payable, with its installments. */
export interface OpenArrangement {
  /** Unpaid part of the arrangement. The newest bill's due date does not apply to this part. */
  remainingCents: number
  /** Open installments in order of due date. `name` matches `bill` in `due`. */
  installments: readonly { name: string; dueOn: string; openCents: number }[]
}

/** Interface to payment arrangements. With it, AutoPay charges installments instead of the full amount due. */
export interface ArrangementPort {
  of(tx: Tx, company: CompanyId, kind: string, id: number): Promise<OpenArrangement | null>
  /** SQL for `bill` and `due_date` of the open installments of item `a.payable_id` of kind `a.kind`. */
  readonly due: string
  /** Loads an open arrangement's next payment: all installments due by today, or else the next installment. */
  next(tx: Tx, company: CompanyId, kind: string, id: number, today: string): Promise<DueInstallment | null>
  /** SQL for the part of the amount due, in cents, that AutoPay charge `c` takes. Must match the result of `of`. */
  charged(owed: RawBuilder<number>): RawBuilder<number>
}

/** Next payment of an arrangement. `on` is the due date of the oldest unpaid installment. */
export interface DueInstallment {
  cents: number
  on: string
}

let registered: ArrangementPort | null = null

/** Registers the implementation. Called once. */
export function defineArrangementPort(port: ArrangementPort): void {
  registered = port
}

export const arrangementPort = (): ArrangementPort | null => registered

/** Interface to automatic payments of an arrangement (AutoPay). */
export interface AutomaticPayments {
  isOn(tx: Tx, company: CompanyId, kind: string, id: number): Promise<boolean>
  /**
   * Schedules the installments of a new arrangement for AutoPay. Returns a message for the payer, or null if AutoPay is
   * off.
   */
  follow(tx: Tx, call: Call, kind: string, id: number): Promise<string | null>
}

let automatic: AutomaticPayments | null = null

export function defineAutomaticPayments(payments: AutomaticPayments): void {
  automatic = payments
}

export const automaticPayments = (): AutomaticPayments | null => automatic

/** Next AutoPay charge of a payable. `on` is null if no charge is scheduled yet. */
export interface ScheduledCharge {
  on: string | null
  cents: number
}

/** Interface to the scheduled AutoPay charges of a payable, so that payers see those charges before they pay. */
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
