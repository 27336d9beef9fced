import { PLATFORM } from '../../../server/audit.ts'
import { implement } from '../../../server/call.ts'
import { conflict } from '../../../server/errors.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { inLanguage, readersLanguage } from '../../../server/languages.ts'
import { countFailures, countAttempt, defineAddressLimit, defineLimit, resetAttempts } from '../../../server/limits.ts'
import { hashSecret } from '../../../server/sessions.ts'
import { transition } from '../../../server/states.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { passwordRules, resetPassword, setPassword } from '../contract.ts'
import { accounts } from '../../../server/accounts/account-states.ts'
import { makeLink } from '../../../server/accounts/account-links.ts'
import { type Account, type AccountRealm, realmAt, realmOf, isOpen } from '../../../server/accounts/account-realms.ts'
import { passwordChangedNotice, resetNotice } from './emails.ts'
import { endUnprovenMethods } from './other-sign-in-methods.ts'
import { hashPassword, refuseWeakPassword } from '../../../server/accounts/passwords.ts'
import { passwordTries } from '../../../server/accounts/proven-account.ts'
import { say } from '../../../shared/messages.ts'

const perEmail = defineLimit('reset-email', { max: 3 })
const perAddress = defineAddressLimit('reset-address', { max: 30 })

export const RESET_JOB = 'identity.reset'

/**
 * Requests a link that sets a new password (spec 7.2). A job checks later whether the account exists. So the response
 * and its timing do not depend on the email.
 */
export const resetPasswordCall = implement(resetPassword, async (call) => {
  const { context, body } = call
  const realm = realmOf(call)
  await countAttempt(context, [perEmail(`${realm.scope}/${body.email.toLowerCase()}`), perAddress(call.address)])
  const jobInput = {
    company: realm.company?.id ?? null,
    email: body.email,
    requestId: call.requestId,
    locale: readersLanguage()?.locale,
  }
  await context.outside((tx) => context.jobs.enqueue(tx, RESET_JOB, jobInput))
  const msg = say`If an account exists here for ${body.email}, we will email that address a link to set a new password. The link works for one hour.`
  return { success: true as const, message: msg, msg }
})

interface ResetLinkInput {
  company: number | null
  email: string
  requestId: string
  /** Language of the email. */
  locale?: string | undefined
}

/**
 * Emails the link to the address stored in the account, not to the address as typed. If the job runs twice, only the
 * later link works.
 */
export async function emailResetLink(context: AppContext, input: ResetLinkInput): Promise<void> {
  const { company, email, requestId, locale } = input
  const realm = await realmAt(context, company)
  await realm?.within(async (tx) => {
    const account = await realm.findByEmail(tx, email)
    if (!account || !isOpen(account)) return
    const link = await makeLink(tx, context, realm, {
      personId: account.id,
      purpose: 'reset_password',
      email: account.email,
    })
    await inLanguage(locale, () => realm.notify(tx, account.email, resetNotice, { link }))
    await realm.audit(
      tx,
      { session: null, requestId, kind: 'system' },
      { action: 'password.reset_requested', subject: { kind: 'person', id: account.id }, person: account.id },
    )
  })
}

export const passwordRulesCall = implement(passwordRules, async (call) => {
  const { code } = call.body
  const realm = realmOf(call)
  return realm.within(async (tx) => {
    const rules = await realm.rulesOf(tx)
    if (code === undefined) return { rules, link: null }
    const good = await findReset(tx, realm, code)
    if (good) return { rules, link: 'good' as const }
    const past = await realm.pastOf(tx, hashSecret(code))
    if (past?.purpose !== 'reset_password') return { rules, link: 'expired' as const }
    return { rules, link: past.used ? ('used' as const) : past.newer ? ('newer' as const) : ('expired' as const) }
  })
})

/** Finds the account of a reset link. With `take`, also marks the link as used. */
async function findReset(tx: Tx, realm: AccountRealm, code: string, { take = false } = {}): Promise<Account | null> {
  const link = await realm.findLink(tx, hashSecret(code), ['reset_password'], { take })
  const account = link && (await realm.findById(tx, link.person_id))
  return account && isOpen(account) && account.email === link.email ? account : null
}

/** Rate limit that counts only wrong codes. */
const codesPerAddress = defineAddressLimit('reset-code', { max: 50 })
const linkExpired = () => conflict('link_expired', 'This link was already used or has expired. Request a new one.')

/**
 * Sets the password with an emailed link and ends every session of the person. Removes sign-in methods that an intruder
 * may have added, and notifies the person. Use of the link also proves that the person owns the mailbox.
 */
export const setPasswordCall = implement(setPassword, async (call) => {
  const { context, body, requestId } = call
  const realm = realmOf(call)
  // Checks the code before hashing, so that made-up codes cost almost nothing.
  const rules = await countFailures(context, [codesPerAddress(call.address)], () =>
    realm.within(async (tx) => {
      if (!(await findReset(tx, realm, body.code))) throw linkExpired()
      return realm.rulesOf(tx)
    }),
  )
  await refuseWeakPassword(context, rules, body.password)
  const hash = await hashPassword(body.password, call.address)
  const set = await realm.within(async (tx) => {
    const account = await findReset(tx, realm, body.code, { take: true })
    if (!account) throw linkExpired()
    const { id, email } = account
    const ended = await endUnprovenMethods(tx, context, realm, account)
    const detail = { removed_factors: ended.others.filter(({ stays }) => !stays).map(({ kind }) => kind) }
    const actor = { session: null, requestId }
    const transitionActor = {
      as: 'requester' as const,
      caller: actor,
      clock: context.clock,
      person: { id, name: `${account.first_name} ${account.last_name}` },
    }
    const scope = realm.company?.id ?? PLATFORM
    if (account.password_hash === null)
      await transition(tx, accounts, {
        scope,
        id,
        event: 'recover',
        actor: transitionActor,
        detail,
        patch: { passwordHash: hash },
      })
    else await realm.audit(tx, actor, { action: 'password.reset', subject: { kind: 'person', id }, person: id, detail })
    await realm.setPassword(tx, id, hash)
    await realm.setEmail(tx, id, email)
    await realm.endSessions(tx, id)
    await realm.notify(tx, email, passwordChangedNotice, ended)
    return { email, ...ended }
  })
  await resetAttempts(context, [passwordTries(realm.scope, set.email)])
  return { success: true as const, message: 'Your password is set. Use it to sign in.', ...set }
})
