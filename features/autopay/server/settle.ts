import { changeRow } from '../../../server/db/rows.ts'
import { dateIn } from '../../../shared/dates.ts'
import type { AppContext } from '../../../server/app-context.ts'
import type { Company } from '../../../server/hosts.ts'
import { notify } from '../../../server/notices/notify.ts'
import type { Tx } from '../../../server/tenancy.ts'
import type { Payment } from '../../payments/server/drive-attempt.ts'
import { findAttempt, findOrder } from '../../payments/server/orders.ts'
import { type Method, orderStatus } from '../../payments/rules.ts'
import { afterFailure, type Consequence } from '../rules.ts'
import { type Autopay, bySystem, endAutopay, lockAutopay } from './enrollments.ts'
import { declined, removed } from './emails.ts'
import type { Charge } from './plan.ts'

/** A charge that never reached anybody's bank waits so long, and twice as long after each other such try. */
const WAIT_MS = 10 * 60_000
const MAX_WAIT_MS = 6 * 60 * 60_000
/** More than a day of such tries: whatever keeps the provider from it does not go away by itself. */
const MAX_ATTEMPTS = 10

/**
 * Makes a charge agree with what became of its order, as often as one likes. `unreachable`: the provider had charged
 * nobody when the attempt was given up, so that the same presentment is made again, later.
 */
export async function settleCharge(
  tx: Tx,
  context: AppContext,
  town: Company,
  id: number,
): Promise<'settled' | 'waiting' | 'unreachable'> {
  const charge = await tx
    .selectFrom('autopay_charge')
    .selectAll()
    .where('company_id', '=', town.id)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const { state, order_id, attempt_id } = charge
  if ((state !== 'charging' && state !== 'paid') || order_id === null || attempt_id === null) return 'settled'
  const [order, attempt] = [await findOrder(tx, town.id, order_id), await findAttempt(tx, town.id, attempt_id)]
  const set = (facts: Partial<Charge>) => changeRow(tx, 'autopay_charge', town.id, id, facts)
  const now = context.clock.now()
  if (order.status === orderStatus.declined && attempt.status !== 0) {
    if (attempt.step === 'canceled') {
      if (state === 'paid') return 'settled'
      if (charge.tries >= MAX_ATTEMPTS) {
        await set({ state: 'failed', reason: NEVER_MADE, settled_at: now })
        await tellFailed(tx, context, town, charge)
        return 'settled'
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
    const failure = { charge, method: order.method as Method, means: order.means }
    const { error_code: errorCode } = attempt
    await fail(tx, context, town, { ...failure, errorCode, returnCode: order.return_code }, set)
    return 'settled'
  }
  if (attempt.status === 0 || order.status === orderStatus.pending) return 'waiting'
  if (state === 'charging') await set({ state: 'paid', settled_at: now })
  return 'settled'
}

/** The short way where its payer's bank has just paid, as nearly always. @returns whether there was nothing else to do */
export async function settlePaid(
  tx: Tx,
  { clock }: AppContext,
  town: Company,
  id: number,
  { order, attempt }: Payment,
): Promise<boolean> {
  if (order.status !== orderStatus.success || attempt.status !== 1) return false
  const { numUpdatedRows } = await tx
    .updateTable('autopay_charge')
    .set({ state: 'paid', settled_at: clock.now() })
    .where('company_id', '=', town.id)
    .where('id', '=', id)
    .where('state', '=', 'charging')
    .where('attempt_id', '=', attempt.id)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

const NEVER_MADE = 'provider_unreachable'

/** Its payer is told, and stays on AutoPay: nothing is wrong with their card or bank account. */
async function tellFailed(tx: Tx, context: AppContext, town: Company, charge: Charge): Promise<void> {
  const { email, means } = await lockMethodOf(tx, town, charge)
  const { reference, person_id } = await lockAutopay(tx, town.id, charge.autopay_id)
  const facts = { reference, cents: charge.amount_cents ?? charge.told_cents, means, again: null }
  await notify(tx, context, { at: town, to: email, person: person_id, notice: declined, facts })
}

interface FailedCharge {
  charge: Charge
  method: Method
  means: string
  errorCode: string | null
  returnCode: string | null
}

/** What follows from a charge that failed, and who is told of it. */
async function fail(
  tx: Tx,
  context: AppContext,
  town: Company,
  { charge, method, means: paidBy, errorCode, returnCode }: FailedCharge,
  set: (facts: Partial<Charge>) => Promise<unknown>,
): Promise<void> {
  // The method before what it pays: two charges by one card may fail at the same moment, and each ends both enrolments.
  const { email, means: kept } = await lockMethodOf(tx, town, charge)
  const autopay = await lockAutopay(tx, town.id, charge.autopay_id)
  const means = paidBy || kept
  const isOn = autopay.state === 'active' || autopay.state === 'paused'
  const today = dateIn(town.timeZone, context.clock.now())
  const { presentment } = charge
  const next = afterFailure({
    method,
    errorCode,
    returnCode,
    presentment,
    firstOn: charge.first_on ?? charge.charge_on,
    today,
  })
  const to = { at: town, to: email, person: autopay.person_id }
  const told = { reference: autopay.reference, cents: charge.amount_cents ?? charge.told_cents, means }
  const reason = returnCode ?? errorCode ?? ''
  if ('again' in next && isOn) {
    const again = { state: 'planned', charge_on: next.again, presentment: presentment + 1, tries: 0 } as const
    await set({ ...again, reason, attempt_id: null, not_before: null })
    await notify(tx, context, { ...to, notice: declined, facts: { ...told, again: next.again } })
    return
  }
  await set({ state: 'failed', reason, settled_at: context.clock.now() })
  if (isOn && 'remove' in next) return remove(tx, context, town, autopay, next, { ...told, email })
  await notify(tx, context, { ...to, notice: declined, facts: { ...told, again: null } })
}

/** Takes an account off AutoPay, and with a method that its bank refuses for good every other that it pays. */
async function remove(
  tx: Tx,
  context: AppContext,
  town: Company,
  autopay: Autopay,
  { remove: reason, code, unusable }: Extract<Consequence, { remove: unknown }>,
  told: { cents: number; means: string; email: string },
): Promise<void> {
  const others = unusable === '' ? [] : await othersOf(tx, town, autopay)
  for (const one of [autopay, ...others]) {
    await endAutopay(tx, town.id, one, 'remove', { reason, code }, bySystem(context.clock))
    const facts = {
      reference: one.reference,
      reason,
      code,
      means: told.means,
      cents: one.id === autopay.id ? told.cents : null,
    }
    await notify(tx, context, { at: town, to: told.email, person: one.person_id, notice: removed, facts })
  }
  if (unusable !== '') await changeRow(tx, 'stored_method', town.id, autopay.method_id, { unusable, is_default: false })
}

const othersOf = (tx: Tx, town: Company, { id, method_id }: Autopay): Promise<Autopay[]> =>
  tx
    .selectFrom('autopay')
    .selectAll()
    .where('company_id', '=', town.id)
    .where('method_id', '=', method_id)
    .where('state', 'in', ['active', 'paused'])
    .where('id', '!=', id)
    .orderBy('id')
    .execute()

const lockMethodOf = (tx: Tx, town: Company, { autopay_id }: Charge) =>
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
    .select(['person.email', 'stored_method.means'])
    .where('autopay.company_id', '=', town.id)
    .where('autopay.id', '=', autopay_id)
    .forNoKeyUpdate('stored_method')
    .executeTakeFirstOrThrow()
