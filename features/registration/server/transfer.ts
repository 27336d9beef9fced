import { type Call, callerName, implement, signedIn } from '../../../server/call.ts'
import { conflict, notFound, Refusal, rejected } from '../../../server/errors.ts'
import { countAttempt, defineLimit } from '../../../server/limits.ts'
import { notify } from '../../../server/notices/notify.ts'
import { hashSecret, newSecret } from '../../../server/sessions.ts'
import { transition, actorOf } from '../../../server/states.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { addDays, dateIn } from '../../../shared/dates.ts'
import { say } from '../../../shared/messages.ts'
import { acceptRegistration, offeredRegistration, offerRegistration, withdrawOffer } from '../contract.ts'
import { HOUSEHOLD, type Kind } from '../rules.ts'
import { offered } from './emails.ts'
import {
  findRegistration,
  noticeDataOf,
  saveSnapshot,
  registrationStateStore,
  type Registration,
  todayOf,
} from './registrations.ts'

/** Number of days in which the recipient can accept an offer. After that, the owner must send a new offer. */
const OFFER_DAYS = 30
const DAY = 86_400_000

const offersByPerson = defineLimit('registration-offers', { max: 20, minutes: 24 * 60, after: 'pause' })
/** Limits how often a person can open invalid links. Valid links do not count. */
const invalidLinks = defineLimit('registration-links', { max: 8 })

/** Loads the current offer of a registration. */
export async function offerOf(tx: Tx, { company_id, id }: Registration, now: Date) {
  const row = await tx
    .selectFrom('registration_offer')
    .select(['to_email', 'expires_at'])
    .where('company_id', '=', company_id)
    .where('registration_id', '=', id)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row ? { email: row.to_email, until: row.expires_at.toISOString() } : null
}

const removeOffer = (tx: Tx, { company_id, id }: Pick<Registration, 'company_id' | 'id'>) =>
  tx.deleteFrom('registration_offer').where('company_id', '=', company_id).where('registration_id', '=', id).execute()

const OWN = "This is your own email address. Enter the new owner's email address."

const offerCall = implement(offerRegistration, async (call) => {
  const { context, company, body } = call
  const { personId, email } = signedIn(call)
  if (body.email.toLowerCase() === email.toLowerCase()) throw rejected(OWN, { email: OWN })
  await countAttempt(context, [offersByPerson(`${company.id}/${personId}`)])
  return call.inCompany(async (tx) => {
    const row = await findRegistration(tx, company.id, body.id, { of: personId, lock: true })
    if (row.kind === HOUSEHOLD)
      throw conflict('household', 'You cannot transfer a household. The new residents must register it themselves.')
    if (row.status !== 'registered' && row.status !== 'due')
      throw conflict(
        'wrong_status',
        say`You can transfer registration ${row.number} only if its status is “Registered” or “Confirmation due”.`,
      )
    const token = newSecret()
    const now = context.clock.now()
    const until = new Date(now.getTime() + OFFER_DAYS * DAY)
    const values = { token_hash: hashSecret(token), to_email: body.email, offered_at: now, expires_at: until }
    await tx
      .insertInto('registration_offer')
      .values({ company_id: company.id, registration_id: row.id, ...values })
      .onConflict((on) => on.columns(['company_id', 'registration_id']).doUpdateSet(values))
      .execute()
    await call.audit(tx, {
      action: 'registration.offered',
      subject: { kind: 'registration', id: row.number },
      detail: { number: row.number, to: body.email },
    })
    const day = addDays(dateIn(company.timeZone, now), OFFER_DAYS)
    const noticeData = { ...noticeDataOf(row), from: row.owner_name, token, until: day }
    await notify(tx, context, { at: company, to: body.email, notice: offered, data: noticeData })
    return {
      success: true as const,
      message: say`We emailed a link to ${body.email}. The link is valid for ${OFFER_DAYS} days.`,
    }
  })
})

