import { sql } from 'kysely'
import { type Call, implement, signedIn } from '../../../server/call.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { dateIn } from '../../../shared/dates.ts'
import { buttonsFrom } from '../../../shared/machine.ts'
import type { Company } from '../../../server/hosts.ts'
import { quoteOf } from '../../payments/rules-fees.ts'
import { type Method, methods } from '../../payments/rules.ts'
import { allPayables, arrangementPort, defineScheduled, settingsOf } from '../../payments/api.ts'
import { myAutopay } from '../contract.ts'
import { termsText } from '../rules.ts'
import { autopayStates } from '../states.ts'
import { type Autopay, termsOf } from './enrollments.ts'
import { AUTOPAY } from './charge.ts'
import { type Charge, dueNow, owedNow } from './plan.ts'
import { reasonText } from './reason-labels.ts'
import { autopaySettings, mandateVersion } from './settings.ts'

/** Sample amount for showing the fee if nothing is due yet. */
const SAMPLE_CENTS = 100_00

interface EnrollmentView extends Autopay {
  method_label: string
  /** Reason that staff gave for the pause. Null if staff did not pause AutoPay. */
  halted: string | null
  next: Charge | null
  last: Charge | null
}

/** Lists the caller's active enrollments, each with its next and last charge. */
async function ownEnrollments(tx: Tx, call: Call): Promise<EnrollmentView[]> {
  const chargeOf = (which: ReturnType<typeof sql>) => sql`
    (SELECT to_jsonb(c) FROM autopay_charge c WHERE c.company_id = a.company_id AND c.autopay_id = a.id AND ${which} LIMIT 1)`
  const { rows } = await sql<EnrollmentView>`
    SELECT a.*, m.method_label,
      (SELECT CASE h.event WHEN 'halt' THEN h.reason END FROM status_history h
       WHERE h.company_id = a.company_id AND h.machine = 'autopay' AND h.subject_id = a.id AND a.state = 'paused'
       ORDER BY h.seq DESC LIMIT 1) AS halted,
      ${chargeOf(sql`c.state IN ('planned', 'charging') ORDER BY c.charge_on, c.id`)} AS next,
      ${chargeOf(sql`c.state NOT IN ('planned', 'charging') ORDER BY c.finished_at DESC, c.id DESC`)} AS last
    FROM autopay a JOIN stored_method m ON m.company_id = a.company_id AND m.id = a.method_id
    WHERE a.company_id = ${call.company.id} AND a.person_id = ${signedIn(call).personId} AND a.state IN ('active', 'paused')`.execute(
    tx,
  )
  return rows
}

/**
 * Returns the amount that AutoPay will charge. It never exceeds the announced amount, and excludes amounts paid since
 * the announcement.
 */
async function chargeAmount(tx: Tx, company: Company, charge: Charge): Promise<number> {
  const plannedCents = charge.amount_cents ?? charge.notified_cents
  if (charge.state !== 'planned') return plannedCents
  return Math.max(0, Math.min(plannedCents, await dueNow(tx, company, charge.kind, charge.payable_id, charge.bill)))
}

defineScheduled(async (tx, company, { person, kind, id }) => {
  const { rows } = await sql<{ charge: Charge | null }>`
    SELECT (SELECT to_jsonb(c) FROM autopay_charge c
      WHERE c.company_id = a.company_id AND c.autopay_id = a.id AND c.state IN ('planned', 'charging')
      ORDER BY c.charge_on, c.id LIMIT 1) AS charge
    FROM autopay a
    WHERE a.company_id = ${company.id} AND a.person_id = ${person} AND a.kind = ${kind} AND a.payable_id = ${id}
      AND a.state = 'active'`.execute(tx)
  const [enrollment] = rows
  if (!enrollment) return null
  return {
    on: enrollment.charge?.charge_on ?? null,
    cents: enrollment.charge ? await chargeAmount(tx, company, enrollment.charge) : 0,
  }
})

