import { sql } from 'kysely'
import { type Call, implement } from '../../../server/call.ts'
import { conflict, notFound } from '../../../server/errors.ts'
import { forgetTries } from '../../../server/limits.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { mailConfirmation } from '../../identity/api.ts'
import { type Account, Door, isOpen } from '../../../server/accounts/account-realms.ts'
import { passwordTries } from '../../../server/accounts/proven-account.ts'
import { resendConfirmation, unlockUser } from '../contract.ts'
import { say } from '../../../shared/words.ts'

/** Removes a lock and the wait after wrong passwords. Ended sessions stay ended. */
export const unlockUserCall = implement(unlockUser, async (call) => {
  const { context, company, body } = call
  const door = new Door(context, company)
  const account = await door.within(async (tx) => {
    const found = await find(tx, door, call, body.personId)
    if (found.is_active !== 1)
      throw conflict('inactive', say`${nameOf(found)} is inactive. ${company.name} must activate the account first.`)
    await sql`UPDATE person SET locked_at = NULL WHERE company_id = ${company.id} AND id = ${found.id}`.execute(tx)
    await door.audit(tx, call, {
      action: 'staff.unlocked',
      subject: { kind: 'person', id: found.id },
      person: found.id,
    })
    return found
  })
  await forgetTries(context, [passwordTries(door.place, account.email)])
  return { success: true as const, message: say`${nameOf(account)} can sign in again.` }
})

export const resendConfirmationCall = implement(resendConfirmation, async (call) => {
  const { context, company, body } = call
  const door = new Door(context, company)
  const account = await door.within((tx) => find(tx, door, call, body.personId))
  if (!isOpen(account))
    throw conflict('inactive', say`${nameOf(account)} is inactive or locked. Unlock the account first.`)
  if (account.email_confirmed_at) throw conflict('confirmed', say`${account.email} is already confirmed.`)
  await mailConfirmation(call, door, account)
  return { success: true as const, message: say`We sent the link to ${account.email} again.` }
})

async function find(tx: Tx, door: Door, { company }: Call, id: number): Promise<Account> {
  const account = await door.findById(tx, id)
  if (!account) throw notFound(say`This person was not found in ${company.name}.`)
  return account
}

const nameOf = ({ first_name, last_name }: Account) => `${first_name} ${last_name}`.trim()
