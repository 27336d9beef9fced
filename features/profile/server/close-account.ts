import { sql } from 'kysely'
import { accounts } from '../../../server/accounts/account-states.ts'
import { realmOf, ownSession } from '../../../server/accounts/account-realms.ts'
import { provePassword } from '../../../server/accounts/prove-password.ts'
import { implement, signedIn } from '../../../server/call.ts'
import { forgetPhone } from '../../../server/confirmed-phones.ts'
import { conflict } from '../../../server/errors.ts'
import { transition, actorOf } from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { say } from '../../../shared/messages.ts'
import { deleteAlertChoices } from '../../alerts/api.ts'
import { closeStoredMethods } from '../../autopay/api.ts'
import { unlinkAccounts } from '../../utility-portal/api.ts'
import { accountClosing, closeAccount } from '../contract.ts'
import { attemptStatus } from '../../payments/rules.ts'

/**
 * Counts the open items that prevent a person from closing the account. Each could charge or pay a person who can no
 * longer sign in.
 */
async function blockersOf(tx: Tx, company: CompanyId, person: number) {
  const { rows } = await sql<{ pending: number; autopay: number; arrangements: number; reservations: number }>`
    SELECT
      (SELECT count(*)::int FROM payment_order o WHERE o.company_id = ${company} AND o.person_id = ${person} AND EXISTS (
        SELECT FROM payment_attempt a WHERE a.company_id = o.company_id AND a.order_id = o.id AND a.status = ${sql.lit(attemptStatus.pending)})) AS pending,
      (SELECT count(*)::int FROM autopay a WHERE a.company_id = ${company} AND a.person_id = ${person}
        AND a.state IN ('active', 'paused')) AS autopay,
      (SELECT count(*)::int FROM arrangement a WHERE a.company_id = ${company} AND a.person_id = ${person}
        AND a.state IN ('proposed', 'active')) AS arrangements,
      (SELECT count(*)::int FROM rental_reservation r WHERE r.company_id = ${company} AND r.person_id = ${person}
        AND r.status IN ('requested', 'held', 'confirmed', 'in_use')) AS reservations`.execute(tx)
  const { pending = 0, autopay = 0, arrangements = 0, reservations = 0 } = rows[0] ?? {}
  return [
    {
      count: pending,
      text: say`A payment is pending. Wait until it is completed or declined.`,
      path: '/profile/activity-log',
    },
    { count: autopay, text: say`AutoPay is on. Turn it off first.`, path: '/profile/payment-methods' },
    {
      count: arrangements,
      text: say`A payment arrangement is open. Pay it off, or ask the office to end it.`,
      path: '/utility-portal',
    },
    { count: reservations, text: say`A reservation is open. Cancel it first.`, path: '/resource-rentals' },
  ].flatMap(({ count, ...blocker }) => (count > 0 ? [blocker] : []))
}

export const accountClosingCall = implement(accountClosing, (call) =>
  call.reading(async (tx) => ({ blockers: await blockersOf(tx, call.company.id, signedIn(call).personId) })),
)

export const closeAccountCall = implement(closeAccount, async (call) => {
  const { company, body } = call
  const { personId } = signedIn(call)
  await provePassword(call, realmOf(call), ownSession(call), { password: body.password, field: 'password' })
  await call.inCompany(async (tx) => {
    // Locks the account, so that a new payment or AutoPay enrollment waits. That payment or enrollment then fails,
    // because the account is closed.
    const locked = await accounts.lock(tx, company.id, personId)
    const [first] = await blockersOf(tx, company.id, personId)
    if (first) throw conflict('account_in_use', say`Your account can't be closed yet. ${first.text}`)
    await transition(tx, accounts, {
      scope: company.id,
      id: personId,
      locked,
      event: 'close',
      actor: actorOf(call),
    })
    await forgetPhone(tx, call, 'sms_number')
    // Ends access to bills and stops automatic messages. The records of payments and requests stay.
    await unlinkAccounts(tx, company.id, personId)
    await deleteAlertChoices(tx, company.id, personId)
    await closeStoredMethods(tx, company.id, personId, call.context.clock.now())
    await tx
      .updateTable('person')
      .set({ active_email_alerts: 'i', active_phone_alerts: 'i' })
      .where('company_id', '=', company.id)
      .where('id', '=', personId)
      .execute()
  })
  return { success: true as const, message: say`Your account was closed.` }
})
