import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { type Call, callerName, implement, signedIn } from '../../../server/call.ts'
import { originOf } from '../../../server/config.ts'
import { defineRenderer } from '../../../server/render.ts'
import { notFound } from '../../../server/errors.ts'
import { countAttempt, defineLimit } from '../../../server/limits.ts'
import { announce } from '../../../server/live.ts'
import { hashSecret } from '../../../server/sessions.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { typedCode } from '../../../server/typed-code.ts'
import { dateIn } from '../../../shared/dates.ts'
import { linkCodeEvents, printCustomerBill, printLinkMailings } from '../contract.ts'
import { linkPath } from '../rules.ts'
import { newestBills } from '../../utility-accounts/api.ts'
import type { BilledAccount } from './bills.ts'
import type { linkMailingsPdf, LinkMailing } from './link-mailing-pdf.ts'
import { renderBill, payableUntil } from './documents.ts'

/**
 * Number of days for which a code is valid. Customers open letters within weeks, and staff can print another letter.
 */
const CODE_DAYS = 60
const CODE_LENGTH = 10
/** Rate limit for printing letters. It is high enough for staff who print bulk letters in batches. */
const mailingsPerPerson = defineLimit('link-mailings', { max: 60, after: 'pause' })

const TOPIC = 'link-codes' as const
const updateScreens = (tx: Tx, company: CompanyId, id: number) => announce(tx, company, { topic: TOPIC, id })
/** Streams events about link codes. The `id` of an event is the account's id. */
export const linkCodeEventsCall = implement(linkCodeEvents, async () => ({ topic: TOPIC, id: 0 }))

const renderMailings = defineRenderer<Parameters<typeof linkMailingsPdf>>(
  new URL('./link-mailing-thread.ts', import.meta.url),
)

interface Customer extends BilledAccount {
  id: number
}

async function customersOf(tx: Tx, company: CompanyId, ids: readonly number[]): Promise<Customer[]> {
  const { rows } = await sql<Customer>`
    SELECT a.id, a.account_number AS number, a.customer_name AS customer,
      a.service_address || ', ' || a.city || ', ' || a.state || ' ' || a.zipcode AS address
    FROM utility_account a WHERE a.company_id = ${company} AND a.id = ANY(${[...ids]}::bigint[]) ORDER BY a.account_number`.execute(
    tx,
  )
  return rows
}

/** Creates a code for each account, which replaces the previous code. Stores only hashes of the codes. */
async function makeCodes(tx: Tx, call: Call, customers: readonly Customer[]): Promise<LinkMailing[]> {
  const { company, context } = call
  const now = context.clock.now()
  const until = new Date(now.getTime() + CODE_DAYS * 86_400_000)
  const mailings = customers.map((customer) => ({ ...customer, code: typedCode(CODE_LENGTH) }))
  await sql`
    INSERT INTO utility_link_code (company_id, account_id, code_hash, made_at, made_by, expires_at)
    SELECT ${company.id}::int, x.id, x.hash, ${now}::timestamptz, ${callerName(call)}, ${until}::timestamptz
    FROM unnest(${mailings.map(({ id }) => id)}::bigint[], ${mailings.map(({ code }) => hashSecret(code))}::bytea[]) AS x(id, hash)
    ON CONFLICT (company_id, account_id) DO UPDATE SET code_hash = excluded.code_hash, made_at = excluded.made_at,
      made_by = excluded.made_by, expires_at = excluded.expires_at, used_at = NULL`.execute(tx)
  for (const { id } of mailings) await updateScreens(tx, company.id, id)
  await call.audit(tx, {
    action: 'account.codes_made',
    detail: { accounts: mailings.map(({ number }) => number).join(', ') },
  })
  const origin = originOf(context.config, company.subdomain)
  return mailings.map(({ number, customer, address, code }) => ({
    number,
    customer,
    address,
    code: `${code.slice(0, 5)}-${code.slice(5)}`,
    url: origin + linkPath(number, code),
    until: dateIn(company.timeZone, until),
  }))
}

const limited = (call: Call) =>
  countAttempt(call.context, [mailingsPerPerson(`${call.company.id}/${signedIn(call).personId}`)])

/**
 * Prints a letter to the service address of each account. A person who receives mail at that address is probably the
 * customer.
 */
export const printLinkMailingsCall = implement(printLinkMailings, async (call) => {
  const { company, body, context } = call
  await limited(call)
  const mailings = await call.inCompany(async (tx) => {
    const customers = await customersOf(tx, company.id, body.accountIds)
    if (customers.length === 0) throw notFound('None of these accounts was found.')
    return makeCodes(tx, call, customers)
  })
  const pdf = await renderMailings(`${company.id}/${signedIn(call).personId}`, company, mailings, context.clock.now())
  const stream = Readable.from([pdf])
  return { name: `link-letters-${mailings.length}.pdf`, contentType: 'application/pdf', stream }
})

/** Prints an account's latest bill with a payment link and, optionally, a link code. */
export const printCustomerBillCall = implement(printCustomerBill, async (call) => {
  const { company, body } = call
  await limited(call)
  const { customer, bill, more } = await call.inCompany(async (tx) => {
    const [account] = await customersOf(tx, company.id, [body.accountId])
    if (!account) throw notFound('This account was not found.')
    const newest = await newestBills(tx, company.id, account.id).limit(1).executeTakeFirst()
    if (!newest) throw notFound('This account has no bills yet.')
    const [mailing] = body.withCode ? await makeCodes(tx, call, [account]) : []
    return {
      customer: account,
      bill: newest,
      more: { pay: await payableUntil(tx, call, account.id), link: mailing ?? null },
    }
  })
  const { number, customer: name, address } = customer
  const of: BilledAccount = { number, customer: name, address }
  const pdf = await renderBill(`${company.id}/${signedIn(call).personId}`, company, of, bill, more)
  return {
    name: `bill-${bill.bill_number.replaceAll(/[^\w-]+/g, '-')}.pdf`,
    contentType: 'application/pdf',
    stream: Readable.from([pdf]),
  }
})

/** Returns true if this is the unexpired code that staff created for the account. */
export async function isStaffCode(tx: Tx, call: Call, account: number, code: string): Promise<boolean> {
  const row = await tx
    .selectFrom('utility_link_code')
    .select('code_hash')
    .where(({ and }) => and({ company_id: call.company.id, account_id: account, code_hash: hashSecret(code) }))
    .where('used_at', 'is', null)
    .where('expires_at', '>', call.context.clock.now())
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Marks a single-use code as used.
 * @returns false if a concurrent call used it first
 */
export async function redeemStaffCode(tx: Tx, call: Call, account: number, code: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('utility_link_code')
    .set({ used_at: call.context.clock.now() })
    .where(({ and }) => and({ company_id: call.company.id, account_id: account, code_hash: hashSecret(code) }))
    .where('used_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await updateScreens(tx, call.company.id, account)
  return true
}
