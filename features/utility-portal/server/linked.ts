import { sql } from 'kysely'
import { notFound } from '../../../server/errors.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { openShutoff, type Shutoff, utilityBills } from '../../utility-accounts/api.ts'

/** Utility account as seen by the person who linked it. */
export interface LinkedAccount {
  id: number
  number: string
  customer: string
  address: string
  nickname: string
  paperless: boolean
  usage_limit: number | null
  away_from: string | null
  away_until: string | null
  also_to: string
  left_on: string | null
  /** Due date of the latest bill. */
  due_date: string | null
  /** Total of bills with a due date in the future. In cents. */
  not_due_cents: number
  /** Scheduled or completed shutoff. Null if none. */
  shutoff: Shutoff | null
  /** AutoPay enrollment of the person. An ended enrollment stays visible for two months. */
  autopay: { state: 'active' | 'paused' | 'ended' | 'removed'; expiresOn: string | null } | null
}

interface AccountOwner {
  company: CompanyId
  person: number
  /** Account that the result is limited to. Defaults to all of the person's accounts. */
  account?: number
}

/**
 * SQL for the total of adjustment charges that are not due yet. A charge made on or after the date of the latest bill
 * is due with the next bill. Excludes credits, because a credit reduces the past due amount immediately.
 */
const notDueAdjusted = sql`
  (SELECT coalesce(sum(j.amount_cents), 0)::bigint FROM utility_adjustment j
   WHERE j.company_id = a.company_id AND j.account_id = a.id AND j.amount_cents > 0 AND j.adjusted_on >= (
     SELECT max(b.bill_date) FROM utility_bill b WHERE b.company_id = a.company_id AND b.account_id = a.id))`

/** Loads the accounts that a person linked, sorted by nickname. `today` is the company's day. */
export async function linkedOf(
  tx: Tx,
  { company, person, account }: AccountOwner,
  today: string,
): Promise<LinkedAccount[]> {
  const { rows } = await sql<LinkedAccount>`
    SELECT a.id, a.account_number AS number, a.customer_name AS customer,
      a.service_address || ', ' || a.city || ', ' || a.state || ' ' || a.zipcode AS address, l.nickname,
      a.paperless_since IS NOT NULL AS paperless, l.usage_limit, l.away_from, l.away_until, l.also_to, l.left_on,
      (SELECT b.due_date FROM utility_bill b WHERE b.company_id = a.company_id AND b.account_id = a.id
       ORDER BY b.bill_date DESC, b.bill_number DESC LIMIT 1) AS due_date,
      (SELECT coalesce(sum(b.amount_cents - b.paid_elsewhere_cents), 0)::bigint FROM utility_bill b
       WHERE b.company_id = a.company_id AND b.account_id = a.id AND b.due_date >= ${today}::date)
        + ${notDueAdjusted} AS not_due_cents, ${openShutoff} AS shutoff,
      (SELECT jsonb_build_object('state', p.state, 'expiresOn', CASE WHEN m.expires_on < ${today}::date + 31 THEN m.expires_on END)
       FROM autopay p JOIN stored_method m ON m.company_id = p.company_id AND m.id = p.method_id
       WHERE p.company_id = l.company_id AND p.person_id = l.person_id AND p.kind = 'utility' AND p.payable_id = l.account_id
         AND (p.ended_at IS NULL OR p.ended_at > ${today}::date - 60) ORDER BY p.id DESC LIMIT 1) AS autopay
    FROM linked_account l JOIN utility_account a ON a.company_id = l.company_id AND a.id = l.account_id
    WHERE l.company_id = ${company} AND l.person_id = ${person}
      AND (${account ?? null}::bigint IS NULL OR l.account_id = ${account ?? null})
    ORDER BY lower(l.nickname), a.account_number`.execute(tx)
  return rows
}

/** Selects the numbers and service addresses of the accounts that a person linked. */
export const linkedPremises = (tx: Tx, company: CompanyId, person: number) =>
  tx
    .selectFrom('linked_account as l')
    .innerJoin('utility_account as a', (on) =>
      on.onRef('a.company_id', '=', 'l.company_id').onRef('a.id', '=', 'l.account_id'),
    )
    .select(['a.id', 'a.account_number as number', 'a.service_address as premise'])
    .where('l.company_id', '=', company)
    .where('l.person_id', '=', person)
    .orderBy('a.account_number')
    .execute()

/**
 * Finds an account that the person linked.
 * @throws 404 for any other account
 */
export async function findLinked(tx: Tx, owner: Required<AccountOwner>, today: string): Promise<LinkedAccount> {
  const [linked] = await linkedOf(tx, owner, today)
  if (!linked) throw notFound('You have not linked this utility account. Link it first.')
  return linked
}

/** Unlinks all accounts of a person who closes their portal account. */
export const unlinkAccounts = (tx: Tx, company: CompanyId, person: number): Promise<unknown> =>
  tx.deleteFrom('linked_account').where('company_id', '=', company).where('person_id', '=', person).execute()

/**
 * Marks an account as a former account of a person who moves out. `leftOn` is the person's last day at the service
 * address.
 */
export const leaveLinked = (
  tx: Tx,
  { company, person, account }: Required<AccountOwner>,
  leftOn: string,
): Promise<unknown> =>
  tx
    .updateTable('linked_account')
    .set({ left_on: leftOn })
    .where('company_id', '=', company)
    .where('person_id', '=', person)
    .where('account_id', '=', account)
    .execute()

/** Returns a linked account with its amount due, in the form that the screens show. */
export async function withOwed(tx: Tx, company: CompanyId, person: number, linked: LinkedAccount) {
  const { owedCents, pendingCents } = await utilityBills.owed(tx, company, linked.id)
  const { id, number, customer, address, nickname, paperless, due_date, not_due_cents, shutoff, autopay } = linked
  return {
    id,
    number,
    customer,
    address,
    nickname,
    paperless,
    owedCents,
    pendingCents,
    userId: person,
    dueDate: due_date,
    pastDueCents: Math.max(0, owedCents - Math.max(0, not_due_cents)),
    shutoff,
    autopay,
    leftOn: linked.left_on,
    can: { pay: owedCents > pendingCents, unlink: person > 0 },
  }
}
