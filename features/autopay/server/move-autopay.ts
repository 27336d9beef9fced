import { changeRow } from '../../../server/db/rows.ts'
import { type Call, implement, signedIn } from '../../../server/call.ts'
import { notFound } from '../../../server/errors.ts'
import { notify } from '../../../server/notices/notify.ts'
import { transition, actorOf } from '../../../server/states.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { dateIn } from '../../../shared/dates.ts'
import { say } from '../../../shared/messages.ts'
import { transitionAutopay, skipAutopay, endAutopayByStaff } from '../contract.ts'
import { type Autopay, endAutopay, autopayStateStore, lockAutopay } from './enrollments.ts'
import { byStaff } from './emails.ts'
import type { Charge } from './plan.ts'

/**
 * Locks one of the caller's enrollments.
 * @throws 404 if the caller has no such enrollment
 */
async function lockOwn(tx: Tx, call: Call, id: number): Promise<Autopay> {
  const row = await lockAutopay(tx, call.company.id, id)
  if (row.person_id !== signedIn(call).personId) throw notFound('This account is not on AutoPay. Reload the page.')
  return row
}

export const transitionAutopayCall = implement(transitionAutopay, (call) => {
  const { company, body } = call
  return call.inCompany(async (tx) => {
    const autopay = await lockOwn(tx, call, body.id)
    const { message } =
      body.event === 'end'
        ? await endAutopay(tx, company.id, autopay, 'end', { reason: 'resident' }, actorOf(call))
        : await transition(tx, autopayStateStore, {
            scope: company.id,
            id: autopay.id,
            event: body.event,
            actor: actorOf(call),
          })
    return { success: true as const, message }
  })
})

/** The email is queued in the same transaction as the transition. */
export const endAutopayByStaffCall = implement(endAutopayByStaff, (call) => {
  const { context, company, body } = call
  const { id, event, reason } = body
  return call.inCompany(async (tx) => {
    const autopay = await lockAutopay(tx, company.id, id)
    const ended = event === 'stop'
    const { message } = await transition(tx, autopayStateStore, {
      scope: company.id,
      id,
      event,
      actor: actorOf(call),
      reason,
      ...(ended && { patch: { end_reason: 'staff' as const, end_code: '' } }),
    })
    const { email, method_label: methodLabel } = await tx
      .selectFrom('person as p')
      .innerJoin('stored_method as m', (on) => on.onRef('m.company_id', '=', 'p.company_id'))
      .select(['p.email', 'm.method_label'])
      .where('p.company_id', '=', company.id)
      .where('p.id', '=', autopay.person_id)
      .where('m.id', '=', autopay.method_id)
      .executeTakeFirstOrThrow()
    const noticeData = { reference: autopay.reference, ended, reason, methodLabel }
    await notify(tx, context, { at: company, to: email, person: autopay.person_id, notice: byStaff, data: noticeData })
    return { success: true as const, message }
  })
})

export const skipAutopayCall = implement(skipAutopay, (call) => {
  const { context, company, body } = call
  return call.inCompany(async (tx) => {
    const autopay = await lockOwn(tx, call, body.id)
    const now = context.clock.now()
    const charge = await lockChargeToSkip(tx, call, autopay, body.skip)
    if (charge)
      await changeRow(
        tx,
        'autopay_charge',
        company.id,
        charge.id,
        body.skip
          ? { state: 'skipped', reason: 'asked', finished_at: now }
          : { state: 'planned', reason: '', finished_at: null },
      )
    const skipNext = body.skip && !charge
    await changeRow(tx, 'autopay', company.id, autopay.id, { skip_next: skipNext })
    await call.audit(tx, {
      action: body.skip ? 'autopay.skipped' : 'autopay.unskipped',
      subject: { kind: 'autopay', id: autopay.id },
      detail: { account: autopay.reference, bill: charge?.bill ?? 'next' },
    })
    const message = body.skip
      ? say`AutoPay will skip the next payment for account ${autopay.reference}. Please pay that bill yourself.`
      : say`AutoPay will make the next payment for account ${autopay.reference}.`
    return { success: true as const, message }
  })
})

/**
 * Locks the next charge to skip it, or a skipped charge to restore it. A skipped charge can be restored until its day
 * ends.
 */
const lockChargeToSkip = (tx: Tx, call: Call, { id }: Autopay, skip: boolean): Promise<Charge | undefined> => {
  const charges = tx
    .selectFrom('autopay_charge')
    .selectAll()
    .where('company_id', '=', call.company.id)
    .where('autopay_id', '=', id)
    .orderBy('charge_on')
    .limit(1)
    .forUpdate()
  if (skip) return charges.where('state', '=', 'planned').executeTakeFirst()
  const today = dateIn(call.company.timeZone, call.context.clock.now())
  return charges
    .where('state', '=', 'skipped')
    .where('reason', '=', 'asked')
    .where('charge_on', '>=', today)
    .executeTakeFirst()
}
