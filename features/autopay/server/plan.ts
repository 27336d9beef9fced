import { type Selectable, sql } from 'kysely'
import { changeRow } from '../../../server/db/rows.ts'
import type { Schema } from '../../../server/db/schema.ts'
import type { AppContext } from '../../../server/app-context.ts'
import type { Company } from '../../../server/hosts.ts'
import { notify } from '../../../server/notices/notify.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { allPayables, payableOf, arrangementPort } from '../../payments/api.ts'
import { addDays } from '../../../shared/dates.ts'
import { type Amount, amountToCharge, chargeDay } from '../rules.ts'
import type { Autopay } from './enrollments.ts'
import { termsOf } from './enrollments.ts'
import { notCharged, upcoming } from './emails.ts'
import type { AutopaySettings } from './settings.ts'

export type Charge = Selectable<Schema['autopay_charge']>

export interface Bill {
  bill: string
  dueDate: string
}

interface Payer {
  person_id: number
  email: string
  method_label: string
}

/** Enrollment with a bill or installment that has no charge yet. */
export interface UnplannedEnrollment extends Autopay, Payer {
  newest_bill: string
  newest_due: string
}

/**
 * Lists enrollments with an id above `after` that need a charge, because their newest bill or an installment due soon
 * has no charge yet.
 */
export async function listUnplanned(
  tx: Tx,
  company: Company,
  after: number,
  max: number,
  soonest: string,
): Promise<UnplannedEnrollment[]> {
  const due = arrangementPort()?.due
  const installments = due
    ? sql`UNION ALL SELECT bill, due_date FROM (${sql.raw(due)}) plan WHERE due_date <= ${soonest}::date`
    : sql``
  const kinds = allPayables().flatMap(({ kind, recurs }) => (recurs ? [{ kind, newest: recurs.newest }] : []))
  const enrollments: UnplannedEnrollment[] = []
  for (const { kind, newest } of kinds) {
    const { rows } = await sql<UnplannedEnrollment>`
      SELECT a.*, b.bill AS newest_bill, b.due_date AS newest_due, p.email, m.method_label
      FROM autopay a
      JOIN person p ON p.company_id = a.company_id AND p.id = a.person_id
      JOIN stored_method m ON m.company_id = a.company_id AND m.id = a.method_id
      CROSS JOIN LATERAL (
        SELECT * FROM (${sql.raw(newest)}) newest
        ${installments}) b
      WHERE a.company_id = ${company.id} AND a.state = 'active' AND a.kind = ${kind} AND a.id > ${after}
        AND NOT EXISTS (SELECT FROM autopay_charge c
          WHERE c.company_id = a.company_id AND c.autopay_id = a.id AND c.bill = b.bill)
      ORDER BY a.id, b.due_date LIMIT ${max}`.execute(tx)
    enrollments.push(...rows)
  }
  return enrollments
}

/** Returns the amount of an item that can be paid now. */
export async function owedNow(tx: Tx, company: Company, kind: string, id: number): Promise<number> {
  const { owedCents, pendingCents } = await payableOf(kind).owed(tx, company.id, id)
  return owedCents - pendingCents
}

/**
 * Returns the amount to charge for the bill or installment with this name. Installments are charged separately, so the
 * amount of a bill excludes open installments.
 */
export async function dueNow(tx: Tx, company: Company, kind: string, id: number, name: string): Promise<number> {
  const owedCents = await owedNow(tx, company, kind, id)
  const plan = await arrangementPort()?.of(tx, company.id, kind, id)
  const installment = plan?.installments.find((one) => one.name === name)
  if (installment) return Math.min(owedCents, installment.openCents)
  return owedCents - (plan?.remainingCents ?? 0)
}

export interface PlanInput {
  settings: AutopaySettings
  earliest: string
}

/**
 * Returns the latest due date of the installments to announce now. The portal announces installments a few days before
 * notice is required, not months ahead.
 */
export const announceUntil = (today: string, { noticeDays }: AutopaySettings): string => addDays(today, noticeDays + 3)

/** Plans the charge of a bill and notifies its payer in one transaction. A bill with a charge gets no second charge. */
export async function planCharge(
  tx: Tx,
  context: AppContext,
  company: Company,
  autopay: Autopay & Payer,
  { bill, dueDate }: Bill,
  { settings, earliest }: PlanInput,
): Promise<Charge | null> {
  const { kind, payable_id, reference, skip_next } = autopay
  const owedCents = await dueNow(tx, company, kind, payable_id, bill)
  const amount = amountToCharge({
    owedCents,
    notifiedCents: null,
    capCents: autopay.cap_cents,
    maxCents: settings.maxCents,
  })
  const on = await dayOf(tx, company, autopay, { bill, dueDate }, earliest)
  const isSkipped = skip_next && 'charge' in amount
  const now = context.clock.now()
  const charge = await tx
    .insertInto('autopay_charge')
    .values({
      company_id: company.id,
      autopay_id: autopay.id,
      kind,
      payable_id,
      bill,
      due_date: dueDate,
      charge_on: on,
      notified_cents: Math.max(owedCents, 0),
      amount_cents: null,
      first_on: null,
      not_before: null,
      order_id: null,
      attempt_id: null,
      created_at: now,
      ...(isSkipped
        ? { state: 'skipped', reason: 'asked', finished_at: now }
        : outcomeOf(amount, now, await isByInstallments(tx, company, autopay, bill))),
    })
    .onConflict((on) => on.doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!charge) return null
  if (isSkipped) await changeRow(tx, 'autopay', company.id, autopay.id, { skip_next: false })
  const to = { at: company, to: autopay.email, person: autopay.person_id }
  if (charge.state === 'planned') {
    const noticeData = { reference, cents: owedCents, on, dueDate, methodLabel: autopay.method_label }
    await notify(tx, context, { ...to, notice: upcoming, data: noticeData })
  }
  if (charge.state === 'refused' && 'leave' in amount && amount.leave !== 'not_owed')
    await notify(tx, context, {
      ...to,
      notice: notCharged,
      data: { reference, cents: owedCents, dueDate, why: amount.leave },
    })
  return charge
}

/**
 * Returns the day of a charge. A chosen day of the month never makes an installment late, because a late installment
 * would default the arrangement.
 */
export async function dayOf(
  tx: Tx,
  company: Company,
  autopay: Autopay,
  { bill, dueDate }: Bill,
  earliest: string,
): Promise<string> {
  const wished = chargeDay(termsOf(autopay), dueDate, earliest)
  const plan = await arrangementPort()?.of(tx, company.id, autopay.kind, autopay.payable_id)
  if (!plan?.installments.some(({ name }) => name === bill)) return wished
  const inTime = dueDate > earliest ? dueDate : earliest
  return wished < inTime ? wished : inTime
}

/** True if a bill has nothing left to charge because an arrangement divides it into installments. */
async function isByInstallments(
  tx: Tx,
  company: Company,
  { kind, payable_id }: Autopay,
  bill: string,
): Promise<boolean> {
  const plan = await arrangementPort()?.of(tx, company.id, kind, payable_id)
  return (plan?.remainingCents ?? 0) > 0 && !plan?.installments.some(({ name }) => name === bill)
}

/** Returns the initial state of a charge, which depends on its amount. */
export function outcomeOf(amount: Amount, now: Date, byInstallments = false) {
  if ('charge' in amount) return { state: 'planned', reason: '', finished_at: null } as const
  if (amount.leave === 'not_owed')
    return { state: 'not_owed', reason: byInstallments ? 'installments' : '', finished_at: now } as const
  return { state: 'refused', reason: amount.leave, finished_at: now } as const
}
