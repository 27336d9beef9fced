import { sql } from 'kysely'
import { implement, signedIn } from '../../../server/call.ts'
import { rejected } from '../../../server/errors.ts'
import { editBy, mergeEdit, recordChanges } from '../../../server/edits.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { dateIn } from '../../../shared/dates.ts'
import { setPaperless } from '../../utility-accounts/api.ts'
import { type AccountSettings, CONFIRM_FIRST, saveAccount } from '../contract.ts'
import { findLinked, type LinkedAccount } from './linked.ts'

/** Converts the settings of an account to form values. */
export const settingsOf = (linked: LinkedAccount): AccountSettings => ({
  nickname: linked.nickname,
  paperless: linked.paperless,
  usageLimit: linked.usage_limit === null ? '' : String(linked.usage_limit),
  awayFrom: linked.away_from ?? '',
  awayUntil: linked.away_until ?? '',
  alsoTo: linked.also_to,
})

/**
 * Saves the settings. Nickname and alerts belong to the person, but paperless billing belongs to the account. Paperless
 * billing requires a confirmed email, because a person must receive the bills.
 */
export const saveAccountCall = implement(saveAccount, async (call) => {
  const { company, context, body } = call
  const person = signedIn(call).personId
  const { accountId, settings: own, basis } = body
  await call.inCompany(async (tx) => {
    await hold(tx, company.id, accountId)
    const owner = { company: company.id, person, account: accountId }
    const now = settingsOf(await findLinked(tx, owner, dateIn(company.timeZone, context.clock.now())))
    const subject = `linked_account ${person}/${accountId}`
    const edit = editBy(tx, call, subject)
    const chosen = await mergeEdit(edit, { basis, own, now })
    if (chosen.paperless && !now.paperless) await refuseUnconfirmed(tx, company.id, person)
    await recordChanges(edit, now, chosen)
    await write(tx, owner, chosen)
    if (chosen.paperless !== now.paperless)
      await setPaperless(tx, company.id, accountId, chosen.paperless ? context.clock.now() : null)
    const about = { kind: 'utility_account', id: accountId } as const
    await call.audit(tx, { action: 'account.settings_saved', subject: about, detail: { ...chosen } })
  })
  return { success: true as const, message: 'Settings saved.' }
})

async function refuseUnconfirmed(tx: Tx, company: CompanyId, person: number): Promise<void> {
  const { email_confirmed_at } = await tx
    .selectFrom('person')
    .select('email_confirmed_at')
    .where(({ and }) => and({ company_id: company, id: person }))
    .executeTakeFirstOrThrow()
  if (email_confirmed_at === null) throw rejected(CONFIRM_FIRST, { paperless: CONFIRM_FIRST })
}

/** Locks the account, so that concurrent saves run one at a time. */
const hold = (tx: Tx, company: CompanyId, id: number) =>
  sql`SELECT FROM utility_account WHERE company_id = ${company} AND id = ${id} FOR NO KEY UPDATE`.execute(tx)

const write = (
  tx: Tx,
  { company, person, account }: Record<'person' | 'account', number> & { company: CompanyId },
  chosen: AccountSettings,
) =>
  tx
    .updateTable('linked_account')
    .set({
      nickname: chosen.nickname,
      usage_limit: chosen.usageLimit === '' ? null : Number(chosen.usageLimit),
      away_from: chosen.awayFrom || null,
      away_until: chosen.awayUntil || null,
      also_to: chosen.alsoTo,
    })
    .where(({ and }) => and({ company_id: company, person_id: person, account_id: account }))
    .execute()
