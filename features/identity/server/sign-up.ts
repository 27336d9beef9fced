import { type Call, implement } from '../../../server/call.ts'
import { notFound } from '../../../server/errors.ts'
import { countAttempt, defineAddressLimit, defineLimit } from '../../../server/limits.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import type { RequestOf } from '../../../shared/endpoint.ts'
import { formatPhone, nationalDigits } from '../../../shared/phone.ts'
import { roles } from '../../../shared/privileges.ts'
import { say } from '../../../shared/messages.ts'
import { signUp } from '../contract.ts'
import { makeLink } from '../../../server/accounts/account-links.ts'
import { type AccountRealm, realmOf } from '../../../server/accounts/account-realms.ts'
import { confirmNotice } from '../../../server/accounts/emails.ts'
import { accountExistsNotice } from './emails.ts'
import { hashPassword, refuseWeakPassword } from '../../../server/accounts/passwords.ts'
import { startSignedInSession } from '../../../server/accounts/start-session.ts'

/** Limit for each address, because anyone can type a stranger's address into the form. */
const perEmail = defineLimit('sign-up-email', { max: 3 })
const perAddress = defineAddressLimit('sign-up-address', { max: 20 })

/**
 * Creates a resident's account and signs the resident in. If the email already has an account, the server does the same
 * work and returns the same message, but no session. The account owner gets an email. So the screen does not reveal
 * that the account exists. A program can notice the missing session, which is unavoidable with immediate sign-in. Each
 * attempt emails the owner and counts toward the limits.
 */
export const signUpCall = implement(signUp, async (call) => {
  const { context, body, requestId } = call
  const realm = realmOf(call)
  const company = realm.company?.id
  if (!company) throw notFound("Sign up on your municipality's own site.")
  const rules = await realm.within((tx) => realm.rulesOf(tx))
  await refuseWeakPassword(context, rules, body.password)
  await countAttempt(context, [perEmail(`${company}/${body.email.toLowerCase()}`), perAddress(call.address)])

  const password_hash = await hashPassword(body.password, call.address)
  const session = await realm.within(async (tx) => {
    const id = await addResident(tx, company, body, password_hash)
    if (id !== null) return welcomeNew(call, tx, realm, id)
    const owner = await realm.findByEmail(tx, body.email)
    if (owner) {
      await realm.notify(tx, owner.email, accountExistsNotice, {})
      await realm.audit(
        tx,
        { session: null, requestId },
        { action: 'sign_up.email_in_use', subject: { kind: 'person', id: owner.id }, person: owner.id },
      )
    }
    return null
  })
  const message = say`We sent an email to ${body.email}. Open the link in that email to confirm your address. You can continue now and open the link later.`
  return { success: true as const, message, session }
})

/** Adds the resident. Returns null if the email already has an account. */
async function addResident(tx: Tx, company: CompanyId, form: RequestOf<typeof signUp>, password_hash: string) {
  const added = await tx
    .insertInto('person')
    .values({
      company_id: company,
      email: form.email,
      password_hash,
      role_id: roles.citizen,
      first_name: form.first_name,
      last_name: form.last_name,
      mobile_no: formatPhone(nationalDigits(form.mobile_no)),
      active_email_alerts: null,
      active_phone_alerts: null,
      email_confirmed_at: null,
      locked_at: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return added?.id ?? null
}

async function welcomeNew(call: Call<RequestOf<typeof signUp>>, tx: Tx, realm: AccountRealm, id: number) {
  const { email } = call.body
  const link = await makeLink(tx, call.context, realm, { personId: id, purpose: 'confirm_email', email })
  await realm.notify(tx, email, confirmNotice, { link })
  const person = await realm.findById(tx, id)
  if (!person) throw new Error('a resident who was just added is not there')
  return startSignedInSession(call, tx, realm, person, 'password', 'sign_up.accepted')
}
