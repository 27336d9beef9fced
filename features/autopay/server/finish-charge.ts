import { changeRow } from '../../../server/db/rows.ts'
import { dateIn } from '../../../shared/dates.ts'
import type { AppContext } from '../../../server/app-context.ts'
import type { Company } from '../../../server/hosts.ts'
import { notify } from '../../../server/notices/notify.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { type Payment, findAttempt, findOrder } from '../../payments/api.ts'
import { type Method, orderStatus, attemptStatus } from '../../payments/rules.ts'
import { afterFailure, type Consequence } from '../rules.ts'
import { type Autopay, bySystem, endAutopay, lockAutopay } from './enrollments.ts'
import { declined, removed } from './emails.ts'
import type { Charge } from './plan.ts'

/**
 * Delay before the retry of a charge that never reached a bank, in milliseconds. The delay doubles after each such
 * attempt, up to a maximum.
 */
const WAIT_MS = 10 * 60_000
const MAX_WAIT_MS = 6 * 60 * 60_000
/**
 * Maximum number of attempts that never reach a bank. They take more than a day in total, so staff must then resolve
 * the problem.
 */
const MAX_ATTEMPTS = 10

/**
 * Updates a charge to match the outcome of its order. Safe to repeat. `unreachable` means that the provider charged no
 * one, so the same presentment is repeated later.
 */
export async function finishCharge(
  tx: Tx,
  context: AppContext,
  company: Company,
  id: number,
): Promise<'finished' | 'waiting' | 'unreachable'> {
  const charge = await tx
    .selectFrom('autopay_charge')
    .selectAll()
    .where('company_id', '=', company.id)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const { state, order_id, attempt_id } = charge
  if ((state !== 'charging' && state !== 'paid') || order_id === null || attempt_id === null) return 'finished'
  const [order, attempt] = [await findOrder(tx, company.id, order_id), await findAttempt(tx, company.id, attempt_id)]
  const set = (patch: Partial<Charge>) => changeRow(tx, 'autopay_charge', company.id, id, patch)
  const now = context.clock.now()
  if (order.status === orderStatus.declined && attempt.status !== attemptStatus.pending) {
    if (attempt.step === 'canceled') {
      if (state === 'paid') return 'finished'
      if (charge.tries >= MAX_ATTEMPTS) {
        await set({ state: 'failed', reason: NEVER_MADE, finished_at: now })
        await notifyFailed(tx, context, company, charge)
        return 'finished'
      }
      const wait = Math.min(MAX_WAIT_MS, WAIT_MS * 2 ** charge.tries)
      await set({
        state: 'planned',
        tries: charge.tries + 1,
        attempt_id: null,
        not_before: new Date(now.getTime() + wait),
      })
      return 'unreachable'
    }
    const failure = { charge, method: order.method as Method, methodLabel: order.method_label }
    const { error_code: errorCode } = attempt
    await fail(tx, context, company, { ...failure, errorCode, returnCode: order.return_code }, set)
    return 'finished'
  }
  if (attempt.status === attemptStatus.pending || order.status === orderStatus.pending) return 'waiting'
  if (state === 'charging') await set({ state: 'paid', finished_at: now })
  return 'finished'
}

/**
 * Finishes an immediately paid charge, the most common case, in one update.
 * @returns true if no other work remains
 */
