import { type Selectable, sql } from 'kysely'
import { findFile } from '../../../server/attachments/keep.ts'
import type { Schema } from '../../../server/db/schema.ts'
import { notFound } from '../../../server/errors.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { billDocuments, newestBills } from '../../utility-accounts/api.ts'
import { explain, type BillExplanation } from './explain.ts'
import { daysOf, type UsageKind, type UsagePeriod, type UsageSeries, yearBefore } from '../rules.ts'

export type Bill = Selectable<Schema['utility_bill']>

/** Account data that bill documents show. */
export interface BilledAccount {
  number: string
  customer: string
  address: string
}

/** Selects the bills of an account between two days, both included, newest first. */
export const billsOf = (tx: Tx, company: CompanyId, account: number, from: string, until: string): Promise<Bill[]> =>
  newestBills(tx, company, account).where('bill_date', '>=', from).where('bill_date', '<=', until).execute()

export async function findBill(tx: Tx, company: CompanyId, account: number, number: string): Promise<Bill> {
  const bill = await tx
    .selectFrom('utility_bill')
    .selectAll()
    .where(({ and }) => and({ company_id: company, account_id: account, bill_number: number }))
    .executeTakeFirst()
  if (!bill) throw notFound('This bill was not found. It may belong to another account.')
  return bill
}

/** Finds the PDF of a bill from the billing system. Null if none exists or the file is not released yet. */
export async function documentOf(tx: Tx, company: CompanyId, number: string) {
  const row = await tx
    .selectFrom('utility_bill_document')
    .select('id')
    .where(({ and }) => and({ company_id: company, bill_number: number }))
    .executeTakeFirst()
  const file = row && (await findFile(tx, billDocuments, company, row.id, 1))
  return file?.state === 'clean' && file.path !== null ? file : null
}

/** Maximum number of earlier bills from which the portal derives the rates. */
const HISTORY = 7

/** Loads a bill followed by the bills before it, newest first. */
export async function withEarlier(tx: Tx, { company_id, account_id, bill_date, bill_number }: Bill): Promise<Bill[]> {
  const { rows } = await sql<Bill>`
    SELECT * FROM utility_bill WHERE company_id = ${company_id} AND account_id = ${account_id}
      AND (bill_date, bill_number) <= (${bill_date}::date, ${bill_number}::text)
    ORDER BY bill_date DESC, bill_number DESC LIMIT ${HISTORY + 1}`.execute(tx)
  return rows
}

/** Converts a bill row to the object that calls return. */
export const billView = (bill: Bill) => ({
  number: bill.bill_number,
  date: bill.bill_date,
  dueDate: bill.due_date,
  periodStart: bill.period_start,
  periodEnd: bill.period_end,
  days: daysOf(bill),
  amountCents: bill.amount_cents,
})

export type Adjustment = Selectable<Schema['utility_adjustment']>

/** Selects the adjustments of an account between two days, both included, newest first. */
export const adjustmentsOf = (tx: Tx, company: CompanyId, account: number, from: string, until: string) =>
  tx
    .selectFrom('utility_adjustment')
    .selectAll()
    .where(({ and }) => and({ company_id: company, account_id: account }))
    .where('adjusted_on', '>=', from)
    .where('adjusted_on', '<=', until)
    .orderBy('adjusted_on', 'desc')
    .orderBy('adjustment_number', 'desc')
    .execute()

export const adjustmentView = (one: Adjustment) => ({
  number: one.adjustment_number,
  date: one.adjusted_on,
  amountCents: one.amount_cents,
  reason: one.reason,
})

/**
 * Explains the difference between a bill and the previous bill. Expects the bill first, followed by its earlier bills,
 * newest first. Null for the oldest bill. Lists adjustments separately, because they are not part of a bill.
 */
export function compare(
  [bill, before, ...earlier]: readonly Bill[],
  [measured]: readonly UsageSeries[],
  adjusted: readonly Adjustment[],
) {
  if (!bill || !before) return null
  const uses = measured?.source === 'reads' ? measured.uses : []
  const [one, other, ...others] = [bill, before, ...earlier].map((each) => explained(each, uses)) as [
    BillExplanation,
    BillExplanation,
  ]
  const ofBill = useOf(measured?.uses ?? [], bill)
  return {
    beforeNumber: before.bill_number,
    beforeCents: before.amount_cents,
    differenceCents: bill.amount_cents - before.amount_cents,
    reasons: explain(one, other, others, ofBill && yearBefore(measured?.uses ?? [], ofBill)),
    adjustments: adjusted.filter(({ adjusted_on }) => adjusted_on > before.bill_date).map(adjustmentView),
  }
}

const useOf = (uses: readonly UsagePeriod[], { period_start, period_end }: Bill): UsagePeriod | undefined =>
  uses.find(({ until }) => until > period_start && until <= period_end)

function explained(bill: Bill, uses: readonly UsagePeriod[]): BillExplanation {
  const kind: UsageKind | null = useOf(uses, bill)?.kind ?? null
  return { lines: bill.lines, days: daysOf(bill), kind }
}
