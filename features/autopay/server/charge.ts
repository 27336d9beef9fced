import { changeRow } from '../../../server/db/rows.ts'
import { Refusal } from '../../../server/errors.ts'
import type { AppContext } from '../../../server/app-context.ts'
import type { Company } from '../../../server/hosts.ts'
import { notify } from '../../../server/notices/notify.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { openPayment, drive, type Payment, payableOf, type ProviderRoute } from '../../payments/api.ts'
import type { Method } from '../../payments/rules.ts'
import { amountToCharge } from '../rules.ts'
import { type Autopay, bySystem, endAutopay } from './enrollments.ts'
import { type NotCharged, notCharged } from './emails.ts'
import { type Charge, dueNow, outcomeOf } from './plan.ts'
import { finishCharge, finishPaid } from './finish-charge.ts'
import { methods } from '../../payments/rules.ts'

/** Payment location of AutoPay orders (spec 9.5). */
export const AUTOPAY = 6

interface StartedCharge {
  payment: Payment
  /** Id of the stored method at the provider. */
  stored: string
}

/**
 * Locks a charge with its related rows. Null if another run has locked the charge or the charge is no longer planned.
 */
async function lockPlanned(tx: Tx, company: Company, id: number) {
  const charge = await tx
    .selectFrom('autopay_charge')
    .selectAll()
    .where('company_id', '=', company.id)
    .where('id', '=', id)
    .where('state', '=', 'planned')
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  if (!charge) return null
  const autopay = await tx
    .selectFrom('autopay')
    .innerJoin('person', (on) =>
      on.onRef('person.company_id', '=', 'autopay.company_id').onRef('person.id', '=', 'autopay.person_id'),
    )
    .innerJoin('stored_method', (on) =>
      on
        .onRef('stored_method.company_id', '=', 'autopay.company_id')
        .onRef('stored_method.id', '=', 'autopay.method_id'),
    )
    .selectAll('autopay')
    .select(['person.email', 'stored_method.method', 'stored_method.provider', 'stored_method.provider_method'])
    .select('stored_method.method_label')
    .where('autopay.company_id', '=', company.id)
    .where('autopay.id', '=', charge.autopay_id)
    .executeTakeFirstOrThrow()
  return { charge, autopay }
}

export const setCharge = (tx: Tx, company: Company, id: number, patch: Partial<Charge>): Promise<unknown> =>
  changeRow(tx, 'autopay_charge', company.id, id, patch)

/**
 * Starts a charge: creates its order and attempt and sets its state, in one transaction. The attempt uses the charge's
 * key, so a second run finds the same attempt.
 */
async function startCharge(
  tx: Tx,
  context: AppContext,
  company: Company,
  through: ProviderRoute,
  id: number,
): Promise<StartedCharge | { unlinked: Autopay } | null> {
  const locked = await lockPlanned(tx, company, id)
  if (!locked) return null
  const { charge, autopay } = locked
  const now = context.clock.now()
  const leave = async (patch: Partial<Charge>) => {
    await setCharge(tx, company, id, { ...patch, finished_at: now })
    return null
  }
  if (autopay.state !== 'active') return leave({ state: 'skipped', reason: autopay.state })
  const { recurs } = payableOf(charge.kind)
  if (autopay.provider !== through.provider) {
    await notifyNotCharged(tx, context, company, charge, autopay, 'elsewhere')
    return leave({ state: 'refused', reason: 'elsewhere' })
  }
  if (!recurs || !(await recurs.isLinked(tx, company.id, autopay.person_id, charge.payable_id))) {
    await leave({ state: 'skipped', reason: 'ended' })
    return { unlinked: autopay }
  }
  const owedCents = await dueNow(tx, company, charge.kind, charge.payable_id, charge.bill)
  const amount = amountToCharge({
    owedCents,
    notifiedCents: charge.notified_cents,
    capCents: autopay.cap_cents,
    maxCents: through.settings.limits.maxCents,
  })
  // A returned debit may be presented again only with the same amount.
  const isChanged = charge.presentment > 1 && 'charge' in amount && amount.charge !== charge.amount_cents
  if (isChanged && autopay.method === methods.echeck) return leave({ state: 'not_owed', reason: 'amount_changed' })
  if ('leave' in amount) {
    await leave(outcomeOf(amount, now))
    if (amount.leave !== 'not_owed') await notifyNotCharged(tx, context, company, charge, autopay, amount.leave)
    return null
  }
  const payment = await openPayment(
    tx,
    context,
    company,
    {
      pays: [{ kind: charge.kind, id: charge.payable_id, amountCents: amount.charge }],
      method: autopay.method as Method,
      location: AUTOPAY,
      payer: { actor: bySystem(context.clock), person: autopay.person_id, email: autopay.email },
      methodLabel: autopay.method_label,
      key: `autopay-charge-${id}/${charge.presentment}/${charge.tries}`,
    },
    through,
  )
  await setCharge(tx, company, id, {
    state: 'charging',
    amount_cents: amount.charge,
    first_on: charge.first_on ?? charge.charge_on,
    order_id: payment.order.id,
    attempt_id: payment.attempt.id,
    reason: '',
  })
  return { payment, stored: autopay.provider_method }
}

const notifyNotCharged = (
  tx: Tx,
  context: AppContext,
  company: Company,
  charge: Charge,
  { reference, email, person_id }: Autopay & { email: string },
  why: NotCharged,
) =>
  notify(tx, context, {
    at: company,
    to: email,
    person: person_id,
    notice: notCharged,
    data: { reference, cents: charge.notified_cents, dueDate: charge.due_date, why },
  })

/** Charges a planned amount once and records the outcome. No transaction is open during provider calls. */
export async function makeCharge(
  context: AppContext,
  company: Company,
  through: ProviderRoute,
  id: number,
): Promise<ChargeResult> {
  let started: Awaited<ReturnType<typeof startCharge>>
  try {
    started = await context.inCompany(company.id, (tx) => startCharge(tx, context, company, through, id))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    // The charge is above a company limit, or the amount due has just changed. The portal notifies the payer and does
    // not retry.
    await context.inCompany(company.id, async (tx) => {
      const locked = await lockPlanned(tx, company, id)
      if (!locked) return
      await setCharge(tx, company, id, { state: 'refused', reason: error.code, finished_at: context.clock.now() })
      await notifyNotCharged(tx, context, company, locked.charge, locked.autopay, 'refused')
    })
    return 'finished'
  }
  if (!started) return 'finished'
  if (!('unlinked' in started)) return resumeCharge(context, company, id, started)
  // Runs in a separate transaction, because ending an enrollment locks the enrollment before its charges.
  const { unlinked } = started
  const why = { reason: 'unlinked' } as const
  await context.inCompany(company.id, (tx) => endAutopay(tx, company.id, unlinked, 'end', why, bySystem(context.clock)))
  return 'finished'
}

export type ChargeResult = Awaited<ReturnType<typeof finishCharge>>

/** Continues a payment from its current state and records its outcome in the charge. */
export async function resumeCharge(
  context: AppContext,
  company: Company,
  id: number,
  { payment, stored }: StartedCharge,
): Promise<ChargeResult> {
  const after = await drive(context, company, payment, { stored }, '')
  return context.inCompany(company.id, async (tx) =>
    after && (await finishPaid(tx, context, company, id, after)) ? 'finished' : finishCharge(tx, context, company, id),
  )
}
