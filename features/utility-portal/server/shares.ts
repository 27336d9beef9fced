import { sql } from 'kysely'
import { changeRow, lockRow } from '../../../server/db/rows.ts'
import { type Call, implement, signedIn } from '../../../server/call.ts'
import { conflict, notFound, Refusal, rejected } from '../../../server/errors.ts'
import { countAttempt, defineLimit } from '../../../server/limits.ts'
import { notify } from '../../../server/notices/notify.ts'
import { hashSecret } from '../../../server/sessions.ts'
import { recordCreation, defineStateStore, transition, actorOf } from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { typedCode } from '../../../server/typed-code.ts'
import { lockUntilCommit } from '../../../server/named-lock.ts'
import { dateIn } from '../../../shared/dates.ts'
import { say } from '../../../shared/messages.ts'
import { normalizeLinkCode } from '../../utility-accounts/rules.ts'
import { monthsBefore, yearUpTo } from '../rules.ts'
import {
  acceptShare,
  endShare,
  previewShare,
  NO_OFFER,
  offerShare,
  OWN_OFFER,
  returnShared,
  returnShares,
  type ShareKind,
} from '../contract.ts'
import { shareStates, type ShareState } from '../states.ts'
import { billsOf } from './bills.ts'
import { findLinked, linkedOf, withOwed } from './linked.ts'
import { shareOffered } from './notices.ts'
import { usesOf } from './uses.ts'
import { withPreviousYear, billed, inMonths } from './year.ts'

/** Number of days for which an offer is valid. */
const OFFER_DAYS = 30
const CODE_LENGTH = 12
const MAX_OPEN = 20

const offersByPerson = defineLimit('share-offers', { max: 20, minutes: 24 * 60, after: 'pause' })
/** Rate limit against guessing codes. Counts only codes that match no offer. */
const invalidCodeLimit = defineLimit('share-codes', { max: 8 })

interface Share {
  id: number
  account_id: number
  kind: ShareKind
  with_amounts: boolean
  until_day: string
  offered_by: number
  to_email: string
  state: ShareState
  offered_at: Date
  expires_at: Date
  accepted_by: number | null
  accepted_at: Date | null
  /** Service address of the account. */
  address: string
}

const shares = sql`
  SELECT s.*, a.service_address || ', ' || a.city || ', ' || a.state || ' ' || a.zipcode AS address
  FROM account_share s JOIN utility_account a ON a.company_id = s.company_id AND a.id = s.account_id
  -- Who took the account off their list may not share it any longer.
  JOIN linked_account l ON l.company_id = s.company_id AND l.account_id = s.account_id AND l.person_id = s.offered_by`

export const shareStateStore = defineStateStore<
  ShareState,
  keyof typeof shareStates.steps,
  { id: number; state: ShareState; name: string; details: Record<string, unknown> },
  { accepted_by: number; accepted_at: Date } | undefined
>({
  machine: shareStates,
  subject: 'account_share',
  async lock(tx, company_id, id) {
    const row = await lockRow(tx, 'account_share', company_id, id)
    if (!row) throw notFound()
    const { kind, account_id: account, with_amounts: withAmounts, until_day: until } = row
    return {
      id,
      state: row.state as ShareState,
      name: nameOf(kind as ShareKind),
      details: { kind, account, withAmounts, until },
    }
  },
  write: (tx, { scope, locked, to, patch }) =>
    changeRow(tx, 'account_share', scope, locked.id, { ...patch, state: to }),
})

const nameOf = (kind: ShareKind): string => (kind === 'history' ? say`Usage history` : say`Account status`)

const termsOf = ({ kind, with_amounts, address, until_day }: Share) => ({
  kind,
  withAmounts: with_amounts,
  address,
  until: until_day,
})

const shareView = (share: Share, now: Date, isGiver: boolean) => ({
  id: share.id,
  ...termsOf(share),
  state: share.state,
  offeredAt: share.offered_at.toISOString(),
  acceptedAt: share.accepted_at?.toISOString() ?? null,
  toEmail: isGiver ? share.to_email : '',
  isTooOld: share.state === 'offered' && share.expires_at <= now,
})

