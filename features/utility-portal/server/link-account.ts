import { type Call, implement, signedIn } from '../../../server/call.ts'
import { hasRow } from '../../../server/db/rows.ts'
import { conflict, Refusal, rejected } from '../../../server/errors.ts'
import { countAttempt, defineLimit } from '../../../server/limits.ts'
import { hashSecret } from '../../../server/sessions.ts'
import type { Tx } from '../../../server/tenancy.ts'
import type { RequestOf } from '../../../shared/endpoint.ts'
import { parseCents } from '../../../shared/money.ts'
import { say } from '../../../shared/messages.ts'
import {
  accountNumberForms,
  accountNumberKey,
  accountOfNumber,
  normalizeAccountNumber,
  normalizeLinkCode,
} from '../../utility-accounts/rules.ts'
import { MAX_LINKED } from '../rules.ts'
import { setPaperless } from '../../utility-accounts/api.ts'
import { isStaffCode, redeemStaffCode } from './link-codes.ts'
import { endSharesOf } from './shares.ts'
import { ALREADY_LINKED, linkAccount, NO_ACCOUNT, unlinkAccount } from '../contract.ts'

/**
 * Rate limits that count only failed attempts: by person, against guesses across accounts, and by account, against
 * guesses for one account.
 */
const invalidByPerson = defineLimit('link-by-person', { max: 8 })
const invalidByAccount = defineLimit('link-by-account', { max: 8 })
/**
 * Rate limit that counts only successful links. It is enough for a household with a few accounts, and for a landlord
 * with dozens of them.
 */
const linkedByPerson = defineLimit('link-match', { max: 20, minutes: 24 * 60, after: 'pause' })

/** Number of latest bills with amounts that the portal accepts as proof. */
const RECENT_BILLS = 3

export const linkAccountCall = implement(linkAccount, async (call) => {
  const { context, company, body } = call
  const person = signedIn(call).personId
  const personKey = `${company.id}/${person}`
  const limits = [
    invalidByPerson(personKey),
    invalidByAccount(`${company.id}/${accountNumberKey(normalizeAccountNumber(body.accountNumber))}`),
  ]
  const matchLimits = [linkedByPerson(personKey)]
  const counted = await countAttempt(context, [...limits, ...matchLimits])
  const proven = await call.inCompany((tx) => findProven(tx, call))
  await counted.release(proven === null ? matchLimits : limits)
  if (proven === null) throw new Refusal(404, 'no_account', NO_ACCOUNT)
  await call.inCompany((tx) => link(tx, call, person, proven))
  return { success: true as const, message: 'Account linked.', accountId: proven.accountId }
})

interface ProvenAccount {
  accountId: number
  /** True if the proof is a single-use code from staff. */
  usesUpCode: boolean
}

/** Finds the account if the proof shows that the person receives the account's mail. Null for any mismatch. */
async function findProven(tx: Tx, call: Call<RequestOf<typeof linkAccount>>): Promise<ProvenAccount | null> {
  const { accountNumber, proof, amount, code } = call.body
  const company = call.company.id
  const number = normalizeAccountNumber(accountNumber)
  const accounts = await tx
    .selectFrom('utility_account')
    .select(['id', 'account_number', 'link_code_hash'])
    .where('company_id', '=', company)
    .where('account_number', 'in', accountNumberForms(number))
    .execute()
  const account = accountOfNumber(accounts, number)
  if (!account) return null
  if (proof === 'code') {
    const normalized = normalizeLinkCode(code)
    // The code printed by the billing system is reusable. A code from staff works once.
    const isPrinted = account.link_code_hash?.equals(hashSecret(normalized)) ?? false
    const isRight = isPrinted || (await isStaffCode(tx, call, account.id, normalized))
    return isRight ? { accountId: account.id, usesUpCode: !isPrinted } : null
  }
  const bills = await tx
    .selectFrom('utility_bill')
    .select('amount_cents')
    .where('company_id', '=', company)
    .where('account_id', '=', account.id)
    .orderBy('bill_date', 'desc')
    .orderBy('bill_number', 'desc')
    .limit(RECENT_BILLS)
    .execute()
  const cents = parseCents(amount)
  const isRight = bills.some(({ amount_cents }) => amount_cents === cents)
  return isRight ? { accountId: account.id, usesUpCode: false } : null
}

async function link(
  tx: Tx,
  call: Call<RequestOf<typeof linkAccount>>,
  person: number,
  { accountId: account, usesUpCode }: ProvenAccount,
): Promise<void> {
  const company_id = call.company.id
  // Locks the person, so that two browser tabs cannot exceed the maximum.
  await tx
    .selectFrom('person')
    .select('id')
    .where(({ and }) => and({ company_id, id: person }))
    .forUpdate()
    .execute()
  const linked = await tx
    .selectFrom('linked_account')
    .select('account_id')
    .where(({ and }) => and({ company_id, person_id: person }))
    .execute()
  if (linked.some(({ account_id }) => account_id === account)) throw conflict('already_linked', ALREADY_LINKED)
  if (linked.length >= MAX_LINKED)
    throw rejected(say`You have linked ${MAX_LINKED} accounts, which is the maximum. Unlink one first.`)
  // If two people use the same single-use code concurrently, the second attempt fails.
  if (usesUpCode && !(await redeemStaffCode(tx, call, account, normalizeLinkCode(call.body.code))))
    throw new Refusal(404, 'no_account', NO_ACCOUNT)
  await tx
    .insertInto('linked_account')
    .values({
      company_id,
      person_id: person,
      account_id: account,
      linked_at: call.context.clock.now(),
      nickname: call.body.nickname,
    })
    .execute()
  await call.audit(tx, { action: 'account.linked', subject: { kind: 'utility_account', id: account } })
}

export const unlinkAccountCall = implement(unlinkAccount, async (call) => {
  const person_id = signedIn(call).personId
  const company_id = call.company.id
  const { accountId } = call.body
  await call.inCompany(async (tx) => {
    await endSharesOf(tx, call, accountId)
    const { numDeletedRows } = await tx
      .deleteFrom('linked_account')
      .where(({ and }) => and({ company_id, person_id, account_id: accountId }))
      .executeTakeFirst()
    // If no row was deleted, the person already unlinked the account in another tab.
    if (numDeletedRows === 0n) return
    // Switches the account to paper bills if no linked person is left to receive bills by email.
    if (!(await hasRow(tx, 'linked_account', { company_id, account_id: accountId })))
      await setPaperless(tx, company_id, accountId, null)
    const subject = { kind: 'utility_account', id: accountId } as const
    await call.audit(tx, { action: 'account.unlinked', subject })
  })
  return { success: true as const, message: 'Account unlinked.' }
})
