import type { AuditEntry } from '../../../server/audit.ts'
import type { Call } from '../../../server/call.ts'
import { conflict, notSignedIn, rejected, Refusal } from '../../../server/errors.ts'
import { countFailures, defineLimit, type Limit } from '../../../server/limits.ts'
import { type Account, type AccountRealm, isOpen } from '../../../server/accounts/account-realms.ts'
import { signInTries } from '../../../server/accounts/proven-account.ts'
import { Factors } from './store.ts'
import { plural, say } from '../../../shared/messages.ts'

/** Rate limit for wrong codes of each account. Only failures count, as with passwords. */
const codesPerAccount = defineLimit('second-factor', { max: 5 })

const TICKET_EXPIRED = 'Your time ran out, or you entered too many wrong codes. Enter your password again.'

/** Limits the wrong codes entered for an account across all screens. A correct password does not reset the count. */
export const codeTries = (realm: AccountRealm, personId: number): Limit => codesPerAccount(`${realm.scope}/${personId}`)

export const ticketExpired = () => conflict('ticket_expired', TICKET_EXPIRED)

/**
 * Finds the holder of a ticket.
 * @throws 409 if the ticket has expired or was used, 401 if the account has been locked since
 */
export async function holderOf(factors: Factors, ticket: string, purpose: 'second' | 'enroll') {
  const holder = await factors.realm.within(async (tx) => {
    const step = await factors.findStep(tx, ticket, purpose)
    const account = step?.person_id ? await factors.realm.findById(tx, step.person_id) : undefined
    return step && account && { step, account }
  })
  if (!holder) throw ticketExpired()
  if (!isOpen(holder.account)) throw notSignedIn()
  return holder
}

/**
 * Runs `work`, which checks a code or passkey for a ticket, and passes it the number of attempts left. The limits for
 * each account and IP address count only failures. The ticket counts every attempt.
 * @throws 409 if the ticket has no attempts left, 429 after too many failures
 */
export const tryTicket = <T>(
  call: Call,
  factors: Factors,
  account: Account,
  { ticket, purpose }: { ticket: string; purpose: 'second' | 'enroll' },
  work: (left: number) => Promise<T>,
): Promise<T> =>
  countFailures(call.context, [codeTries(factors.realm, account.id), signInTries(call)], async () => {
    const left = await factors.realm.within((tx) => factors.countAttempt(tx, ticket, purpose))
    if (left === null) throw ticketExpired()
    return work(left)
  })

/**
 * Logs a wrong second factor and explains the next step.
 * @returns the error to throw
 */
export async function refusedSecond(
  call: Call,
  factors: Factors,
  account: Account,
  { how, left, isCode }: { how: string; left: number; isCode: boolean },
): Promise<Refusal> {
  const { requestId } = call
  const { realm } = factors
  const detail = { how, address: call.address, device: call.device, reason: isCode ? 'wrong_code' : 'wrong_passkey' }
  const auditEntry: AuditEntry = {
    action: 'sign_in.refused',
    subject: { kind: 'person', id: account.id },
    person: account.id,
    detail,
  }
  await realm.within((tx) => realm.audit(tx, { session: null, requestId }, auditEntry))
  if (left === 0) return ticketExpired()
  if (!isCode) return rejected('This passkey was not accepted. Try again, or choose another method.')
  const message = say`This code is wrong or was already used. Wait for the next code in your authenticator app. You have ${plural(left, 'one more try', '# more tries')}.`
  return rejected(message, { code: message })
}
