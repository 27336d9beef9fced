import * as z from 'zod/mini'
import type { Client, Database } from '../provider-kit/database.ts'
import { escapeHtml, input, standalonePage } from '../provider-kit/hosted.ts'
import type { AccountPage } from '../provider-kit/onboarding.ts'

/** Onboarding results that a test can choose, to check how the portal handles each state. */
const outcomes = {
  ready: { state: 'ready', takes: true, paid: true, missing: [], why: '' },
  review: { state: 'in_review', takes: true, paid: false, missing: [], why: 'under_review' },
  document: { state: 'missing', takes: true, paid: false, missing: ['company.verification.document'], why: '' },
  stopped: {
    ...{ state: 'missing', takes: false, paid: false },
    ...{ missing: ['company.tax_id', 'external_account'], why: 'requirements.past_due' },
  },
  rejected: { state: 'on_hold', takes: false, paid: false, missing: [], why: 'rejected.other' },
} as const
type Outcome = keyof typeof outcomes

const labels: Readonly<Record<Outcome, string>> = {
  ready: 'Everything is in order',
  review: 'It looks at what it was told',
  document: 'It asks for a document, and payments go on',
  stopped: 'It asks for more, and payments stop until then',
  rejected: 'It puts the municipality on hold',
}

/**
 * Returns the onboarding status of an account. Sandbox accounts are ready immediately, unless they were opened with
 * `needs_consent`.
 */
export async function statusOf(database: Pick<Database, 'query'>, account: string) {
  const { rows } = await database.query(
    'SELECT id, state, takes_payments, paid_out, missing, due_at, why FROM account WHERE id = $1',
    [account],
  )
  return rows[0] as unknown
}

/** Onboarding result that a test sets for an account. */
export const forcedStatus = z.object({ account: z.string(), outcome: z.enum(Object.keys(outcomes) as [Outcome]) })

export async function force(client: Client, account: string, outcome: Outcome): Promise<void> {
  const { state, takes, paid, missing, why } = outcomes[outcome]
  await client.query(
    'UPDATE account SET state = $2, takes_payments = $3, paid_out = $4, missing = $5, why = $6 WHERE id = $1',
    [account, state, takes, paid, [...missing], why],
  )
}

const field = (id: string, label: string, value: string, maxLength = 100) =>
  input({ id, label, maxLength, numeric: false, wide: true, value })

/** Onboarding page of the sandbox. The entered data never leaves the sandbox. */
export const sandboxPage = (database: Database): AccountPage => ({
  async render(account, problem, typed) {
    const { rows } = await database.query<{ name: string; told: Record<string, string> }>(
      'SELECT name, told FROM account WHERE id = $1',
      [account],
    )
    const values: Record<string, string> = { legal_name: rows[0]?.name ?? '', ...rows[0]?.told, ...typed }
    const choices = Object.entries(labels)
      .map(([value, label]) => {
        const chosen = value === (values['outcome'] ?? 'ready') ? ' selected' : ''
        return `<option value="${value}"${chosen}>${label}</option>`
      })
      .join('')
    return standalonePage(
      'Who is the municipality?',
      `<h1>Who is the municipality?</h1>
      <p><strong>TEST: no money moves.</strong> This page stands for the one on which a payment provider asks a municipality who it is.</p>
      ${problem && `<p class="error" role="alert">${escapeHtml(problem)}</p>`}
      <form method="post">
        ${field('legal_name', 'Legal name', values['legal_name'] ?? '')}
        ${field('tax_id', 'Tax ID (EIN), invented', values['tax_id'] ?? '', 10)}
        ${field('representative', 'Who answers for it', values['representative'] ?? '')}
        <div class="field wide">
          <label for="outcome">What the sandbox shall find</label>
          <select id="outcome" name="outcome">${choices}</select>
          <p class="error"></p>
        </div>
        <button class="primary wide">Send</button>
      </form>`,
    )
  },
  async take(client, account, { legal_name = '', tax_id = '', representative = '', outcome = '' }) {
    if (legal_name === '' || representative === '') return 'Enter the legal name, and who answers for it.'
    if (!/^\d{2}-?\d{7}$/.test(tax_id)) return 'A tax ID has nine digits, such as 23-1234567.'
    if (!(outcome in outcomes)) return 'Choose what the sandbox shall find.'
    await client.query('UPDATE account SET told = $2 WHERE id = $1', [
      account,
      JSON.stringify({ legal_name, tax_id, representative, outcome }),
    ])
    await force(client, account, outcome as Outcome)
    return null
  },
})
