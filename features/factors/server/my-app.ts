import { implement } from '../../../server/call.ts'
import { conflict, rejected } from '../../../server/errors.ts'
import { realmOf, ownAccount, ownSession, refuseUnproven } from '../../../server/accounts/account-realms.ts'
import { startAuthenticator, confirmApp, myFactors, removeApp, renewRecoveryCodes } from '../contract.ts'
import { makeRecoveryCodes, newAppSecret, timeStepOf } from './codes.ts'
import { factorNotice, notifyOfNewFactor } from './emails.ts'
import { proveBoth } from './prove.ts'
import { Factors } from './store.ts'
import { say } from '../../../shared/messages.ts'

const FIRST_CODE_INVALID =
  'This code does not match. Wait for the next code, and check that your phone’s clock is correct.'
const STEP_EXPIRED = 'Your time ran out, or you entered too many wrong codes. Start again.'

export const myFactorsCall = implement(myFactors, async (call) => {
  const session = ownSession(call)
  const factors = new Factors(call.context, realmOf(call))
  return factors.realm.within(async (tx) => {
    const app = await factors.findApp(tx, session.personId)
    const passkeys = await factors.passkeysOf(tx, session.personId)
    return {
      app: app
        ? {
            since: app.created_at.toISOString(),
            recoveryCodesLeft: await factors.recoveryCodesLeft(tx, session.personId),
          }
        : null,
      passkeys: passkeys.map(({ id, name, created_at, used_at }) => ({
        ...{ id, name, created: created_at.toISOString(), used: used_at?.toISOString() ?? null },
      })),
      required: await factors.isRequired(tx, session.roleId),
    }
  })
})

/** Returns a secret for setting up an app. It may replace an earlier app. */
export const startAuthenticatorCall = implement(startAuthenticator, async (call) => {
  const { context } = call
  const session = ownSession(call)
  const factors = new Factors(context, realmOf(call))
  const account = await proveBoth(call, factors, session, call.body)
  refuseUnproven(account)
  const { secret, uri, issuer } = newAppSecret(factors, account.email)
  const stepData = { secretSealed: context.secrets.seal(secret) }
  const step = await factors.realm.within((tx) => factors.addStep(tx, 'new_app', account.id, stepData))
  return { step, secret, uri, issuer }
})

/** Activates the app with its first code, and ends sessions that started without the app. */
export const confirmAppCall = implement(confirmApp, async (call) => {
  const { context, body } = call
  const session = ownSession(call)
  const factors = new Factors(context, realmOf(call))
  const { realm } = factors
  const step = await realm.within(async (tx) => {
    const candidate = await factors.findStep(tx, body.step, 'new_app')
    const isOwn = candidate?.person_id === session.personId
    return isOwn && (await factors.countAttempt(tx, body.step, 'new_app')) !== null ? candidate : null
  })
  if (!step?.secret_sealed) throw conflict('step_expired', STEP_EXPIRED)
  const timeStep = timeStepOf(factors, step.secret_sealed, body.code)
  if (timeStep === null) throw rejected(FIRST_CODE_INVALID, { code: FIRST_CODE_INVALID })
  const sealed = step.secret_sealed
  const recoveryCodes = await realm.within(async (tx) => {
    const account = await ownAccount(tx, realm, session)
    if (!(await factors.takeStep(tx, body.step, 'new_app'))) throw conflict('step_expired', STEP_EXPIRED)
    await factors.keepApp(tx, account.id, sealed, timeStep)
    await factors.voidSteps(tx, account.id)
    const codes = await makeRecoveryCodes(tx, factors, account.id)
    await realm.endSessions(tx, account.id, { but: session.tokenHash })
    await notifyOfNewFactor(tx, context, realm, account, 'app_added')
    await realm.audit(tx, call, { action: 'second_factor.enabled', subject: { kind: 'person', id: account.id } })
    return codes
  })
  return { success: true as const, message: 'Your authenticator app is set up.', recoveryCodes }
})

/** @throws 409 if a second factor is required and this app is the person's only one */
export const removeAppCall = implement(removeApp, async (call) => {
  const session = ownSession(call)
  const factors = new Factors(call.context, realmOf(call))
  const { realm } = factors
  await realm.within(async (tx) => {
    if (!(await factors.findApp(tx, session.personId)))
      throw conflict('no_app', 'Your account has no authenticator app. Reload the page.')
    await refuseLastRequired(factors, tx, session, (await factors.passkeysOf(tx, session.personId)).length)
  })
  const account = await proveBoth(call, factors, session, call.body)
  await realm.within(async (tx) => {
    await factors.dropApp(tx, account.id)
    await factors.voidSteps(tx, account.id)
    await realm.notify(tx, account.email, factorNotice, { change: 'app_removed' })
    await realm.audit(tx, call, { action: 'second_factor.disabled', subject: { kind: 'person', id: account.id } })
  })
  return {
    success: true as const,
    message: 'Your authenticator app was turned off. You can now sign in with only your password.',
  }
})

/**
 * Refuses to remove a person's last factor if a second factor is required. The person can only replace that factor.
 * @throws 409 if the last required factor would be removed
 */
export async function refuseLastRequired(
  factors: Factors,
  tx: Parameters<Factors['isRequired']>[0],
  session: { roleId: number },
  othersLeft: number,
): Promise<void> {
  if (othersLeft === 0 && (await factors.isRequired(tx, session.roleId)))
    throw conflict(
      'second_factor_required',
      say`${factors.realm.name} requires two-factor authentication for all staff, and you have only one method. Set up another method first.`,
    )
}

export const renewRecoveryCodesCall = implement(renewRecoveryCodes, async (call) => {
  const session = ownSession(call)
  const factors = new Factors(call.context, realmOf(call))
  const { realm } = factors
  if (!(await realm.within((tx) => factors.findApp(tx, session.personId))))
    throw conflict('no_app', 'Your account has no authenticator app. Reload the page.')
  const account = await proveBoth(call, factors, session, call.body)
  const recoveryCodes = await realm.within(async (tx) => {
    const codes = await makeRecoveryCodes(tx, factors, account.id)
    await realm.notify(tx, account.email, factorNotice, { change: 'codes_renewed' })
    await realm.audit(tx, call, { action: 'second_factor.codes_renewed', subject: { kind: 'person', id: account.id } })
    return codes
  })
  return { success: true as const, message: 'Your earlier recovery codes no longer work.', recoveryCodes }
})
