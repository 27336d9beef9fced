import type { House } from '../../../server/house.ts'
import type { Tx } from '../../../server/tenancy.ts'
import type { Door } from '../../../server/accounts/doors.ts'
import { factorNotice } from './letters.ts'
import { Factors } from './store.ts'

/** Has this person anything beside a password? */
export async function hasFactors(tx: Tx, house: House, door: Door, personId: number): Promise<boolean> {
  const factors = new Factors(house, door)
  return Boolean(await factors.findApp(tx, personId)) || (await factors.passkeysOf(tx, personId)).length > 0
}

/** Takes everything but the password off somebody who lost it, signs them out, and tells them. */
export async function resetFactors(
  tx: Tx,
  house: House,
  door: Door,
  person: { id: number; email: string },
): Promise<void> {
  const factors = new Factors(house, door)
  await factors.dropApp(tx, person.id)
  await factors.dropPasskeys(tx, person.id)
  await factors.voidSteps(tx, person.id)
  await door.endSessions(tx, person.id)
  await door.tell(tx, person.email, factorNotice, { change: 'reset' })
}
