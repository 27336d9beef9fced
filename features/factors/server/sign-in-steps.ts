import type { Deed } from '../../../server/audit.ts'
import type { Call } from '../../../server/call.ts'
import { conflict, notSignedIn, rejected, Refusal } from '../../../server/errors.ts'
import { countWrongGuess, type Guess, refuseWhileWaiting } from '../../../server/limits.ts'
import { type Account, type Door, isOpen } from '../../identity/server/doors.ts'
import { Factors } from './store.ts'

/** Failures that are free, in 15 minutes, as those of passwords. */
const FREE_PER_ACCOUNT = 5
const FREE_PER_ADDRESS = 50

const TICKET_OVER = 'This took too long, or too many codes were wrong. Enter your password again.'

/** Wrong codes of an account count together, wherever they are asked for. The right password does not forgive them. */
export const codeGuess = (door: Door, personId: number): Guess => ({
  scope: 'second-factor',
  key: `${door.place}/${personId}`,
  most: FREE_PER_ACCOUNT,
})
export const addressGuess = (call: Pick<Call, 'address'>): Guess => ({
  scope: 'sign-in-address',
  key: call.address,
  most: FREE_PER_ADDRESS,
})

export const ticketOver = () => conflict('ticket_over', TICKET_OVER)

/** Whose ticket it is. @throws 409 where it is over, 401 where the account was shut meanwhile, 429 */
export async function holderOf(call: Call, factors: Factors, ticket: string, purpose: 'second' | 'enrol') {
  const { house } = call
  const found = await factors.door.within(async (tx) => {
    const step = await factors.findStep(tx, ticket, purpose)
    const account = step?.person_id ? await factors.door.findById(tx, step.person_id) : undefined
    return step && account && { step, account }
  })
  if (!found) throw ticketOver()
  if (!isOpen(found.account)) throw notSignedIn()
  await refuseWhileWaiting(house.outside, house.clock, [codeGuess(factors.door, found.account.id), addressGuess(call)])
  return found
}

/** Counts a try with a ticket. @returns how many are left after this one. @throws 409 where there was none */
export async function countTicketTry(factors: Factors, ticket: string, purpose: 'second' | 'enrol'): Promise<number> {
  const left = await factors.door.within((tx) => factors.countTry(tx, ticket, purpose))
  if (left === null) throw ticketOver()
  return left
}

/** Writes a wrong second factor down and says what to do. @returns what to throw */
export async function refusedSecond(
  call: Call,
  factors: Factors,
  account: Account,
  { how, left, isCode }: { how: string; left: number; isCode: boolean },
): Promise<Refusal> {
  const { house, requestId } = call
  const { door } = factors
  await countWrongGuess(house.outside, house.clock, [codeGuess(door, account.id), addressGuess(call)])
  const detail = { how, address: call.address, device: call.device, reason: isCode ? 'wrong_code' : 'wrong_passkey' }
  const deed: Deed = {
    action: 'sign_in.refused',
    subject: { kind: 'person', id: account.id },
    person: account.id,
    detail,
  }
  await door.within((tx) => door.audit(tx, { session: null, requestId }, deed))
  if (left === 0) return ticketOver()
  if (!isCode) return rejected('This passkey was not accepted. Try again, or choose another way.')
  const tries = left === 1 ? 'one more try' : `${left} more tries`
  const sentence = `This code is wrong, or was used already. Wait for the next one that your app shows: you have ${tries}.`
  return rejected(sentence, { code: sentence })
}
