import { sql } from 'kysely'
import { eachSeparately } from '../../../server/each-separately.ts'
import type { Company } from '../../../server/hosts.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { notify } from '../../../server/notices/notify.ts'
import { companyIdFrom, type Tx } from '../../../server/tenancy.ts'
import { whereOn } from '../../../server/modules.ts'
import { dateIn } from '../../../shared/dates.ts'
import { findLinked, withOwed } from './linked.ts'
import { watchedPastDue, watchedShutoff } from './notices.ts'

/** Person who accepted a watch on an account. */
interface Watcher {
  id: number
  account_id: number
  offered_by: number
  person_id: number
  email: string
  /**
   * Service address. Notices use it to identify the account, because watchers must not learn the account's number and
   * name.
   */
  address: string
}

/**
 * Finds people who watch one account, or any account of the company. Requires a confirmed email and an active share.
 * Lists a person with two shares of an account once.
 */
async function watchersOf(tx: Tx, { id }: Company, account: number | null): Promise<Watcher[]> {
  const { rows } = await sql<Watcher>`
    SELECT DISTINCT ON (s.account_id, s.accepted_by) s.id, s.account_id, s.offered_by, p.id AS person_id, p.email,
      a.service_address || ', ' || a.city || ', ' || a.state || ' ' || a.zipcode AS address
    FROM account_share s
    JOIN linked_account l ON l.company_id = s.company_id AND l.account_id = s.account_id AND l.person_id = s.offered_by
    JOIN utility_account a ON a.company_id = s.company_id AND a.id = s.account_id
    JOIN person p ON p.company_id = s.company_id AND p.id = s.accepted_by
    WHERE s.company_id = ${id} AND s.kind = 'watch' AND s.state = 'accepted' AND p.email_confirmed_at IS NOT NULL
      AND (${account}::bigint IS NULL OR s.account_id = ${account})
    ORDER BY s.account_id, s.accepted_by, s.id`.execute(tx)
  return rows
}

/** Notifies watchers of a shutoff. Skips people who were already notified because they linked the account. */
export async function notifyWatchers(
  tx: Tx,
  context: AppContext,
  company: Company,
  account: number,
  { state, on, notified }: { state: 'scheduled' | 'off' | 'restored'; on: string; notified: ReadonlySet<string> },
): Promise<void> {
  for (const { email, person_id: person, address } of await watchersOf(tx, company, account)) {
    if (notified.has(email.toLowerCase())) continue
    await notify(tx, context, { at: company, to: email, person, notice: watchedShutoff, data: { address, state, on } })
  }
}

/** Defines the job that notifies watchers of past due accounts every morning, once for each unpaid bill. */
export function defineWatching(context: AppContext): void {
  context.jobs.define('utility.watch', () => notifyPastDue(context), { cron: '15 13 * * *', retryLimit: 0 })
}

async function notifyPastDue(context: AppContext): Promise<void> {
  const companies = await context.readingAll((tx) =>
    tx
      .selectFrom('account_share')
      .select('company_id')
      .distinct()
      .where('state', '=', 'accepted')
      .where(whereOn('utilities'))
      .execute(),
  )
  await eachSeparately(context, companies, async ({ company_id }) => {
    const company = companyIdFrom('job', company_id)
    const companyRecord = await context.hosts.byId(company)
    if (!companyRecord) return
    const watchers = await context.inCompany(company, (tx) => watchersOf(tx, companyRecord, null))
    for (const watcher of watchers)
      await context.inCompany(company, (tx) => notifyOne(tx, context, companyRecord, watcher))
  })
}

/**
 * Notifies one watcher of a past due account. The email and the mark that it was sent are saved in one transaction, so
 * that the email is sent only once.
 */
async function notifyOne(tx: Tx, context: AppContext, company: Company, watcher: Watcher): Promise<void> {
  const { id, account_id: account, offered_by: holder, email, person_id: person, address } = watcher
  const today = dateIn(company.timeZone, context.clock.now())
  const { pastDueCents } = await withOwed(
    tx,
    company.id,
    holder,
    await findLinked(tx, { company: company.id, person: holder, account }, today),
  )
  if (pastDueCents === 0) return
  // Checks the marks on all of the person's shares of the account. Otherwise, the person would get the same email again
  // because of a second share.
  const { rows } = await sql`
    UPDATE account_share s SET notified_due = b.due_date
    FROM (SELECT max(due_date) AS due_date FROM utility_bill
      WHERE company_id = ${company.id} AND account_id = ${account} AND due_date < ${today}::date) b
    WHERE s.company_id = ${company.id} AND s.id = ${id} AND s.state = 'accepted' AND b.due_date > coalesce((
      SELECT max(notified_due) FROM account_share
      WHERE company_id = ${company.id} AND account_id = ${account} AND kind = 'watch' AND accepted_by = ${person}), '-infinity')
    RETURNING 1`.execute(tx)
  if (rows.length === 0) return
  await notify(tx, context, { at: company, to: email, person, notice: watchedPastDue, data: { address, pastDueCents } })
}