const chargeView = (charge: Charge | null, cents: number) =>
  charge && {
    id: charge.id,
    bill: charge.bill,
    dueDate: charge.due_date,
    on: charge.charge_on,
    cents,
    state: charge.state,
    reason: reasonText(charge.state, charge.reason),
  }

/**
 * Returns the last charge with its day. For a charge that was skipped or refused before its planned day, returns the
 * day of that decision.
 */
function lastCharge(charge: Charge | null, timeZone: string) {
  const last = chargeView(charge, charge?.amount_cents ?? charge?.notified_cents ?? 0)
  if (!last || !charge?.finished_at) return last
  const endedOn = dateIn(timeZone, new Date(charge.finished_at))
  return { ...last, on: last.on < endedOn ? last.on : endedOn }
}

export const myAutopayCall = implement(myAutopay, (call) =>
  call.reading(async (tx) => {
    const { company } = call
    const { personId } = signedIn(call)
    const settings = await autopaySettings(tx, company)
    const { fees } = await settingsOf(tx, company.id)
    const on = dateIn(company.timeZone, call.context.clock.now())
    const enrollments = await ownEnrollments(tx, call)
    const items = []
    for (const { kind, recurs } of allPayables())
      for (const { id, reference, title, newest } of (await recurs?.listLinked(tx, company.id, personId)) ?? []) {
        const one = enrollments.find((row) => row.kind === kind && row.payable_id === id)
        const owedCents = await owedNow(tx, company, kind, id)
        const nextCents = one?.next ? await chargeAmount(tx, company, one.next) : 0
        const autopay = one ? enrollmentView(one, nextCents, company.timeZone) : null
        const coming = await upcomingCharges(tx, company, { kind, id, owedCents, dueOn: newest?.dueDate ?? null })
        const ofCents = coming[0]?.cents ?? SAMPLE_CENTS
        const feeBy = (method: Method) => quoteOf(fees, { on, kind, method, location: AUTOPAY }, ofCents).feeCents
        const fee = { ofCents, cardCents: feeBy(methods.card), echeckCents: feeBy(methods.echeck) }
        items.push({ kind, id, reference, title, owedCents, dueDate: newest?.dueDate ?? null, coming, fee, autopay })
      }
    return {
      enabled: settings.enabled,
      noticeDays: settings.noticeDays,
      maxCents: settings.maxCents,
      mandate: { version: await mandateVersion(tx, company, settings.mandate), text: settings.mandate },
      items,
    }
  }),
)

interface UpcomingInput {
  kind: string
  id: number
  owedCents: number
  dueOn: string | null
}

/** Lists the next AutoPay charges: the next installment and the bill. The payer sees the list before agreeing. */
async function upcomingCharges(tx: Tx, company: Company, { kind, id, owedCents, dueOn }: UpcomingInput) {
  const plan = (await arrangementPort()?.of(tx, company.id, kind, id)) ?? null
  const next = plan?.installments.find(({ openCents }) => openCents > 0)
  const billCents = owedCents - (plan?.remainingCents ?? 0)
  return [
    ...(next
      ? [{ isInstallment: true, cents: Math.min(next.openCents, Math.max(0, owedCents)), dueOn: next.dueOn }]
      : []),
    ...(dueOn !== null && billCents > 0 ? [{ isInstallment: false, cents: billCents, dueOn }] : []),
  ]
}

function enrollmentView(row: EnrollmentView, nextCents: number, timeZone: string) {
  const terms = termsOf(row)
  return {
    id: row.id,
    state: row.state,
    methodId: row.method_id,
    ...terms,
    terms: termsText(terms, row.method_label),
    skipNext: row.skip_next,
    can: buttonsFrom(autopayStates, row.state, { as: 'requester' }),
    halted: row.halted,
    next: chargeView(row.next, nextCents),
    last: lastCharge(row.last, timeZone),
  }
}
