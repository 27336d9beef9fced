import type { RawBuilder } from 'kysely'
import type { Call } from '../../../server/call.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'

/** What is agreed to be paid later of a thing, in installments. */
export interface OpenPlan {
  /** All that is not paid yet: it is not due with the newest bill. */
  remainingCents: number
  /** Each by its name, as `due` has it, in the order of their days. */
  installments: readonly { name: string; dueOn: string; openCents: number }[]
}

/** Known of whatever agrees on installments, so that AutoPay charges them and not the whole. */
export interface Plans {
  of(tx: Tx, company: CompanyId, kind: string, id: number): Promise<OpenPlan | null>
  /** SQL that answers `bill` and `due_date` of the installments that are open of the thing `a.payable_id` of the kind `a.kind`. */
  readonly due: string
  /** What is to be paid next of an open plan: all that is due by today, or the first installment after it. */
  next(tx: Tx, company: CompanyId, kind: string, id: number, today: string): Promise<DueInstallment | null>
  /** SQL that answers what the charge `c` takes of what is owed, as `of` says it of one. */
  taken(owed: RawBuilder<number>): RawBuilder<number>
}

/** `on`: the day of the oldest that is not paid. */
export interface DueInstallment {
  cents: number
  on: string
}

let known: Plans | null = null

/** Declares it, once. */
export function definePlans(plans: Plans): void {
  known = plans
}

export const plans = (): Plans | null => known

/** Automatic payments beside a plan (AutoPay). */
export interface AutomaticPayments {
  isOn(tx: Tx, company: CompanyId, kind: string, id: number): Promise<boolean>
  /** Plans the installments of a plan that has just begun. What the payer reads of it, or null if nothing is automatic. */
  follow(tx: Tx, call: Call, kind: string, id: number): Promise<string | null>
}

let automatic: AutomaticPayments | null = null

export function defineAutomaticPayments(payments: AutomaticPayments): void {
  automatic = payments
}

export const automaticPayments = (): AutomaticPayments | null => automatic
