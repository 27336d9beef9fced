import type { AppContext } from '../../../server/app-context.ts'
import type { Company } from '../../../server/hosts.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { addDays, dateIn, formatDate } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { say } from '../../../shared/messages.ts'
import { defineAutomaticPayments, arrangementPort } from '../../payments/api.ts'
import { amountToCharge } from '../rules.ts'
import type { Autopay } from './enrollments.ts'
import { chargeText } from './emails.ts'
import { type Bill, type Charge, dayOf, dueNow, outcomeOf, planCharge, type PlanInput, announceUntil } from './plan.ts'
import { autopaySettings, type AutopaySettings } from './settings.ts'

type Payer = Autopay & { email: string; method_label: string }

interface PlanQuery {
  newest: Bill | null
  settings: AutopaySettings
  today: string
}

/**
 * Plans the next charges by the current terms: installments due soon and the newest bill. The screen and the email show
 * the days, so no notice period applies.
 * @returns sentences for the payer about the planned charges and unpaid amounts
 */
export async function planUpcoming(
  tx: Tx,
  context: AppContext,
  company: Company,
  autopay: Payer,
  { newest, settings, today }: PlanQuery,
): Promise<string> {
  const nothing = say`No payment is planned yet. We will notify you before we charge the next bill.`
  if (autopay.state !== 'active') return nothing
  const plan = (await arrangementPort()?.of(tx, company.id, autopay.kind, autopay.payable_id)) ?? null
  const open = plan?.installments.filter(({ openCents }) => openCents > 0) ?? []
  const soon = open.filter(({ dueOn }) => dueOn <= announceUntil(today, settings))
  const bills: Bill[] = [
    ...soon.map(({ name, dueOn }) => ({ bill: name, dueDate: dueOn })),
    ...(newest ? [newest] : []),
  ]
  const charges: Charge[] = []
  for (const bill of bills) {
    // An installment due today is charged today. Tomorrow its arrangement may already be in default.
    const earliest = bill !== newest && bill.dueDate <= today ? today : addDays(today, 1)
    const charge = await planOne(tx, context, company, autopay, bill, { settings, earliest })
    if (charge) charges.push(charge)
  }
  const texts = charges
    .toSorted((one, other) => (one.charge_on < other.charge_on ? -1 : 1))
    .flatMap((charge) => textsOf(charge, autopay))
  const [next] = open
  if (next && soon.length === 0)
    texts.push(
      say`AutoPay pays your installments. The next one is ${formatCents(next.openCents)}, due on ${formatDate(next.dueOn)}. We will notify you before we charge it.`,
    )
  return texts.length > 0 ? texts.join(' ') : nothing
}

function textsOf(charge: Charge, { method_label, cap_cents }: Payer): string[] {
  const [cents, dueDate] = [charge.notified_cents, charge.due_date]
  if (charge.state === 'planned')
    return [chargeText({ cents, on: charge.charge_on, dueDate, methodLabel: method_label })]
  if (charge.state !== 'refused') return []
  const [amount, due] = [formatCents(cents), formatDate(dueDate)]
  return [
    charge.reason === 'over_cap'
      ? say`${amount} due on ${due} is above your limit of ${formatCents(cap_cents ?? 0)}, so AutoPay will not pay it. Pay it yourself, or raise the limit.`
      : say`${amount} due on ${due} is above the maximum online payment, so AutoPay will not pay it. Contact us to pay this amount another way.`,
  ]
}

/**
 * Plans the charge of a bill by the current terms, or updates its planned or refused charge. Null if the charge is in
 * progress or finished.
 */
async function planOne(
  tx: Tx,
  context: AppContext,
  company: Company,
  autopay: Payer,
  bill: Bill,
  planning: PlanInput,
): Promise<Charge | null> {
  const existing = await tx
    .selectFrom('autopay_charge')
    .selectAll()
    .where('company_id', '=', company.id)
    .where('autopay_id', '=', autopay.id)
    .where('bill', '=', bill.bill)
    .forUpdate()
    .executeTakeFirst()
  if (!existing) return planCharge(tx, context, company, autopay, bill, planning)
  // A charge that waits for a retry keeps its day. A finished charge does not change.
  if (existing.presentment > 1) return existing.state === 'planned' ? existing : null
  if (existing.state !== 'planned' && existing.state !== 'refused') return null
  const owedCents = await dueNow(tx, company, autopay.kind, autopay.payable_id, bill.bill)
  const amount = amountToCharge({
    owedCents,
    notifiedCents: null,
    capCents: autopay.cap_cents,
    maxCents: planning.settings.maxCents,
  })
  return tx
    .updateTable('autopay_charge')
    .set({
      ...outcomeOf(amount, context.clock.now()),
      notified_cents: Math.max(owedCents, 0),
      charge_on: await dayOf(tx, company, autopay, bill, planning.earliest),
    })
    .where('company_id', '=', company.id)
    .where('id', '=', existing.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Finds the active enrollment of an item, with its payer. */
const activeOn = (tx: Tx, company: Company['id'], kind: string, id: number): Promise<Payer | undefined> =>
  tx
    .selectFrom('autopay as a')
    .innerJoin('person as p', (on) => on.onRef('p.company_id', '=', 'a.company_id').onRef('p.id', '=', 'a.person_id'))
    .innerJoin('stored_method as m', (on) =>
      on.onRef('m.company_id', '=', 'a.company_id').onRef('m.id', '=', 'a.method_id'),
    )
    .selectAll('a')
    .select(['p.email', 'm.method_label'])
    .where('a.company_id', '=', company)
    .where('a.kind', '=', kind)
    .where('a.payable_id', '=', id)
    .where('a.state', '=', 'active')
    .executeTakeFirst()

defineAutomaticPayments({
  async isOn(tx, company, kind, id) {
    return (await activeOn(tx, company, kind, id)) !== undefined
  },
  async follow(tx, { context, company, session }, kind, id) {
    const autopay = await activeOn(tx, company.id, kind, id)
    if (!autopay) return null
    const settings = await autopaySettings(tx, company)
    if (!settings.enabled) return null
    // If another person started the arrangement, the payer gets an email some days before each installment.
    if (session?.personId !== autopay.person_id)
      return say`AutoPay will pay the installments for this account. The payer will be notified before each charge.`
    const today = dateIn(company.timeZone, context.clock.now())
    return planUpcoming(tx, context, company, autopay, { newest: null, settings, today })
  },
})
