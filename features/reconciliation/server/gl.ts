import { sql } from 'kysely'
import { implement, signedIn } from '../../../server/call.ts'
import { csvDollars, csvText, implementCsv } from '../../../server/csv.ts'
import { applyEdit, editBy } from '../../../server/edits.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { addDays, midnightIn } from '../../../shared/dates.ts'
import { may } from '../../../shared/privileges.ts'
import { say } from '../../../shared/messages.ts'
import { type LedgerAccount, ledgerAccounts } from '../../payments/rules-ledger.ts'
import { BOTH_LEGS } from '../../payments/api.ts'
import { exportGl, glAccounts, saveGlAccounts } from '../contract.ts'

type Numbers = Record<LedgerAccount, string>

async function numbersOf(tx: Tx, company: CompanyId): Promise<Numbers> {
  const rows = await tx
    .selectFrom('gl_account')
    .select(['account', 'number'])
    .where('company_id', '=', company)
    .execute()
  const numberByAccount = new Map(rows.map(({ account, number }) => [account, number]))
  return Object.fromEntries(
    Object.keys(ledgerAccounts).map((code) => [code, numberByAccount.get(code) ?? '']),
  ) as Numbers
}

const glAccountsCall = implement(glAccounts, (call) =>
  call.reading(async (tx) => ({
    numbers: await numbersOf(tx, call.company.id),
    mayChange: may(signedIn(call).privileges, 'ledger', 'update'),
  })),
)

const saveGlAccountsCall = implement(saveGlAccounts, (call) => {
  const company = call.company.id
  const { companyId: _named, basis, ...own } = call.body
  return call.inCompany(async (tx) => {
    await sql`SELECT FROM payment_settings WHERE company_id = ${company} FOR UPDATE`.execute(tx)
    const before = await numbersOf(tx, company)
    const edit = editBy(tx, call, 'gl_accounts')
    const { after, isChanged } = await applyEdit<Numbers>(edit, { basis, own, before })
    if (isChanged) {
      await tx.deleteFrom('gl_account').where('company_id', '=', company).execute()
      const rows = Object.entries(after).flatMap(([account, number]) =>
        number === '' ? [] : [{ company_id: company, account, number }],
      )
      if (rows.length > 0) await tx.insertInto('gl_account').values(rows).execute()
      await call.audit(tx, { action: 'reconciliation.accounts_saved', detail: { before, after } })
    }
    return { success: true as const, message: say`The GL account numbers were saved.` }
  })
})

/**
 * Exports debits and credits by day and account. The totals of both are equal. For money due to the company, the GL
 * account is that of the paid item. If the item has none, the export uses the company's number for the ledger account.
 */
const exportGlCall = implementCsv(exportGl, async (call) => {
  const { company, body } = call
  const { fromDate, toDate } = body
  await call.inCompany((tx) => call.audit(tx, { action: 'export.gl', detail: { fromDate, toDate } }))
  const zone = company.timeZone
  const [from, until] = [midnightIn(zone, body.fromDate), midnightIn(zone, addDays(body.toDate, 1))]
  const question = sql`
    SELECT s.day AS "Date", ${csvText(sql`coalesce(nullif(s.line_account, ''), g.number, '')`)} AS "Account number", ${csvText(sql`a.name`)} AS "Account",
      ${csvDollars(sql`s.debit`)} AS "Debit", ${csvDollars(sql`s.credit`)} AS "Credit", s.entries AS "Entries"
    FROM (SELECT (t.at AT TIME ZONE ${zone})::date AS day, leg.account, CASE leg.account WHEN 'payable_municipality' THEN l.gl_account END AS line_account,
        coalesce(sum(leg.cents) FILTER (WHERE leg.cents > 0), 0)::bigint AS debit, coalesce(-sum(leg.cents) FILTER (WHERE leg.cents < 0), 0)::bigint AS credit,
        count(*) AS entries
      FROM ledger_transfer t
      LEFT JOIN payment_order_line l ON l.company_id = ${company.id} AND l.order_id = t.order_id AND l.line_no = t.line_no
      ${BOTH_LEGS}
      WHERE t.company_id = ${company.id} AND t.at >= ${from} AND t.at < ${until} GROUP BY 1, 2, 3) s
    JOIN ledger_account a ON a.company_id = ${company.id} AND a.code = s.account
    LEFT JOIN gl_account g ON g.company_id = ${company.id} AND g.account = s.account
    ORDER BY s.day, a.code, s.line_account`
  return { company, subject: 'general-ledger', period: body, question, isForPrograms: true }
})

export const glCalls = [glAccountsCall, saveGlAccountsCall, exportGlCall]
