import { createReadStream } from 'node:fs'
import { sql } from 'kysely'
import type { Call } from '../../../server/call.ts'
import { implement } from '../../../server/call.ts'
import { defineColumns, LAST_FIRST_NAMES } from '../../../server/columns.ts'
import { rejected } from '../../../server/errors.ts'
import { FileRefused } from '../../../server/file-refused.ts'
import { columnsInput, openTableOfStaff, rowsOfStaff } from '../../../server/import-columns.ts'
import { type ImportedRows, importSource } from '../../../server/imported-rows.ts'
import { dollarsIn } from '../../../server/importers.ts'
import {
  collectRows,
  importAtOnce,
  importRows,
  refuseParallelImport,
  RowError,
  textIn,
} from '../../../server/imports.ts'
import { countRow } from '../../../server/listed-rows.ts'
import { readAddress } from '../../../server/places/words.ts'
import type { TableRow } from '../../../server/table-rows.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { dateIn } from '../../../shared/dates.ts'
import type { RequestOf } from '../../../shared/endpoint.ts'
import { say } from '../../../shared/messages.ts'
import {
  type AccountBalance,
  billUndoRules,
  IMPORT_LOCK,
  setBalances,
  storedBalances,
} from '../../utility-accounts/api.ts'
import { isAccountNumber, normalizeAccountNumber } from '../../utility-accounts/rules.ts'
import { type BalancesReport, importBalances } from '../contract.ts'

const BATCH = 2000
const MAX_ROWS = 500_000

const columns = defineColumns('balances', {
  needs: ['account_number', 'customer_name', 'service_address', 'balance'],
  stored: storedBalances,
  columns: {
    account_number: {
      title: 'Account number',
      aliases: 'account acct account_no acct_no account_num account_id account_# customer_number customer_id',
      content: 'code',
      sample: '100001',
    },
    customer_name: {
      title: 'Customer name',
      aliases: 'name customer owner owner_name account_name bill_to resident full_name',
      sample: 'Ann Lee',
    },
    customer_name_last_first: {
      title: 'Customer name, last name first',
      aliases: LAST_FIRST_NAMES,
      lastFirst: 'customer_name',
    },
    service_address: {
      title: 'Service address',
      aliases: 'address service_location street_address property_address premise_address site_address location street',
      sample: '12 Oak Street',
    },
    balance: {
      title: 'Balance',
      aliases: 'balance amount amount_due total_due balance_due current_balance account_balance total',
      content: 'money',
      sample: '149.31',
    },
    city: { title: 'City', aliases: 'service_city town address_city' },
    state: { title: 'State', aliases: 'service_state st address_state', content: 'state' },
    zip: {
      title: 'ZIP code',
      aliases: 'zipcode postal_code service_zip address_zip zip_5',
      content: 'zip',
      sample: '17011',
    },
    customer_email: { title: 'Customer email', aliases: 'email email_address e_mail', content: 'email' },
    phone: { title: 'Phone', aliases: 'phone_number telephone home_phone phone_no', content: 'phone' },
  },
})

type BalancesCall = Call<RequestOf<typeof importBalances>>

/** Imports the balances of accounts without their bills. */
export const importBalancesCall = implement(importBalances, (call: BalancesCall) => {
  const { company, context, body, largeFile } = call
  const today = dateIn(company.timeZone, context.clock.now())
  if (body.day > today) {
    const message = say`Choose a day that is not in the future.`
    throw rejected(message, { day: message })
  }
  return importAtOnce<BalancesReport>((work) => call.inCompany(work), {
    ...body,
    besides: { balanceCents: 0, adjustedCents: 0 },
    undo: { source: importSource(call, 'balances', largeFile), rules: billUndoRules },
    work: async (tx, report, changes) => {
      await refuseParallelImport(tx, IMPORT_LOCK, company.id)
      await expectRemittance(tx, company.id, Number(body.remittance))
      const taker = await takerFor(tx, call, report, changes)
      const input = columnsInput(call)
      const table = await openTableOfStaff(tx, () => createReadStream(largeFile.path), input, columns)
      await importRows(rowsOfStaff(tx, table, input, report), { report, ...taker, every: BATCH })
    },
    record: (tx, counts) =>
      call.audit(tx, {
        action: 'billing.balances_imported',
        detail: { file: largeFile.name, day: body.day, remittance: Number(body.remittance), ...counts },
      }),
  })
})

