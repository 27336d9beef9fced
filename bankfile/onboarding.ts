import type { Clock } from '../provider-kit/clock.ts'
import type { Client, Database } from '../provider-kit/database.ts'
import { escapeHtml, input, standalonePage } from '../provider-kit/hosted.ts'
import type { AccountPage } from '../provider-kit/onboarding.ts'
import { Refused } from '../provider-kit/refused.ts'
import { type Originator, originatorBody, setOriginator } from './accounts.ts'
import { bankingDayAfter, localTime } from './banking-days.ts'
import { buildNachaFile } from './nacha/build-file.ts'
import { transactionCode } from './nacha/transaction-codes.ts'
import { writeNachaFile } from './nacha/write-file.ts'

interface Account extends Originator {
  company_id: string
  settlement_account: string
  details_submitted: boolean
  test_read_on: string | null
}

const accountOf = async (database: Pick<Database, 'query'>, id: string): Promise<Account> => {
  const { rows } = await database.query<Account>('SELECT * FROM account WHERE id = $1', [id])
  if (!rows[0]) throw new Refused(404, 'not_found', 'There is no such account.')
  return rows[0]
}

/** Returns a company's onboarding status and its missing steps: bank details, and confirmation of the test file. */
export async function statusOf(database: Database, id: string) {
  const account = await accountOf(database, id)
  const missing = [
    ...(account.details_submitted ? [] : ['originator']),
    ...(account.test_read_on === null ? ['test_file'] : []),
  ]
  const takes = account.company_id !== null
  const state = missing.length === 0 ? 'ready' : account.details_submitted ? 'missing' : 'in_progress'
  return { id, state, takes_payments: takes, paid_out: takes, missing, due_at: null, why: '' }
}

/**
 * Builds a test file with one zero-dollar entry to a fictional account. The bank uses it to check that it can read our
 * files.
 */
async function testFileOf(database: Database, clock: Clock, id: string): Promise<{ name: string; text: string }> {
  const account = await accountOf(database, id)
  if (!account.details_submitted) throw new Refused(409, 'not_set_up', 'Give the bank’s details first.')
  const { day, time } = localTime(clock.now(), account.time_zone)
  const file = buildNachaFile(
    {
      destination: account.odfi_routing,
      destinationName: account.odfi_name,
      origin: account.immediate_origin,
      originName: account.name,
    },
    { createdOn: day, createdAt: time, modifier: 'A' },
    [
      {
        secCode: 'PPD',
        companyName: account.company_name,
        companyId: account.company_id,
        entryDescription: 'PRENOTE',
        effectiveOn: bankingDayAfter(day, 1),
        odfi: account.odfi_routing.slice(0, 8),
        entries: [
          {
            transactionCode: transactionCode('checking', 'debit', 'prenote'),
            routing: account.odfi_routing,
            account: '000000000',
            amountCents: 0,
            identification: 'TEST',
            name: 'TEST ENTRY',
            sequence: 1,
          },
        ],
      },
    ],
  )
  return { name: `test-${account.company_id}.ach`, text: writeNachaFile(file) }
}

const field = (id: string, label: string, max: number, typed: Readonly<Record<string, string>>, required = true) =>
  input({ id, label, maxLength: max, numeric: false, wide: true, value: typed[id] ?? '', required })

const INVALID_MESSAGES: Readonly<Record<string, string>> = {
  company_name: 'Enter the name on statements, at most 16 characters.',
  company_id: 'Enter the company ID that the bank gave, such as 1234567890.',
  odfi_name: 'Enter the bank’s name, at most 23 characters.',
  odfi_routing: 'Enter the bank’s routing number: nine digits, of which the last proves the others.',
  immediate_origin: 'Enter the origin that the bank gave: nine or ten digits.',
}

/** Page where a company enters its bank details, downloads the test file and confirms that the bank could read it. */
export const bankPage = (database: Database, clock: Clock, live: boolean): AccountPage => ({
  async render(account, error, typed) {
    const existing = await accountOf(database, account)
    const stored: Record<string, string> = existing.details_submitted
      ? {
          ...{ company_name: existing.company_name, company_id: existing.company_id, odfi_name: existing.odfi_name },
          ...{ odfi_routing: existing.odfi_routing, immediate_origin: existing.immediate_origin },
        }
      : {}
    const visible = { ...stored, ...typed }
    const test = existing.details_submitted
      ? `<h2>The test file</h2>
      <p>Give it to the bank. It holds one entry of no dollars.</p>
      <p><a href="?file=test">Save the test file</a></p>
      ${
        existing.test_read_on === null
          ? `<form method="post"><input type="hidden" name="step" value="read">
        <button class="wide">The bank has read the test file</button></form>`
          : `<p>The bank has read it, as was said on ${existing.test_read_on}.</p>`
      }`
      : ''
    return standalonePage(
      'The municipality at its bank',
      `<h1>The municipality at its bank</h1>
      ${live ? '' : '<p><strong>TEST: no money moves.</strong></p>'}
      <p>The bank gives these to whoever sends it files. Account numbers stay with this provider.</p>
      ${error && `<p class="error" role="alert">${escapeHtml(error)}</p>`}
      <form method="post"><input type="hidden" name="step" value="details">
        ${field('company_name', 'Name on statements', 16, visible)}
        ${field('company_id', 'Company ID (originator)', 10, visible)}
        ${field('odfi_name', 'Bank', 23, visible)}
        ${field('odfi_routing', 'Routing number of the bank', 9, visible)}
        ${field('immediate_origin', 'Immediate origin', 10, visible)}
        ${field('settlement_account', `Account for settlements (optional)${existing.settlement_account ? `, now ${escapeHtml(existing.settlement_account)}` : ''}`, 17, {}, false)}
        <button class="primary wide">Save the bank’s details</button>
      </form>
      ${test}
      <form method="post"><input type="hidden" name="step" value="done"><button class="wide">Back to the portal</button></form>`,
    )
  },
  async take(client, account, { step = '', ...typed }) {
    if (step === 'done') return null
    if (step === 'read') {
      const { rowCount } = await client.query(
        'UPDATE account SET test_read_on = coalesce(test_read_on, $2) WHERE id = $1 AND details_submitted',
        [account, localTime(clock.now(), 'UTC').day],
      )
      return rowCount === 0 ? 'Give the bank’s details first.' : null
    }
    return takeDetails(client, clock, account, typed)
  },
  file: (account) => testFileOf(database, clock, account),
})

async function takeDetails(client: Client, clock: Clock, account: string, typed: Record<string, string>) {
  const parsed = originatorBody.safeParse({ sec_codes: ['WEB', 'PPD'], ...typed })
  if (!parsed.success) return INVALID_MESSAGES[String(parsed.error.issues[0]?.path[0])] ?? 'Look at what was typed.'
  const { settlement_account: settlement } = parsed.data
  if (settlement !== '' && !/^\d{4,17}$/.test(settlement)) return 'An account number has 4 to 17 digits.'
  await setOriginator(client, clock, account, parsed.data)
  return true as const
}