const withdrawCall = implement(withdrawOffer, (call) =>
  call.inCompany(async (tx) => {
    const { company, body } = call
    const row = await findRegistration(tx, company.id, body.id, { of: signedIn(call).personId, lock: true })
    await removeOffer(tx, row)
    await call.audit(tx, {
      action: 'registration.offer_withdrawn',
      subject: { kind: 'registration', id: row.number },
      detail: { number: row.number },
    })
    return { success: true as const, message: 'The offer was withdrawn. Its link no longer works.' }
  }),
)

const NO_OFFER = 'This offer has expired or was withdrawn. Ask the owner for a new one.'

const OTHERS_OFFER =
  'This offer was sent to another email address. Sign in with the account that uses that address. If you have not confirmed the address, confirm it first.'

/**
 * Finds the registration that a link offers to this person. Only the person with the email address of the offer can
 * accept it. Each unknown link counts toward a limit, to prevent guessing.
 * @throws 404 if the offer ended, 403 if it went to a different email
 */
async function findOffer(call: Call, token: string): Promise<number> {
  const { context, company } = call
  const tried = await countAttempt(context, [invalidLinks(`${company.id}/${signedIn(call).personId}`)])
  const row = await call.reading((tx) =>
    tx
      .selectFrom('registration_offer as o')
      .leftJoin('person as p', (on) =>
        on
          .onRef('p.company_id', '=', 'o.company_id')
          .on('p.id', '=', signedIn(call).personId)
          .on('p.email_confirmed_at', 'is not', null)
          .on((e) => e(e.fn('lower', ['p.email']), '=', e.fn('lower', ['o.to_email']))),
      )
      .select(['o.registration_id as id', 'p.id as recipient'])
      .where('o.company_id', '=', company.id)
      .where('o.token_hash', '=', hashSecret(token))
      .where('o.expires_at', '>', context.clock.now())
      .executeTakeFirst(),
  )
  if (!row) throw notFound(NO_OFFER)
  await tried.release()
  if (row.recipient === null) throw new Refusal(403, 'other_recipient', OTHERS_OFFER)
  return row.id
}

const showOfferCall = implement(offeredRegistration, async (call) => {
  const id = await findOffer(call, call.body.token)
  const row = await call.reading((tx) => findRegistration(tx, call.company.id, id))
  return { number: row.number, kind: row.kind as Kind, name: row.name, location: row.location, from: row.owner_name }
})

const acceptCall = implement(acceptRegistration, async (call) => {
  const { context, company, body } = call
  const id = await findOffer(call, body.token)
  const { personId } = signedIn(call)
  return call.inCompany(async (tx) => {
    const row = await findRegistration(tx, company.id, id, { lock: true })
    // Deletes the offer. If no row is deleted, the owner withdrew or replaced the offer before this transaction got the
    // lock.
    const still = await tx
      .deleteFrom('registration_offer')
      .where('company_id', '=', company.id)
      .where('registration_id', '=', id)
      .where('token_hash', '=', hashSecret(body.token))
      .returning('registration_id')
      .executeTakeFirst()
    if (!still) throw notFound(NO_OFFER)
    if (row.person_id === personId) throw conflict('own', 'This registration is already yours.')
    const owner = callerName(call)
    await saveSnapshot(tx, row, { at: context.clock.now(), before: 'transfer', by: owner })
    await transition(tx, registrationStateStore, {
      scope: company.id,
      id,
      event: 'transfer',
      actor: actorOf(call),
      patch: { person_id: personId, owner_name: owner },
      detail: { from: row.owner_name, to: owner, on: todayOf(call) },
      deps: call,
    })
    return {
      success: true as const,
      message: say`Registration ${row.number} is now yours. Please review its information while we verify the registration.`,
      id,
    }
  })
})

export const transferCalls = [offerCall, withdrawCall, showOfferCall, acceptCall]