export const returnSharesCall = implement(returnShares, (call) => {
  const { company, context } = call
  const person = signedIn(call).personId
  const now = context.clock.now()
  return call.reading(async (tx) => {
    const { rows } = await sql<Share>`
      ${shares} WHERE s.company_id = ${company.id} AND s.state <> 'ended' AND (s.offered_by = ${person} OR s.accepted_by = ${person})
      ORDER BY s.offered_at DESC, s.id DESC`.execute(tx)
    const accounts = await linkedOf(tx, { company: company.id, person }, dateIn(company.timeZone, now))
    return {
      outgoing: rows.filter(({ offered_by }) => offered_by === person).map((row) => shareView(row, now, true)),
      got: rows.filter(({ accepted_by }) => accepted_by === person).map((row) => shareView(row, now, false)),
      accounts: accounts.map(({ id, nickname, number, address }) => ({
        id,
        name: `${nickname || number}, ${address}`,
      })),
    }
  })
})

/**
 * Offers to share a linked account. The shared history ends with the current day, because later usage may belong to
 * another occupant.
 */
export const offerShareCall = implement(offerShare, async (call) => {
  const { company, context, body } = call
  const person = signedIn(call).personId
  await countAttempt(context, [offersByPerson(`${company.id}/${person}`)])
  const now = context.clock.now()
  const today = dateIn(company.timeZone, now)
  const code = typedCode(CODE_LENGTH)
  const message = await call.inCompany(async (tx) => {
    const { id: account_id, address } = await findLinked(
      tx,
      { company: company.id, person, account: body.accountId },
      today,
    )
    await lockUntilCommit(tx, 'account_share', company.id, person, account_id)
    const { rows } = await sql<Share>`
      ${shares} WHERE s.company_id = ${company.id} AND s.offered_by = ${person} AND s.account_id = ${account_id} AND s.state <> 'ended'`.execute(
      tx,
    )
    if (rows.length >= MAX_OPEN)
      throw rejected(say`This account already has ${rows.length} shares or offers from you. End one of them first.`)
    const { id } = await tx
      .insertInto('account_share')
      .values({
        company_id: company.id,
        account_id,
        kind: body.kind,
        with_amounts: body.kind === 'history' && body.withAmounts,
        until_day: today,
        offered_by: person,
        to_email: body.toEmail.toLowerCase(),
        code_hash: hashSecret(code),
        state: 'offered',
        offered_at: now,
        expires_at: new Date(now.getTime() + OFFER_DAYS * 86_400_000),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { kind, withAmounts } = body
    const detail = { kind, account: account_id, withAmounts, until: today }
    await recordCreation(tx, shareStateStore, { scope: company.id, id, event: 'offer', actor: actorOf(call), detail })
    if (body.toEmail)
      await notify(tx, context, {
        at: company,
        to: body.toEmail,
        notice: shareOffered,
        data: { kind: body.kind, address, code: spaced(code) },
      })
    return body.toEmail
      ? say`We emailed the offer to ${body.toEmail}. We will not share anything until the recipient accepts the offer.`
      : say`Offer created. We will not share anything until someone accepts the offer with the code.`
  })
  return { success: true as const, message, code: spaced(code) }
})

const spaced = (code: string): string => (code.match(/.{4}/g) ?? []).join('-')

/**
 * Finds the offer with this code, if the person may accept it. Then runs `work` with the offer.
 * @throws 404 if no such offer exists, 429 after too many wrong codes
 */
async function findOffer(call: Call<{ code: string }>, work: (tx: Tx, share: Share) => Promise<void>): Promise<Share> {
  const { company, context, body } = call
  const person = signedIn(call).personId
  const limits = [invalidCodeLimit(`${company.id}/${person}`)]
  const counted = await countAttempt(context, limits)
  const share = await call.inCompany(async (tx) => {
    const { rows } = await sql<Share>`
      ${shares} WHERE s.company_id = ${company.id} AND s.code_hash = ${hashSecret(normalizeLinkCode(body.code))}
        AND s.state = 'offered' AND s.expires_at > ${context.clock.now()} AND (s.to_email = '' OR EXISTS (
          SELECT FROM person p WHERE p.company_id = s.company_id AND p.id = ${person} AND lower(p.email) = s.to_email AND p.email_confirmed_at IS NOT NULL))`.execute(
      tx,
    )
    const [offer] = rows
    if (offer && offer.offered_by !== person) await work(tx, offer)
    return offer
  })
  if (!share) throw new Refusal(404, 'no_offer', NO_OFFER)
  await counted.release(limits)
  if (share.offered_by === person) throw conflict('own_offer', OWN_OFFER)
  return share
}

export const previewShareCall = implement(previewShare, async (call) => termsOf(await findOffer(call, async () => {})))

export const acceptShareCall = implement(acceptShare, async (call) => {
  const { company, context } = call
  const patch = { accepted_by: signedIn(call).personId, accepted_at: context.clock.now() }
  const { id } = await findOffer(call, async (tx, share) => {
    await transition(tx, shareStateStore, {
      scope: company.id,
      id: share.id,
      event: 'accept',
      actor: actorOf(call),
      patch,
    })
  })
  return { success: true as const, message: 'Offer accepted. The shared information is below.', shareId: id }
})

export const endShareCall = implement(endShare, (call) =>
  call.inCompany(async (tx) => {
    const { company, body } = call
    await findShare(tx, company.id, body.shareId, signedIn(call).personId)
    const { message } = await transition(tx, shareStateStore, {
      scope: company.id,
      id: body.shareId,
      event: 'end',
      actor: actorOf(call),
    })
    return { success: true as const, message }
  }),
)

/**
 * Finds a share that the person offered or accepted.
 * @throws 404 for any other share
 */
async function findShare(tx: Tx, company: CompanyId, id: number, person: number): Promise<Share> {
  const { rows } = await sql<Share>`
    ${shares} WHERE s.company_id = ${company} AND s.id = ${id} AND (s.offered_by = ${person} OR s.accepted_by = ${person})`.execute(
    tx,
  )
  const [share] = rows
  if (!share) throw notFound('This share was not found. It may have ended.')
  return share
}

/** Ends the shares of an account when a person unlinks it. */
export async function endSharesOf(tx: Tx, call: Call, account: number): Promise<void> {
  const { rows } = await sql<Share>`
    ${shares} WHERE s.company_id = ${call.company.id} AND s.offered_by = ${signedIn(call).personId} AND s.account_id = ${account}
      AND s.state <> 'ended'`.execute(tx)
  for (const { id } of rows)
    await transition(tx, shareStateStore, { scope: call.company.id, id, event: 'end', actor: actorOf(call) })
}

/**
 * Loads the data of a share. A history contains the year up to its last day, without names and payments. A watch
 * contains only the past due amount and the shutoff.
 */
export const returnSharedCall = implement(returnShared, (call) => {
  const { company, context, body } = call
  const person = signedIn(call).personId
  const today = dateIn(company.timeZone, context.clock.now())
  return call.reading(async (tx) => {
    const share = await findShare(tx, company.id, body.shareId, person)
    if (share.state !== 'accepted') throw notFound('This share was not found. It may have ended.')
    const { account_id: account, offered_by, until_day: until } = share
    if (share.kind === 'watch') {
      const linked = await findLinked(tx, { company: company.id, person: offered_by, account }, today)
      const { pastDueCents, shutoff } = await withOwed(tx, company.id, offered_by, linked)
      return { ...termsOf(share), uses: [], billed: [], watched: { pastDueCents, shutoff } }
    }
    const months = yearUpTo(until)
    const from = `${monthsBefore(until.slice(0, 7), 23)}-01`
    const bills = await billsOf(tx, company.id, account, from, until)
    const uses = (await usesOf(tx, company.id, account, from, bills)).map((one) => ({
      ...one,
      uses: one.uses.filter((use) => use.until <= until),
    }))
    return {
      ...termsOf(share),
      uses: inMonths(months, uses),
      billed: share.with_amounts ? withPreviousYear(months, bills.map(billed)) : [],
      watched: null,
    }
  })
})
