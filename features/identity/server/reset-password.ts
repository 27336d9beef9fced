import { implement } from '../../../server/call.ts'
import { conflict } from '../../../server/errors.ts'
import type { House } from '../../../server/house.ts'
import { countTry, forgetGuesses, type Guess } from '../../../server/limits.ts'
import { hashSecret } from '../../../server/sessions.ts'
import { passwordRules, resetPassword, setPassword } from '../contract.ts'
import { makeLink } from './account-links.ts'
import { doorAt, doorOf, isOpen } from './doors.ts'
import { passwordChangedLetter, resetLetter, sendLetter } from './letters.ts'
import { hashPassword, refuseWeakPassword } from './passwords.ts'
import { accountGuess } from './sign-in.ts'

/** In 15 minutes. */
const PER_EMAIL = 3
const PER_ADDRESS = 30

export const RESET_JOB = 'identity.reset'

/**
 * Asks for a link that sets a new password (specification 7.2). Whether there is such an account is found out by a job
 * afterwards, so that answer and duration are the same for every email.
 */
export const resetPasswordCall = implement(resetPassword, async (call) => {
  const { house, body } = call
  const door = doorOf(call)
  const email: Guess = { scope: 'reset-email', key: `${door.place}/${body.email.toLowerCase()}`, most: PER_EMAIL }
  const address: Guess = { scope: 'reset-address', key: call.address, most: PER_ADDRESS }
  await countTry(house.outside, house.clock, [email, address])
  const asked = { company: door.company?.id ?? null, email: body.email, requestId: call.requestId }
  await house.outside((tx) => house.jobs.enqueue(tx, RESET_JOB, asked))
  const msg = `If ${body.email} has an account here, a link to set a new password is on its way. It works for an hour.`
  return { success: true as const, message: msg, msg }
})

interface Asked {
  company: number | null
  email: string
  requestId: string
}

/** Mails the link to the address that the account has, whatever was typed. Run twice, the later link counts. */
export async function mailResetLink(house: House, { company, email, requestId }: Asked): Promise<void> {
  const door = await doorAt(house, company)
  await door?.within(async (tx) => {
    const account = await door.findByEmail(tx, email)
    if (!account || !isOpen(account)) return
    const link = await makeLink(tx, house, door, {
      personId: account.id,
      purpose: 'reset_password',
      email: account.email,
    })
    await sendLetter(tx, door, account.email, resetLetter(door, link))
    await door.audit(
      tx,
      { session: null, requestId, kind: 'system' },
      { action: 'password.reset_asked', subject: { kind: 'person', id: account.id }, person: account.id },
    )
  })
}

export const passwordRulesCall = implement(passwordRules, async (call) => {
  const { code } = call.body
  const door = doorOf(call)
  return door.within(async (tx) => {
    const rules = await door.rulesOf(tx)
    if (code === undefined) return { rules, link: null }
    const link = await door.findLink(tx, hashSecret(code), ['reset_password'])
    return { rules, link: link ? ('good' as const) : ('over' as const) }
  })
})

/**
 * Sets the password by the link of a mail, ends every session of the person, takes back what else was asked for by mail,
 * and tells them. That the link came back confirms the email as well.
 */
export const setPasswordCall = implement(setPassword, async (call) => {
  const { house, body, requestId } = call
  const door = doorOf(call)
  await refuseWeakPassword(house, await door.within((tx) => door.rulesOf(tx)), body.password)
  const hash = await hashPassword(body.password)
  const email = await door.within(async (tx) => {
    const link = await door.findLink(tx, hashSecret(body.code), ['reset_password'], { take: true })
    const account = link && (await door.findById(tx, link.person_id))
    if (!account || !isOpen(account) || account.email !== link.email)
      throw conflict('link_over', 'This link was used already or is too old. Ask for a new one.')
    await door.setPassword(tx, account.id, hash)
    if (!account.email_confirmed_at) await door.setEmail(tx, account.id, account.email)
    await door.voidLinks(tx, account.id, ['reset_password', 'change_email'])
    await door.endSessions(tx, account.id)
    await sendLetter(tx, door, account.email, passwordChangedLetter(door))
    const { id } = account
    await door.audit(
      tx,
      { session: null, requestId },
      { action: 'password.reset', subject: { kind: 'person', id: id }, person: id },
    )
    return account.email
  })
  await forgetGuesses(house.outside, [accountGuess(door.place, email)])
  return { success: true as const, message: 'Your password is set. Sign in with it now.', email }
})
