import type { AuditEntry } from '../../../server/audit.ts'
import { implement } from '../../../server/call.ts'
import { conflict, notFound, rejected } from '../../../server/errors.ts'
import { deviceName } from '../../../server/accounts/device-name.ts'
import { realmOf, ownAccount, ownSession, refuseUnproven } from '../../../server/accounts/account-realms.ts'
import { lockUntilCommit } from '../../../server/named-lock.ts'
import { startPasskey, removePasskey, renamePasskey, savePasskey } from '../contract.ts'
import { factorNotice, notifyOfNewFactor } from './emails.ts'
import { refuseLastRequired } from './my-app.ts'
import { proveBoth } from './prove.ts'
import { Factors } from './store.ts'
import { registrationOptions, verifiedRegistration } from './webauthn.ts'
import { say } from '../../../shared/messages.ts'

const MAX_PASSKEYS = 20
const refuseTooMany = (stored: readonly unknown[]): void => {
  if (stored.length >= MAX_PASSKEYS)
    throw rejected(say`You have ${MAX_PASSKEYS} passkeys, which is the maximum. First remove one that you do not use.`)
}
const GONE = 'This passkey no longer exists. Reload the page.'

export const startPasskeyCall = implement(startPasskey, async (call) => {
  const { context } = call
  const session = ownSession(call)
  const factors = new Factors(context, realmOf(call))
  const { realm } = factors
  const account = await proveBoth(call, factors, session, call.body)
  refuseUnproven(account)
  const passkeys = await realm.within((tx) => factors.passkeysOf(tx, account.id))
  refuseTooMany(passkeys)
  const options = await registrationOptions(realm, {
    // Handle shared by all passkeys of a person. It does not reveal who the person is.
    handle: context.secrets.mark(`passkey ${realm.scope}/${account.id}`),
    email: account.email,
    name: `${account.first_name} ${account.last_name}`,
    passkeys,
  })
  const { challenge } = options
  const step = await realm.within((tx) => factors.addStep(tx, 'new_passkey', account.id, { challenge }))
  return { step, options: { ...options } }
})

/** Saves a passkey, named after the browser that created it. */
export const savePasskeyCall = implement(savePasskey, async (call) => {
  const { body } = call
  const session = ownSession(call)
  const factors = new Factors(call.context, realmOf(call))
  const { realm } = factors
  const step = await realm.within((tx) => factors.findStep(tx, body.step, 'new_passkey'))
  if (!step?.challenge || step.person_id !== session.personId)
    throw conflict('step_expired', 'Your time ran out. Start again.')
  const made = await verifiedRegistration(realm, step.challenge, body.attestation)
  if (!made) throw rejected('This passkey was not accepted. Start again, or use another device.')
  const name = deviceName(call.device)
  const id = await realm.within(async (tx) => {
    const account = await ownAccount(tx, realm, session)
    if (!(await factors.takeStep(tx, body.step, 'new_passkey')))
      throw conflict('step_expired', 'Your time ran out. Start again.')
    await lockUntilCommit(tx, 'passkey', realm.scope, account.id)
    refuseTooMany(await factors.passkeysOf(tx, account.id))
    const added = await factors.addPasskey(tx, {
      ...{ person_id: account.id, credential_id: made.id, public_key: Buffer.from(made.publicKey), name },
      ...{ counter: made.counter, transports: made.transports ?? [] },
    })
    if (added === null) throw conflict('known_passkey', 'This passkey is already saved.')
    await notifyOfNewFactor(tx, call.context, realm, account, 'passkey_added')
    await realm.audit(tx, call, {
      action: 'passkey.added',
      subject: { kind: 'person', id: account.id },
      detail: { passkey: added },
    })
    return added
  })
  return { success: true as const, message: 'Passkey saved. You can now use it to sign in.', id, name }
})

export const renamePasskeyCall = implement(renamePasskey, async (call) => {
  const { id, name } = call.body
  const session = ownSession(call)
  const factors = new Factors(call.context, realmOf(call))
  await factors.realm.within(async (tx) => {
    if (!(await factors.renamePasskey(tx, session.personId, id, name))) throw notFound(GONE)
    const auditEntry: AuditEntry = {
      action: 'passkey.renamed',
      subject: { kind: 'person', id: session.personId },
      detail: { passkey: id },
    }
    await factors.realm.audit(tx, call, auditEntry)
  })
  return { success: true as const, message: 'Passkey renamed.' }
})

export const removePasskeyCall = implement(removePasskey, async (call) => {
  const { id } = call.body
  const session = ownSession(call)
  const factors = new Factors(call.context, realmOf(call))
  const { realm } = factors
  await realm.within(async (tx) => {
    const passkeys = await factors.passkeysOf(tx, session.personId)
    if (!passkeys.some((passkey) => passkey.id === id)) throw notFound(GONE)
    const app = await factors.findApp(tx, session.personId)
    await refuseLastRequired(factors, tx, session, passkeys.length - 1 + (app ? 1 : 0))
  })
  const account = await proveBoth(call, factors, session, call.body)
  await realm.within(async (tx) => {
    if ((await factors.dropPasskeys(tx, account.id, id)) === 0) throw notFound(GONE)
    await realm.notify(tx, account.email, factorNotice, { change: 'passkey_removed' })
    await realm.audit(tx, call, {
      action: 'passkey.removed',
      subject: { kind: 'person', id: account.id },
      detail: { passkey: id },
    })
  })
  return { success: true as const, message: 'Passkey removed. Delete it on your device too.' }
})
