import { type RawBuilder, sql } from 'kysely'
import { hasRow } from '../../../server/db/rows.ts'
import type { BillLine } from '../../../server/db/column-types.ts'
import { notFound } from '../../../server/errors.ts'
import { allOf, hasPart, searchTerms } from '../../../server/list-sql.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import {
  type FindablePayable,
  type LinkedPayable,
  type Payable,
  settlementsIn,
  pendingPayments,
  definePayable,
} from '../../payments/api.ts'
import type { GuestBill } from '../contract.ts'
import { BILL_PAYMENT, GL_ACCOUNT, itemsOf, streetOf } from '../rules.ts'
import { findAccountForGuest } from './guest-account.ts'
import { say } from '../../../shared/messages.ts'
import { maskedName } from '../../../shared/person-names.ts'

export const UTILITY = 'utility'
const KIND = UTILITY
/**
 * Storage for the amounts paid on utility accounts. Each change adds a remittance entry for the billing system. The
 * portal calculates the amount due from the same entries.
 */
const settlements = settlementsIn('remittance', 'account_id')

const owedOn = (company: CompanyId | RawBuilder<number>, id: number | RawBuilder<number>) => sql<number>`
  (SELECT coalesce(sum(amount_cents - paid_elsewhere_cents), 0)::bigint
     FROM utility_bill WHERE company_id = ${company} AND account_id = ${id})
  + (SELECT coalesce(sum(amount_cents), 0)::bigint
     FROM utility_adjustment WHERE company_id = ${company} AND account_id = ${id})
  - (SELECT coalesce(sum(CASE kind WHEN 'credit' THEN amount_cents ELSE -amount_cents END), 0)::bigint
     FROM remittance WHERE company_id = ${company} AND account_id = ${id})`

/** Number of the newest accounts among which `exampleBill` looks for an amount due. */
const EXAMPLES = 200

/** Loads the account number and ZIP code of a bill with an amount due. Null if the newest accounts have none. */
export async function exampleBill(tx: Tx, company: CompanyId): Promise<{ account: string; zip: string } | null> {
  const { rows } = await sql<{ account: string; zip: string }>`
    SELECT a.account_number AS account, left(a.zipcode, 5) AS zip
    FROM (SELECT id, account_number, zipcode FROM utility_account WHERE company_id = ${company}
      ORDER BY id DESC LIMIT ${EXAMPLES}) a
    WHERE ${owedOn(company, sql<number>`a.id`)} > 0 ORDER BY a.id DESC LIMIT 1`.execute(tx)
  return rows[0] ?? null
}

/**
 * Item to pay: the balance of a utility account. The amount due is all bills and adjustments, minus the amounts
 * received.
 */