export async function finishPaid(
  tx: Tx,
  { clock }: AppContext,
  company: Company,
  id: number,
  { order, attempt }: Payment,
): Promise<boolean> {
  if (order.status !== orderStatus.success || attempt.status !== attemptStatus.succeeded) return false
  const { numUpdatedRows } = await tx
    .updateTable('autopay_charge')
    .set({ state: 'paid', finished_at: clock.now() })
    .where('company_id', '=', company.id)
    .where('id', '=', id)
    .where('state', '=', 'charging')
    .where('attempt_id', '=', attempt.id)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

const NEVER_MADE = 'provider_unreachable'

/**
 * Notifies the payer of a charge that was never made. AutoPay stays on, because the payment method did not cause the
 * failure.
 */
async function notifyFailed(tx: Tx, context: AppContext, company: Company, charge: Charge): Promise<void> {
  const { email, method_label: methodLabel } = await lockMethodOf(tx, company, charge)
  const { reference, person_id } = await lockAutopay(tx, company.id, charge.autopay_id)
  const noticeData = { reference, cents: charge.amount_cents ?? charge.notified_cents, methodLabel, again: null }
  await notify(tx, context, { at: company, to: email, person: person_id, notice: declined, data: noticeData })
}

interface FailedCharge {
  charge: Charge
  method: Method
  methodLabel: string
  errorCode: string | null
  returnCode: string | null
}

/** Applies the consequence of a failed charge and notifies the people affected. */
async function fail(
  tx: Tx,
  context: AppContext,
  company: Company,
  { charge, method, methodLabel: paidBy, errorCode, returnCode }: FailedCharge,
  set: (patch: Partial<Charge>) => Promise<unknown>,
): Promise<void> {
  // Locks the method before its enrollments. Two charges of one card may fail at the same time, and each ends both
  // enrollments.
  const { email, method_label: storedLabel } = await lockMethodOf(tx, company, charge)
  const autopay = await lockAutopay(tx, company.id, charge.autopay_id)
  const methodLabel = paidBy || storedLabel
  const isOn = autopay.state === 'active' || autopay.state === 'paused'
  const today = dateIn(company.timeZone, context.clock.now())
  const { presentment } = charge
  const next = afterFailure({
    method,
    errorCode,
    returnCode,
    presentment,
    firstOn: charge.first_on ?? charge.charge_on,
    today,
  })
  const to = { at: company, to: email, person: autopay.person_id }
  const noticeData = {
    reference: autopay.reference,
    cents: charge.amount_cents ?? charge.notified_cents,
    methodLabel,
  }
  const reason = returnCode ?? errorCode ?? ''
  if ('again' in next && isOn) {
    const again = { state: 'planned', charge_on: next.again, presentment: presentment + 1, tries: 0 } as const
    await set({ ...again, reason, attempt_id: null, not_before: null })
    await notify(tx, context, { ...to, notice: declined, data: { ...noticeData, again: next.again } })
    return
  }
  await set({ state: 'failed', reason, finished_at: context.clock.now() })
  if (isOn && 'remove' in next) return remove(tx, context, company, autopay, next, { ...noticeData, email })
  await notify(tx, context, { ...to, notice: declined, data: { ...noticeData, again: null } })
}

/**
 * Ends the enrollment of an account. If the bank permanently refuses the payment method, also ends the other
 * enrollments with that method.
 */
async function remove(
  tx: Tx,
  context: AppContext,
  company: Company,
  autopay: Autopay,
  { remove: reason, code, unusable }: Extract<Consequence, { remove: unknown }>,
  noticeData: { cents: number; methodLabel: string; email: string },
): Promise<void> {
  const others = unusable === '' ? [] : await othersOf(tx, company, autopay)
  for (const one of [autopay, ...others]) {
    await endAutopay(tx, company.id, one, 'remove', { reason, code }, bySystem(context.clock))
    const removalData = {
      reference: one.reference,
      reason,
      code,
      methodLabel: noticeData.methodLabel,
      cents: one.id === autopay.id ? noticeData.cents : null,
    }
    await notify(tx, context, {
      at: company,
      to: noticeData.email,
      person: one.person_id,
      notice: removed,
      data: removalData,
    })
  }
  if (unusable !== '')
    await changeRow(tx, 'stored_method', company.id, autopay.method_id, { unusable, is_default: false })
}

const othersOf = (tx: Tx, company: Company, { id, method_id }: Autopay): Promise<Autopay[]> =>
  tx
    .selectFrom('autopay')
    .selectAll()
    .where('company_id', '=', company.id)
    .where('method_id', '=', method_id)
    .where('state', 'in', ['active', 'paused'])
    .where('id', '!=', id)
    .orderBy('id')
    .execute()

const lockMethodOf = (tx: Tx, company: Company, { autopay_id }: Charge) =>
  tx
    .selectFrom('autopay')
    .innerJoin('stored_method', (on) =>
      on
        .onRef('stored_method.company_id', '=', 'autopay.company_id')
        .onRef('stored_method.id', '=', 'autopay.method_id'),
    )
    .innerJoin('person', (on) =>
      on.onRef('person.company_id', '=', 'autopay.company_id').onRef('person.id', '=', 'autopay.person_id'),
    )
    .select(['person.email', 'stored_method.method_label'])
    .where('autopay.company_id', '=', company.id)
    .where('autopay.id', '=', autopay_id)
    .forNoKeyUpdate('stored_method')
    .executeTakeFirstOrThrow()
