import { type Call, implement } from '../../../server/call.ts'
import { newCaseLink } from '../../../server/cases/emails.ts'
import { openCase } from '../../../server/cases/open.ts'
import { notFound, Refusal, rejected } from '../../../server/errors.ts'
import { contactOf } from '../../../server/fields/known.ts'
import { countAttempt, defineAddressLimit, defineLimit } from '../../../server/limits.ts'
import { notify } from '../../../server/notices/notify.ts'
import { resolveTyped } from '../../../server/places/at-point.ts'
import { hashSecret, newSecret, companyPersonOf } from '../../../server/sessions.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { nationalDigits } from '../../../shared/phone.ts'
import { noLocation } from '../../../shared/places.ts'
import { say } from '../../../shared/messages.ts'
import { linkedPremises } from '../../utility-portal/api.ts'
import { DOCUMENTS_MISSING, moveChoices, sendMove } from '../contract.ts'
import { enters, leaves, numberOf } from '../rules.ts'
import { moveStateStore, moves } from './case.ts'
import { hasAutopay } from './autopay.ts'
import { chargeFee } from './fee.ts'
import { expectOpenDay, openDays } from './days.ts'
import { ownerNotice, receivedEmail } from './emails.ts'
import type { Move } from './points.ts'
import { openReadingOrders } from './reads.ts'

const OWNER_DAYS = 30
const DAY = 86_400_000

const perAddress = defineAddressLimit('move', { max: 30 })
const perMailbox = defineLimit('move-mailbox', { max: 6 })
/** Limits emails per owner, because the named owner may not know the requester. */
const perOwner = defineLimit('move-owner', { max: 6 })

/** Returns the person's linked utility accounts. */
async function accountsOf(tx: Tx, company: CompanyId, person: number) {
  const accounts = await linkedPremises(tx, company, person)
  return Promise.all(accounts.map(async (one) => ({ ...one, autopay: await hasAutopay(tx, company, one.id) })))
}

const choicesCall = implement(moveChoices, (call) => {
  const { company, session } = call
  const person = companyPersonOf(session)
  return call.reading(async (tx) => {
    const { settings, first, last, closed } = await openDays(tx, call)
    return {
      signInFirst: person === null && !settings.forGuests,
      first,
      last,
      leadDays: settings.leadDays,
      closed,
      accounts: person === null ? [] : await accountsOf(tx, company.id, person),
      autopayDays: settings.autopayDays,
      documents: settings.documents,
      prefill: await contactOf(tx, company.id, person),
    }
  })
})

type SendMoveContext = Call<(typeof sendMove)['body']['_zod']['output']>

/**
 * Returns the address that the requester leaves: the service address of the account, or the address that the requester
 * entered.
 */
async function resolveLeftPremise(tx: Tx, { company, session, body }: SendMoveContext) {
  if (body.leavesBy !== 'account') return { account: null, premise: await resolveTyped(tx, company.id, body.leaves) }
  const person = companyPersonOf(session)
  const ownAccounts = person === null ? [] : await accountsOf(tx, company.id, person)
  const account = ownAccounts.find(({ id }) => id === body.accountId)
  if (!account)
    throw notFound('This is not one of your linked utility accounts. Choose another account, or enter the address.')
  return { account, premise: await resolveTyped(tx, company.id, { ...noLocation, text: account.premise }) }
}

async function enter(tx: Tx, call: SendMoveContext): Promise<Move> {
  const { context, company, session, body } = call
  const now = context.clock.now()
  const out = leaves(body.kind) ? await resolveLeftPremise(tx, call) : null
  const to = enters(body.kind) ? await resolveTyped(tx, company.id, body.enters) : null
  return tx
    .insertInto('move_request')
    .values({
      company_id: company.id,
      kind: body.kind,
      created_at: now,
      updated_at: now,
      person_id: companyPersonOf(session),
      name: body.name,
      email: body.email,
      phone: nationalDigits(body.phone),
      account_id: out?.account?.id ?? null,
      account_number: out?.account?.number ?? '',
      leaves_premise: out?.premise.text ?? '',
      leaves_address_id: out?.premise.addressId ?? null,
      leaves_by: out ? body.leavesBy : 'address',
      leaves_on: out ? body.leavesOn : null,
      enters_premise: to?.text ?? '',
      enters_address_id: to?.addressId ?? null,
      enters_on: to ? body.entersOn : null,
      forwarding: out ? body.forwarding : '',
      note: body.note,
      owner_name: body.ownerName,
      owner_email: body.ownerEmail,
      owner_answer: body.ownerEmail ? 'asked' : 'none',
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Emails the owner a link. Only the hash of its secret is stored. */
async function requestAgreement(tx: Tx, { context, company }: Call, move: Move): Promise<void> {
  const token = newSecret()
  await tx
    .insertInto('move_owner_link')
    .values({
      company_id: company.id,
      move_id: move.id,
      token_hash: hashSecret(token),
      expires_at: new Date(context.clock.now().getTime() + OWNER_DAYS * DAY),
    })
    .execute()
  const noticeData = { number: move.number, token, days: OWNER_DAYS }
  await notify(tx, context, { at: company, to: move.owner_email, notice: ownerNotice, data: noticeData })
}

/** Creates a move request for the caller. The company comes from the host, and the person from the session. */
const sendCall = implement(sendMove, async (call) => {
  const { context, company, body, address } = call
  const { email, ownerEmail } = body
  await countAttempt(context, [
    perAddress(address),
    ...(email ? [perMailbox(`${company.id}/${email.toLowerCase()}`)] : []),
    ...(ownerEmail ? [perOwner(`${company.id}/${ownerEmail.toLowerCase()}`)] : []),
  ])
  return call.inCompany(async (tx) => {
    const days = await openDays(tx, call)
    if (companyPersonOf(call.session) === null && !days.settings.forGuests)
      throw new Refusal(403, 'sign_in_first', 'Sign in to request a move.')
    if (leaves(body.kind)) expectOpenDay(days, 'leavesOn', body.leavesOn)
    if (enters(body.kind)) expectOpenDay(days, 'entersOn', body.entersOn)
    if (days.settings.documents !== '' && (body.files ?? []).length === 0)
      throw rejected(DOCUMENTS_MISSING, { files: DOCUMENTS_MISSING })
    const move = await enter(tx, call)
    await openCase(tx, call, moves, move, {
      files: body.files,
      confirmationEmail: () => receivedEmail(move.id),
      begins: { states: moveStateStore, event: 'request', detail: { kind: body.kind } },
    })
    if (ownerEmail) await requestAgreement(tx, call, move)
    await openReadingOrders(tx, call, move, days.settings.readsBy)
    await chargeFee(tx, call, move, days.settings.feeTypeId)
    const number = numberOf(move.id)
    return {
      success: true as const,
      number,
      token: await newCaseLink(tx, context, moves, company, move.id),
      message: email
        ? say`We received move request ${number}. We emailed a link to ${email}.`
        : say`We received move request ${number}. We will call you.`,
    }
  })
})

export const sendCalls = [choicesCall, sendCall]
