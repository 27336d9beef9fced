import type { Client, Database } from '../provider-kit/database.ts'
import { newId } from '../provider-kit/ids.ts'
import { Refused } from '../provider-kit/refused.ts'
import { originatorOf, type WrittenSecCode } from './accounts.ts'
import type { BankfileDeps } from './deps.ts'
import { methodSummary, useToken } from './details.ts'
import { addEntry, withdraw } from './entries.ts'
import { bankError, type IntentRow, lockIntent, stepIntent } from './intent-steps.ts'
import type { AccountType } from './nacha/transaction-codes.ts'

/** Payment source of an intent: a single-use token of hosted fields, or a stored method (possibly off-session). */
export type PaymentSource = { token: string } | { payment_method: string; off_session: boolean }

/** Returns an intent as the API shows it. */
async function intentView(client: Pick<Database, 'query'>, row: IntentRow) {
  const { rows } = await client.query<{ last4: string; account_type: AccountType }>(
    'SELECT last4, account_type FROM detail WHERE id = $1',
    [row.detail],
  )
  return {
    id: row.id,
    account: row.account,
    amount_cents: row.amount_cents,
    fee_cents: row.fee_cents,
    refunded_cents: row.refunded_cents,
    method: 'echeck',
    status: row.status,
    error: row.error,
    next_action: null,
    payment_method: rows[0] ? methodSummary(rows[0]) : null,
    return_code: row.return_code,
    description: row.description,
    metadata: row.metadata,
    created_at: row.created_at.toISOString(),
    succeeded_at: row.succeeded_at?.toISOString() ?? null,
  }
}

export async function createIntent(
  { clock }: BankfileDeps,
  client: Client,
  account: string,
  request: Pick<IntentRow, 'amount_cents' | 'fee_cents' | 'description' | 'metadata'>,
) {
  await originatorOf(client, account)
  const { rows } = await client.query<IntentRow>(
    `INSERT INTO intent (id, account, amount_cents, fee_cents, status, description, metadata, created_at)
     VALUES ($1, $2, $3, $4, 'requires_confirmation', $5, $6, $7) RETURNING *`,
    [
      ...[newId('pi'), account, request.amount_cents, request.fee_cents, request.description],
      ...[JSON.stringify(request.metadata), clock.now()],
    ],
  )
  return intentView(client, rows[0] as IntentRow)
}

/**
 * Confirms an intent once and queues its debit for the company's next file. An already confirmed intent is returned
 * unchanged.
 */
export async function confirmIntent(
  deps: BankfileDeps,
  client: Client,
  {
    account,
    id,
    source,
    secCode,
  }: { account: string; id: string; source: PaymentSource; secCode: WrittenSecCode | undefined },
) {
  const row = await lockIntent(client, id, account)
  if (row.status === 'canceled') throw new Refused(400, 'wrong_state', 'This intent was cancelled.')
  if (row.status !== 'requires_confirmation') return intentView(client, row)
  const originator = await originatorOf(client, account)
  const resolution =
    'token' in source
      ? await resolveToken(deps, client, row, source.token)
      : await resolveMethod(client, row, source.payment_method)
  if (resolution.detail === null) {
    const { error, returnCode } = resolution
    return intentView(client, await stepIntent(deps, client, row, 'failed', { error, return_code: returnCode }))
  }
  const sec_code = secCode ?? originator.sec_codes[0] ?? 'WEB'
  if (!originator.sec_codes.includes(sec_code))
    throw new Refused(400, 'class_not_allowed', `This town's bank does not take entries of ${sec_code} from it.`)
  const { detail, stored_method } = resolution
  await addEntry(client, deps.clock, {
    account,
    kind: 'debit',
    intent: id,
    stored_method,
    detail,
    amount_cents: row.amount_cents,
    sec_code,
    // R (recurring) if the payer is absent and has a standing authorization.
    payment_type: 'off_session' in source && source.off_session ? 'R' : 'S',
  })
  return intentView(client, await stepIntent(deps, client, row, 'processing', { detail, stored_method }))
}

/** Bank account behind a payment source, or the error if the source is unusable. */
type ResolvedSource =
  | { detail: string; stored_method: string | null }
  | { detail: null; error: NonNullable<IntentRow['error']>; returnCode: string | null }

const unusable = (code: string, message: string): ResolvedSource => ({
  detail: null,
  error: { code, message, retryable: false },
  returnCode: null,
})

async function resolveToken(
  { clock }: BankfileDeps,
  client: Client,
  row: IntentRow,
  token: string,
): Promise<ResolvedSource> {
  const detail = await useToken(client, clock, row, token)
  if (detail === null) return unusable('invalid_token', 'The details were used before, are too old, or do not fit.')
  return { detail, stored_method: null }
}

async function resolveMethod(client: Client, row: IntentRow, id: string): Promise<ResolvedSource> {
  // Locks the payment method, so that no return can block the method during this transition.
  const { rows } = await client.query<{ detail: string; blocked_by: string | null }>(
    `SELECT detail, blocked_by FROM stored_method WHERE id = $1 AND account = $2 AND detached_at IS NULL FOR SHARE`,
    [id, row.account],
  )
  if (!rows[0]) return unusable('payment_method_removed', 'This bank account is not kept any more.')
  const { detail, blocked_by: returnCode } = rows[0]
  if (returnCode) return { detail: null, error: bankError(returnCode), returnCode }
  return { detail, stored_method: id }
}

/** Cancels an intent before its debit is in a file. After that, the bank already has the debit. */
export async function cancelIntent(deps: BankfileDeps, client: Client, account: string, id: string) {
  const row = await lockIntent(client, id, account)
  if (row.status === 'canceled') return intentView(client, row)
  if (row.status === 'processing' && !(await withdraw(client, id)))
    throw new Refused(400, 'in_file', 'It is in a file for the bank: refund it once it is settled.')
  return intentView(client, await stepIntent(deps, client, row, 'canceled'))
}

export async function getIntent({ database }: BankfileDeps, account: string, id: string) {
  const { rows } = await database.query<IntentRow>('SELECT * FROM intent WHERE id = $1 AND account = $2', [id, account])
  if (!rows[0]) throw new Refused(404, 'not_found', 'There is no such intent.')
  return intentView(database, rows[0])
}
