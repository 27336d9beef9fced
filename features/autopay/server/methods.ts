import { sql } from 'kysely'
import { changeRow } from '../../../server/db/rows.ts'
import { type Call, implement, signedIn } from '../../../server/call.ts'
import { conflict, notFound } from '../../../server/errors.ts'
import { actorOf } from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { dateIn } from '../../../shared/dates.ts'
import { say } from '../../../shared/messages.ts'
import { methods } from '../../payments/rules.ts'
import { isExpired, storedMethodsOf, fieldsOf, settingsOf } from '../../payments/api.ts'
import { makeDefaultMethod, paymentMethods, removePaymentMethod } from '../contract.ts'
import { storageMandate } from '../../payments/stored-methods.ts'
import { endAutopay } from './enrollments.ts'

const GONE = 'This card or bank account is no longer saved. Reload the page.'

/** Selects the caller's saved methods. */
export const own = (tx: Tx, call: Call) => storedMethodsOf(tx, call.company.id, signedIn(call).personId)

/**
 * Locks one of the caller's methods.
 * @throws 404 if the caller has no such method
 */
export async function lockOwnMethod(tx: Tx, call: Call, id: number) {
  const method = await own(tx, call).where('id', '=', id).forUpdate().executeTakeFirst()
  if (!method) throw notFound(GONE)
  return method
}

/** Selects the active enrollments that use a method. Lock the method before the enrollments. */
const lockEnrollmentsOf = (tx: Tx, call: Call, id: number) =>
  tx
    .selectFrom('autopay')
    .selectAll()
    .where('company_id', '=', call.company.id)
    .where('person_id', '=', signedIn(call).personId)
    .where('method_id', '=', id)
    .where('state', 'in', ['active', 'paused'])
    .orderBy('id')
    .forUpdate()
    .execute()

export const paymentMethodsCall = implement(paymentMethods, async (call) => {
  const { context, company } = call
  const { rows, pendingSetups, settings } = await call.reading(async (tx) => ({
    pendingSetups: await tx
      .selectFrom('method_setup')
      .select(['setup_key', 'created_at'])
      .where('company_id', '=', company.id)
      .where('person_id', '=', signedIn(call).personId)
      .where('method', '=', methods.echeck)
      .where('finished_at', 'is', null)
      .orderBy('created_at')
      .execute(),
    rows: await own(tx, call)
      .select(
        sql<string[]>`ARRAY(SELECT a.reference FROM autopay a WHERE a.company_id = stored_method.company_id
          AND a.method_id = stored_method.id AND a.state IN ('active', 'paused') ORDER BY a.reference)`.as('pays'),
      )
      .orderBy('is_default', 'desc')
      .orderBy('id')
      .execute(),
    settings: await settingsOf(tx, company.id),
  }))
  // Saved methods stay visible during an outage of the payment provider. Only the fields for new methods are missing.
  const gateway = await fieldsOf(context, company, settings)
  const today = dateIn(company.timeZone, context.clock.now())
  return {
    methods: rows.map((row) => ({
      id: row.id,
      method: row.method,
      methodLabel: row.method_label,
      bankName: row.bank_name,
      expiresOn: row.expires_on,
      expired: isExpired(row, today),
      isDefault: row.is_default,
      unusable: row.unusable || (row.elsewhere ? ('elsewhere' as const) : ('' as const)),
      pays: row.pays,
    })),
    toConfirm: pendingSetups.map(({ setup_key: setup, created_at }) => ({ setup, since: created_at.toISOString() })),
    gateway,
    mandate: storageMandate(company.name),
  }
})

export async function makeDefault(tx: Tx, company: CompanyId, person: number, id: number): Promise<void> {
  const ownMethods = () =>
    tx.updateTable('stored_method').where('company_id', '=', company).where('person_id', '=', person)
  await ownMethods().set({ is_default: false }).where('is_default', '=', true).execute()
  await ownMethods().set({ is_default: true }).where('id', '=', id).execute()
}

export const makeDefaultMethodCall = implement(makeDefaultMethod, (call) =>
  call.inCompany(async (tx) => {
    const { id, method_label: methodLabel, unusable, elsewhere } = await lockOwnMethod(tx, call, call.body.id)
    if (unusable !== '' || elsewhere)
      throw conflict('unusable', say`${methodLabel} can no longer be charged. Add it again.`)
    await makeDefault(tx, call.company.id, signedIn(call).personId, id)
    await call.audit(tx, {
      action: 'payment_method.made_default',
      subject: { kind: 'payment_method', id },
      detail: { means: methodLabel },
    })
    return { success: true as const, message: say`${methodLabel} is now your default payment method.` }
  }),
)

/**
 * Removes the method in the portal first, so that no further charge uses it. A job then deletes it at the provider and
 * can retry.
 */
export const removePaymentMethodCall = implement(removePaymentMethod, async (call) => {
  const { context, company, body } = call
  const removed = await call.inCompany(async (tx) => {
    const method = await lockOwnMethod(tx, call, body.id)
    const pays = await lockEnrollmentsOf(tx, call, body.id)
    if (pays.length > 0 && !body.endAutopay)
      throw conflict(
        'used_by_autopay',
        say`AutoPay uses ${method.method_label}. First choose another card or bank account for AutoPay, or end AutoPay.`,
      )
    for (const one of pays) await endAutopay(tx, company.id, one, 'end', { reason: 'method_removed' }, actorOf(call))
    await changeRow(tx, 'stored_method', company.id, method.id, { removed_at: context.clock.now(), is_default: false })
    const next = await own(tx, call).where('unusable', '=', '').orderBy('id').executeTakeFirst()
    if (method.is_default && next) await makeDefault(tx, company.id, method.person_id, next.id)
    await call.audit(tx, {
      action: 'payment_method.removed',
      subject: { kind: 'payment_method', id: method.id },
      detail: { methodLabel: method.method_label },
    })
    await context.jobs.enqueue(tx, DELETE_METHOD, { company: company.id, id: method.id })
    return method
  })
  return { success: true as const, message: say`${removed.method_label} was removed.` }
})

export const DELETE_METHOD = 'autopay.delete_method'

/** Removes all methods of a person when their account closes. */
export const closeStoredMethods = (tx: Tx, company: CompanyId, person: number, now: Date): Promise<unknown> =>
  tx
    .updateTable('stored_method')
    .set({ removed_at: now, is_default: false })
    .where('company_id', '=', company)
    .where('person_id', '=', person)
    .where('removed_at', 'is', null)
    .execute()
