import type { Client, Database } from '../provider-kit/database.ts'
import { Refused } from '../provider-kit/refused.ts'
import type { BankfileDeps } from './deps.ts'
import { methodSummary } from './details.ts'
import { bankError, lockIntent, stepIntent } from './intent-steps.ts'
import { returnCodes } from './nacha/return-codes.ts'
import type { AccountType } from './nacha/transaction-codes.ts'

/** Bank account saved for a customer with a mandate, for debits without the customer present. */
interface MethodRow {
  id: string
  customer: string
  created_at: Date
  detached_at: Date | null
  last4: string
  account_type: AccountType
}

const METHODS = `SELECT m.id, m.customer, m.created_at, m.detached_at, d.last4, d.account_type
  FROM stored_method m JOIN detail d ON d.id = m.detail`

const methodView = (row: MethodRow) => ({
  id: row.id,
  customer: row.customer,
  ...methodSummary(row),
  created_at: row.created_at.toISOString(),
  detached_at: row.detached_at?.toISOString() ?? null,
})

/** Returns a stored method as the API shows it. Returns null if `id` is null or unknown. */
export async function findStoredMethod(client: Pick<Database, 'query'>, id: string | null) {
  const { rows } = await client.query<MethodRow>(`${METHODS} WHERE m.id = $1`, [id])
  return rows[0] ? methodView(rows[0]) : null
}

export async function listStoredMethods({ database }: BankfileDeps, account: string, customer: string) {
  const { rows } = await database.query<MethodRow>(
    `${METHODS} WHERE m.customer = $1 AND m.account = $2 AND m.detached_at IS NULL ORDER BY m.created_at, m.id`,
    [customer, account],
  )
  return { data: rows.map(methodView) }
}

/** Removes a saved bank account. A second call has no effect. */
export async function detachStoredMethod({ clock }: BankfileDeps, client: Client, account: string, id: string) {
  await client.query(
    'UPDATE stored_method SET detached_at = coalesce(detached_at, $3) WHERE id = $1 AND account = $2',
    [id, account, clock.now()],
  )
  const { rows } = await client.query<MethodRow>(`${METHODS} WHERE m.id = $1 AND m.account = $2`, [id, account])
  if (!rows[0]) throw new Refused(404, 'not_found', 'There is no such method.')
  return methodView(rows[0])
}

/**
 * Blocks a saved account from debits after a return. The account is not blocked if the return was for insufficient
 * funds or for our own error.
 */
export async function blockStoredMethod(
  deps: BankfileDeps,
  client: Client,
  { method, account, code }: { method: string; account: string; code: string },
): Promise<void> {
  const action = returnCodes[code]?.action
  if (action === undefined || action === 'present-again' || action === 'staff') return
  await client.query(
    `UPDATE stored_method SET blocked_by = coalesce(blocked_by, $2),
       mandate_ended_at = CASE WHEN $3 THEN coalesce(mandate_ended_at, $4) ELSE mandate_ended_at END WHERE id = $1`,
    [method, code, action === 'revoke', deps.clock.now()],
  )
  // Locks intents before entries, in the same order as a cancellation, to prevent deadlocks.
  const { rows: intents } = await client.query<{ id: string }>(
    `SELECT i.id FROM intent i JOIN entry e ON e.intent = i.id
     WHERE e.stored_method = $1 AND e.kind = 'debit' AND e.status = 'waiting' ORDER BY i.id FOR UPDATE OF i`,
    [method],
  )
  const { rows } = await client.query<{ intent: string }>(
    `UPDATE entry SET status = 'canceled' WHERE intent = ANY ($1) AND kind = 'debit' AND status = 'waiting' RETURNING intent`,
    [intents.map(({ id }) => id)],
  )
  for (const { intent } of rows)
    await stepIntent(deps, client, await lockIntent(client, intent, account), 'failed', {
      error: bankError(code),
      return_code: code,
    })
}
