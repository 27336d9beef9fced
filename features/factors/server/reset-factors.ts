import type { AppContext } from '../../../server/app-context.ts'
import type { Tx } from '../../../server/tenancy.ts'
import type { AccountRealm } from '../../../server/accounts/account-realms.ts'
import { factorNotice } from './emails.ts'
import { Factors } from './store.ts'

/** True if this person has a factor other than a password. */
export async function hasFactors(tx: Tx, context: AppContext, realm: AccountRealm, personId: number): Promise<boolean> {
  const factors = new Factors(context, realm)
  return Boolean(await factors.findApp(tx, personId)) || (await factors.passkeysOf(tx, personId)).length > 0
}

/** Removes all factors except the password for a person who lost them. Signs the person out and notifies them. */
export async function resetFactors(
  tx: Tx,
  context: AppContext,
  realm: AccountRealm,
  person: { id: number; email: string },
): Promise<void> {
  const factors = new Factors(context, realm)
  await factors.dropApp(tx, person.id)
  await factors.dropPasskeys(tx, person.id)
  await factors.voidSteps(tx, person.id)
  await realm.endSessions(tx, person.id)
  await realm.notify(tx, person.email, factorNotice, { change: 'reset' })
}
