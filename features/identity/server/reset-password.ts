import { PLATFORM } from '../../../server/audit.ts'
import { implement } from '../../../server/call.ts'
import { conflict } from '../../../server/errors.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { inLanguage, readersLanguage } from '../../../server/languages.ts'
import { countFailures, countTry, defineAddressLimit, defineLimit, forgetTries } from '../../../server/limits.ts'
import { hashSecret } from '../../../server/sessions.ts'
import { transition } from '../../../server/states.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { passwordRules, resetPassword, setPassword } from '../contract.ts'
import { accounts } from '../../../server/accounts/account-states.ts'
import { makeLink } from '../../../server/accounts/account-links.ts'
import { type Account, type Door, doorAt, doorOf, isOpen } from '../../../server/accounts/account-realms.ts'
import { passwordChangedNotice, resetNotice } from './emails.ts'
import { endWhatIsUnproven } from './other-ways.ts'
import { hashPassword, refuseWeakPassword } from '../../../server/accounts/passwords.ts'
import { passwordTries } from '../../../server/accounts/proven-account.ts'
import { say } from '../../../shared/words.ts'

const perEmail = defineLimit('reset-email', { most: 3 })
const perAddress = defineAddressLimit('reset-address', { most: 30 })

export const RESET_JOB = 'identity.reset'

/**
 * Asks for a link that sets a new password (specification 7.2). Whether there is such an account is found out by a job
 * afterwards, so that answer and duration are the same for every email.
 */
export const resetPasswordCall = implement(resetPassword, async (call) => {
  const { context, body } = call
  const door = doorOf(call)
  await countTry(context, [perEmail(`${door.place}/${body.email.toLowerCase()}`), perAddress(call.address)])
  const asked = {
    company: door.company?.id ?? null,
    email: body.email,
    requestId: call.requestId,
    locale: readersLanguage()?.locale,
  }
  await context.outside((tx) => context.jobs.enqueue(tx, RESET_JOB, asked))
  const msg = say`If ${body.email} has an account here, a link to set a new password is on its way. It works for an hour.`
  return { success: true as const, message: msg, msg }
})

interface ResetLinkInput {
  company: number | null
  email: string
  requestId: string
  /** In which the mail is. */
  locale?: string | undefined
}

/** Mails the link to the address that the account has, whatever was typed. Run twice, the later link counts. */
export async function mailResetLink(context: AppContext, asked: ResetLinkInput): Promise<void> {
  const { company, email, requestId, locale } = asked
  const door = await doorAt(context, company)
  await door?.within(async (tx) => {
    const account = await door.findByEmail(tx, email)
    if (!account || !isOpen(account)) return
    const link = await makeLink(tx, context, door, {
      personId: account.id,
      purpose: 'reset_password',
      email: account.email,
    })
    await inLanguage(locale, () => door.tell(tx, account.email, resetNotice, { link }))
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
    const good = await findReset(tx, door, code)
    if (good) return { rules, link: 'good' as const }
    const past = await door.pastOf(tx, hashSecret(code))
    if (past?.purpose !== 'reset_password') return { rules, link: 'over' as const }
    return { rules, link: past.used ? ('used' as const) : past.newer ? ('newer' as const) : ('over' as const) }
  })
})

/** Whose password a link sets. `take`: it is used up by this. */
async function findReset(tx: Tx, door: Door, code: string, { take = false } = {}): Promise<Account | null> {
  const link = await door.findLink(tx, hashSecret(code), ['reset_password'], { take })
  const account = link && (await door.findById(tx, link.person_id))
  return account && isOpen(account) && account.email === link.email ? account : null
}

/** Wrong codes alone count. */
const codesPerAddress = defineAddressLimit('reset-code', { most: 50 })
const linkOver = () => conflict('link_over', 'This link was used already or is too old. Ask for a new one.')

/**
 * Sets the password by the link of a mail, ends every session of the person and whatever somebody else may have added,
 * and tells them. That the link came back proves the mailbox as well.
 */
export const setPasswordCall = implement(setPassword, async (call) => {
  const { context, body, requestId } = call
  const door = doorOf(call)
  // Looked at before anything is hashed: made-up codes cost next to nothing.
  const rules = await countFailures(context, [codesPerAddress(call.address)], () =>
    door.within(async (tx) => {
      if (!(await findReset(tx, door, body.code))) throw linkOver()
      return door.rulesOf(tx)
    }),
  )
  await refuseWeakPassword(context, rules, body.password)
  const hash = await hashPassword(body.password, call.address)
  const set = await door.within(async (tx) => {
    const account = await findReset(tx, door, body.code, { take: true })
    if (!account) throw linkOver()
    const { id, email } = account
    const ended = await endWhatIsUnproven(tx, context, door, account)
    const detail = { taken_back: ended.others.filter(({ stays }) => !stays).map(({ kind }) => kind) }
    const actor = { session: null, requestId }
    const who = {
      as: 'requester' as const,
      actor,
      clock: context.clock,
      known: { id, name: `${account.first_name} ${account.last_name}` },
    }
    const place = door.company?.id ?? PLATFORM
    if (account.password_hash === null)
      await transition(tx, accounts, { place, id, event: 'recover', who, detail, facts: { passwordHash: hash } })
    else await door.audit(tx, actor, { action: 'password.reset', subject: { kind: 'person', id }, person: id, detail })
    await door.setPassword(tx, id, hash)
    await door.setEmail(tx, id, email)
    await door.endSessions(tx, id)
    await door.tell(tx, email, passwordChangedNotice, ended)
    return { email, ...ended }
  })
  await forgetTries(context, [passwordTries(door.place, set.email)])
  return { success: true as const, message: 'Your password is set. Sign in with it now.', ...set }
})
