import { type Call, implement, signedIn } from '../../../server/call.ts'
import { conflict, Refusal, rejected } from '../../../server/errors.ts'
import { countTry, defineLimit } from '../../../server/limits.ts'
import { hashSecret } from '../../../server/sessions.ts'
import type { Tx } from '../../../server/tenancy.ts'
import type { RequestOf } from '../../../shared/endpoint.ts'
import { parseCents } from '../../../shared/money.ts'
import { say } from '../../../shared/words.ts'
import { normaliseAccountNumber, normaliseLinkCode } from '../../utility-accounts/rules.ts'
import { isStaffCode, useStaffCode } from './link-codes.ts'
import { endSharesOf } from './shares.ts'
import { ALREADY_LINKED, linkAccount, NO_ACCOUNT, unlinkAccount } from '../contract.ts'

/** Of these only what matches nothing counts: who guesses an amount, for many accounts or for one. */
const wrongByPerson = defineLimit('link-by-person', { most: 8 })
const wrongByAccount = defineLimit('link-by-account', { most: 8 })
/** Of this only what matches: a household has a handful of accounts, a landlord some dozens. */
const linkedByPerson = defineLimit('link-found', { most: 20, minutes: 24 * 60, after: 'pause' })

/** More than this would make the list of them slow; who manages so many flats is looked after by the town. */
const MAX_LINKED = 60
/** The amount of any of so many newest bills counts. */
const RECENT_BILLS = 3

export const linkAccountCall = implement(linkAccount, async (call) => {
  const { context, company, body } = call
  const person = signedIn(call).personId
  const who = `${company.id}/${person}`
  const wrong = [wrongByPerson(who), wrongByAccount(`${company.id}/${normaliseAccountNumber(body.accountNumber)}`)]
  const found = [linkedByPerson(who)]
  const counted = await countTry(context, [...wrong, ...found])
  const proven = await call.inCompany((tx) => findProven(tx, call))
  await counted.giveBack(proven === null ? found : wrong)
  if (proven === null) throw new Refusal(404, 'no_account', NO_ACCOUNT)
  await call.inCompany((tx) => link(tx, call, person, proven))
  return { success: true as const, message: 'The account was linked.', accountId: proven.accountId }
})

interface ProvenAccount {
  accountId: number
  /** It was proven by a code that staff made, which works once. */
  usesUpCode: boolean
}

/** The account, where what was given proves that its letters were read; else null, whatever is wrong. */
async function findProven(tx: Tx, call: Call<RequestOf<typeof linkAccount>>): Promise<ProvenAccount | null> {
  const { accountNumber, proof, amount, code } = call.body
  const company = call.company.id
  const account = await tx
    .selectFrom('utility_account')
    .select(['id', 'link_code_hash'])
    .where('company_id', '=', company)
    .where('account_number', '=', normaliseAccountNumber(accountNumber))
    .executeTakeFirst()
  if (!account) return null
  if (proof === 'code') {
    const given = normaliseLinkCode(code)
    // The billing system prints one on the account's letters, which works again and again; those of staff work once.
    const isPrinted = account.link_code_hash?.equals(hashSecret(given)) ?? false
    const isRight = isPrinted || (await isStaffCode(tx, call, account.id, given))
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
  // Their row is held, so that two tabs can't link more than may be linked.
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
    throw rejected(say`You have linked ${MAX_LINKED} accounts, and more than that do not fit. Unlink one first.`)
  // Of two who come with the same code at once, the second finds it used.
  if (usesUpCode && !(await useStaffCode(tx, call, account, normaliseLinkCode(call.body.code))))
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
    // Unlinked in another tab: what was wanted is so.
    if (numDeletedRows === 0n) return
    const others = tx
      .selectFrom('linked_account')
      .select('person_id')
      .where(({ and }) => and({ company_id, account_id: accountId }))
    // Where nobody is left who would get its bills by email they come on paper again.
    await tx
      .updateTable('utility_account')
      .set({ paperless_since: null })
      .where(({ and }) => and({ company_id, id: accountId }))
      .where(({ not, exists }) => not(exists(others)))
      .execute()
    const subject = { kind: 'utility_account', id: accountId } as const
    await call.audit(tx, { action: 'account.unlinked', subject })
  })
  return { success: true as const, message: 'The account was unlinked.' }
})