async function expectRemittance(tx: Tx, company: CompanyId, number: number): Promise<void> {
  if (number === 0) return
  const file = await tx
    .selectFrom('remittance_file')
    .select('number')
    .where('company_id', '=', company)
    .where('number', '=', number)
    .executeTakeFirst()
  const message = say`No remittance file has this number.`
  if (!file) throw rejected(message, { remittance: message })
}

async function takerFor(
  tx: Tx,
  { company, context, body }: BalancesCall,
  report: BalancesReport,
  changes: ImportedRows,
) {
  const own = await tx
    .selectFrom('company')
    .select(['city', 'state', 'zipcode'])
    .where('id', '=', company.id)
    .executeTakeFirstOrThrow()
  const rows = collectRows<AccountBalance>(
    (row) => row.account_number,
    (number, before) => say`Account ${number} appears earlier in the file: ${before}.`,
  )
  const number = Number(body.remittance)
  const balanceDay = {
    day: body.day,
    now: context.clock.now(),
    changes,
    postedOf: (accounts: readonly number[]) => postedOf(tx, company.id, number, accounts),
  }
  return {
    take: (read: TableRow): void => {
      if (report.read > MAX_ROWS)
        throw new FileRefused(say`A file can have up to ${MAX_ROWS.toLocaleString('en-US')} rows. Split the file.`)
      rows.add(rowFrom(read, own), read.where)
    },
    write: async () => {
      const batch = rows.drain()
      const { resultOf, adjustedCents } = await setBalances(tx, company.id, batch, balanceDay)
      for (const { account_number, where } of batch) countRow(report, resultOf(account_number), where)
      report.adjustedCents += adjustedCents
      report.balanceCents += batch.reduce((sum, { balance_cents }) => sum + balance_cents, 0)
    },
  }
}

/** Sums the payments of these accounts in the files up to `number`, less reversals. In cents. */
async function postedOf(tx: Tx, company: CompanyId, number: number, accounts: readonly number[]) {
  const { rows } = await sql<{ id: number; cents: number }>`
    SELECT r.account_id AS id, sum(CASE r.kind WHEN 'credit' THEN r.amount_cents ELSE -r.amount_cents END)::bigint AS cents
    FROM remittance r JOIN remittance_filed f ON f.company_id = r.company_id AND f.remittance_id = r.id
    WHERE r.company_id = ${company} AND r.account_id = ANY (${accounts}::bigint[]) AND f.number <= ${number}
    GROUP BY r.account_id`.execute(tx)
  return new Map(rows.map(({ id, cents }) => [id, cents]))
}

/** Matches the end of an address with a city and a state: '12 Oak Street, Maple Grove, PA 17011'. */
const WITH_CITY = /^(.+?),\s*([^,]+?),?\s+([A-Za-z]{2})\.?,?(?:\s+\d{5}(?:-\d{4})?)?$/

/** @throws RowError if a value is missing or wrong */
function rowFrom({ texts }: TableRow, own: { city: string; state: string; zipcode: string }): AccountBalance {
  const text = (name: string, max = 200) => textIn(texts, name, max).replaceAll(/\s+/g, ' ').trim()
  const number = normalizeAccountNumber(text('account_number', 60))
  if (!isAccountNumber(number))
    throw new RowError(say`The account number can contain only letters, digits and dashes, up to 30 characters.`)
  const [name, address] = [text('customer_name'), text('service_address')]
  if (name === '') throw new RowError(say`The customer name is missing.`)
  if (address === '') throw new RowError(say`The service address is missing.`)
  const [, street, city, state] = WITH_CITY.exec(address) ?? []
  const zip = text('zip', 20) || readAddress(address).zip || own.zipcode
  const zipcode = zip.replace(/-\d{4}$/, '')
  if (!/^\d{5}$/.test(zipcode)) throw new RowError(say`The ZIP code “${zip}” is not five digits.`)
  return {
    account_number: number,
    customer_name: name,
    customer_email: text('customer_email', 254),
    phone_no: text('phone', 40)
      .replaceAll(/\D/g, '')
      .replace(/^1(?=\d{10}$)/, ''),
    service_address: street ?? address.replace(/,?\s+\d{5}(?:-\d{4})?$/, ''),
    city: text('city', 60) || city || own.city,
    state: (text('state', 20) || state || own.state).toUpperCase(),
    zipcode,
    balance_cents: dollarsIn(say`Balance`, text('balance', 40)),
  }
}
