import { sql } from 'kysely'
import { type Call, implement } from '../../../server/call.ts'
import { conflict, notFound } from '../../../server/errors.ts'
import { resetAttempts } from '../../../server/limits.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { emailConfirmation } from '../../identity/api.ts'
import { type Account, AccountRealm, isOpen } from '../../../server/accounts/account-realms.ts'
import { passwordTries } from '../../../server/accounts/proven-account.ts'
import { resendConfirmation, unlockUser } from '../contract.ts'
import { say } from '../../../shared/messages.ts'

/** Removes a person's lock and the wait after too many wrong passwords. Sessions that were ended stay ended. */
export const unlockUserCall = implement(unlockUser, async (call) => {
  const { context, company, body } = call
  const realm = new AccountRealm(context, company)
  const account = await realm.within(async (tx) => {
    const person = await find(tx, realm, call, body.personId)
    if (person.is_active !== 1)
      throw conflict('inactive', say`${nameOf(person)} is inactive. ${company.name} must activate the account first.`)
    await sql`UPDATE person SET locked_at = NULL WHERE company_id = ${company.id} AND id = ${person.id}`.execute(tx)
    await realm.audit(tx, call, {
      action: 'staff.unlocked',
      subject: { kind: 'person', id: person.id },
      person: person.id,
    })
    return person
  })
  await resetAttempts(context, [passwordTries(realm.scope, account.email)])
  return { success: true as const, message: say`${nameOf(account)} can sign in again.` }
})

export const resendConfirmationCall = implement(resendConfirmation, async (call) => {
  const { context, company, body } = call
  const realm = new AccountRealm(context, company)
  const account = await realm.within((tx) => find(tx, realm, call, body.personId))
  if (!isOpen(account))
    throw conflict('inactive', say`${nameOf(account)} is inactive or locked. Activate or unlock the account first.`)
  if (account.email_confirmed_at) throw conflict('confirmed', say`${account.email} is already confirmed.`)
  await emailConfirmation(call, realm, account)
  return { success: true as const, message: say`We sent the confirmation link to ${account.email} again.` }
})

async function find(tx: Tx, realm: AccountRealm, { company }: Call, id: number): Promise<Account> {
  const account = await realm.findById(tx, id)
  if (!account) throw notFound(say`This person was not found in ${company.name}.`)
  return account
}

const nameOf = ({ first_name, last_name }: Account) => `${first_name} ${last_name}`.trim()
