import type { AuditEntry } from '../../../server/audit.ts'
import type { Call } from '../../../server/call.ts'
import { conflict, notSignedIn, rejected, Refusal } from '../../../server/errors.ts'
import { countFailures, defineLimit, type Limit } from '../../../server/limits.ts'
import { type Account, type Door, isOpen } from '../../../server/accounts/account-realms.ts'
import { signInTries } from '../../../server/accounts/proven-account.ts'
import { Factors } from './store.ts'
import { plural, say } from '../../../shared/words.ts'

/** Failures alone count, as those of passwords. */
const codesPerAccount = defineLimit('second-factor', { most: 5 })

const TICKET_OVER = 'This took too long, or too many codes were wrong. Enter your password again.'

/** Wrong codes of an account count together, wherever they are asked for. The right password does not forgive them. */
export const codeTries = (door: Door, personId: number): Limit => codesPerAccount(`${door.place}/${personId}`)

export const ticketOver = () => conflict('ticket_over', TICKET_OVER)

/** Whose ticket it is. @throws 409 where it is over, 401 where the account was shut meanwhile */
export async function holderOf(factors: Factors, ticket: string, purpose: 'second' | 'enrol') {
  const found = await factors.door.within(async (tx) => {
    const step = await factors.findStep(tx, ticket, purpose)
    const account = step?.person_id ? await factors.door.findById(tx, step.person_id) : undefined
    return step && account && { step, account }
  })
  if (!found) throw ticketOver()
  if (!isOpen(found.account)) throw notSignedIn()
  return found
}

/**
 * Tries a code or a passkey with a ticket. Only what is wrong counts for the account and the address; for the ticket every
 * try counts, and `work` is told how many are left after this one.
 * @throws 409 where the ticket has none left, 429
 */
export const tryTicket = <T>(
  call: Call,
  factors: Factors,
  account: Account,
  { ticket, purpose }: { ticket: string; purpose: 'second' | 'enrol' },
  work: (left: number) => Promise<T>,
): Promise<T> =>
  countFailures(call.context, [codeTries(factors.door, account.id), signInTries(call)], async () => {
    const left = await factors.door.within((tx) => factors.countTry(tx, ticket, purpose))
    if (left === null) throw ticketOver()
    return work(left)
  })

/** Writes a wrong second factor down and says what to do. @returns what to throw */
export async function refusedSecond(
  call: Call,
  factors: Factors,
  account: Account,
  { how, left, isCode }: { how: string; left: number; isCode: boolean },
): Promise<Refusal> {
  const { requestId } = call
  const { door } = factors
  const detail = { how, address: call.address, device: call.device, reason: isCode ? 'wrong_code' : 'wrong_passkey' }
  const auditEntry: AuditEntry = {
    action: 'sign_in.refused',
    subject: { kind: 'person', id: account.id },
    person: account.id,
    detail,
  }
  await door.within((tx) => door.audit(tx, { session: null, requestId }, auditEntry))
  if (left === 0) return ticketOver()
  if (!isCode) return rejected('This passkey was not accepted. Try again, or choose another way.')
  const sentence = say`This code is wrong, or was used already. Wait for the next one that your app shows: you have ${plural(left, 'one more try', '# more tries')}.`
  return rejected(sentence, { code: sentence })
}