export const utilityBills: Payable<GuestBill> = {
  kind: KIND,
  label: 'Utility',
  takesCredit: true,
  settled: settlements.sums,

  find: async (tx, company, named) => (await findAccountForGuest(tx, company, named))?.id ?? null,

  async search(tx, company, text, max) {
    const matches = searchTerms(text.toLowerCase()).map(
      (word) => sql`(${hasPart(sql`r.name_key`, word)} OR ${hasPart(sql`r.service_address`, word)}
        OR ${hasPart(sql`r.account_number`, word)})`,
    )
    const { rows } = await sql<FindablePayable>`
      SELECT r.id, r.account_number AS reference, r.customer_name AS name, r.service_address AS description
      FROM found_utility_account r WHERE r.company_id = ${company} AND ${allOf(matches)} ORDER BY r.name_key, r.id LIMIT ${max}`.execute(
      tx,
    )
    return rows
  },

  async byReference(tx, company, reference) {
    const account = await tx
      .selectFrom('utility_account')
      .select('id')
      .where(({ and }) => and({ company_id: company, account_number: reference }))
      .executeTakeFirst()
    return account?.id ?? null
  },

  async lock(tx, company, id) {
    const account = await tx
      .selectFrom('utility_account')
      .select('id')
      .where(({ and }) => and({ company_id: company, id }))
      .forNoKeyUpdate()
      .executeTakeFirst()
    return account !== undefined
  },

  async owed(tx, company, id) {
    const { rows } = await sql<{ owedCents: number; pendingCents: number }>`
      SELECT ${owedOn(company, id)} AS "owedCents",
        ${pendingPayments(company, KIND, id)} AS "pendingCents"`.execute(tx)
    const [row] = rows
    if (!row) throw new Error('a query without FROM answers one row')
    return row
  },

  async describe(tx, company, id) {
    const { account_number, customer_name, service_address, city, state, zipcode, balance_on, bill } = await loadBill(
      tx,
      company,
      id,
    )
    const account = { name: 'account', value: account_number }
    return {
      glAccount: GL_ACCOUNT,
      payerName: customer_name,
      reference: account_number,
      title: BILL_PAYMENT,
      details: [
        account,
        { name: 'address', value: `${service_address}, ${city}, ${state} ${zipcode}` },
        ...(bill ? [{ name: 'bill', value: bill.number }] : []),
      ],
      items: itemsOf(bill?.lines ?? []),
      publicView: {
        title: bill ? say`Utility bill` : say`Utility account`,
        details: [
          account,
          { name: 'customer', value: maskedName(customer_name) },
          { name: 'street', value: streetOf(service_address) },
        ],
        dueDate: bill?.dueDate ?? null,
        nothingYet: bill || balance_on ? null : say`This account has no bills yet.`,
      },
    }
  },

  onSettled: (tx, company, settlement) => settlements.keep(tx, company, 'credit', settlement),
  onReversed: (tx, company, settlement) => settlements.keep(tx, company, 'reversal', settlement),

  async paths(tx, company) {
    const { rows } = await sql`SELECT 1 FROM utility_account WHERE company_id = ${company} LIMIT 1`.execute(tx)
    if (rows.length === 0) return []
    return [{ path: '/guest-utility-payment', title: say`Utility bill`, note: say`By account number` }]
  },
  async listOwn(tx, company, person) {
    const { rows } = await sql<{ id: number }>`
      SELECT account_id AS id FROM linked_account WHERE company_id = ${company} AND person_id = ${person} ORDER BY 1`.execute(
      tx,
    )
    return rows.map(({ id }) => id)
  },

  recurs: {
    async listLinked(tx, company, person) {
      const { rows } = await sql<LinkedPayable>`
        SELECT a.id, a.account_number AS reference, a.service_address AS title,
          (SELECT jsonb_build_object('bill', b.bill_number, 'dueDate', b.due_date) FROM utility_bill b
           WHERE b.company_id = a.company_id AND b.account_id = a.id ORDER BY b.bill_date DESC, b.bill_number DESC LIMIT 1) AS newest
        FROM linked_account l JOIN utility_account a ON a.company_id = l.company_id AND a.id = l.account_id
        WHERE l.company_id = ${company} AND l.person_id = ${person} ORDER BY a.account_number`.execute(tx)
      return rows
    },
    isLinked: (tx, company, person, id) =>
      hasRow(tx, 'linked_account', { company_id: company, person_id: person, account_id: id }),
    async listLinkedPeople(tx, company, id) {
      const links = await tx
        .selectFrom('linked_account')
        .select('person_id')
        .where(({ and }) => and({ company_id: company, account_id: id }))
        .orderBy('person_id')
        .execute()
      return links.map(({ person_id }) => person_id)
    },
    paidElsewhere: `SELECT coalesce(sum(b.paid_elsewhere_cents), 0) FROM utility_bill b
      WHERE b.company_id = a.company_id AND b.account_id = a.payable_id`,
    async byDigits(tx, company, digits) {
      const { rows } = await sql<{ id: number; reference: string; people: number[] }>`
        SELECT a.id, a.account_number AS reference, array_agg(l.person_id ORDER BY l.person_id) AS people
        FROM linked_account l JOIN utility_account a ON a.company_id = l.company_id AND a.id = l.account_id
        WHERE l.company_id = ${company} AND regexp_replace(a.account_number, '[^0-9]', '', 'g') = ${digits}
        GROUP BY a.id, a.account_number LIMIT 2`.execute(tx)
      // If two account numbers differ only in case, the typed number does not identify one account.
      return rows.length === 1 ? (rows[0] ?? null) : null
    },
    payableNow: sql`(${owedOn(sql`a.company_id`, sql`a.payable_id`)} - ${pendingPayments(sql`a.company_id`, KIND, sql`a.payable_id`)})`,
    newest: `SELECT bill_number AS bill, due_date FROM utility_bill b
      WHERE b.company_id = a.company_id AND b.account_id = a.payable_id ORDER BY bill_date DESC, bill_number DESC LIMIT 1`,
  },
}
definePayable(utilityBills)

interface AccountSummary {
  account_number: string
  customer_name: string
  service_address: string
  city: string
  state: string
  zipcode: string
  balance_on: string | null
  /** Latest bill of the account. */
  bill: { number: string; dueDate: string; lines: BillLine[] } | null
}

async function loadBill(tx: Tx, company: CompanyId, id: number): Promise<AccountSummary> {
  const { rows } = await sql<AccountSummary>`
    SELECT account_number, customer_name, service_address, city, state, zipcode, balance_on,
      (SELECT jsonb_build_object('number', bill_number, 'dueDate', due_date, 'lines', lines) FROM utility_bill
       WHERE company_id = ${company} AND account_id = ${id} ORDER BY bill_date DESC, bill_number DESC LIMIT 1) AS bill
    FROM utility_account WHERE company_id = ${company} AND id = ${id}`.execute(tx)
  const [row] = rows
  if (!row) throw notFound()
  return row
}
