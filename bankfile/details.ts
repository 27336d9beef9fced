import * as z from 'zod/mini'
import type { Clock } from '../provider-kit/clock.ts'
import type { Client, Database } from '../provider-kit/database.ts'
import { newId } from '../provider-kit/ids.ts'
import { routingFault } from '../provider-kit/numbers.ts'
import { isRoutingNumber } from './nacha/routing.ts'
import type { AccountType } from './nacha/transaction-codes.ts'
import type { Seal } from './seal.ts'

const TOKEN_MINUTES = 15

/** Request body of the hosted fields. The account number is sealed (encrypted) before it is stored. */
export const fieldsBody = z.object({
  type: z.literal('echeck'),
  routing: z.string(),
  number: z.string(),
  holder: z.string().check(z.maxLength(100)),
  account_type: z.union([z.literal(1), z.literal(2)]),
})

export interface MethodSummary {
  type: 'echeck'
  brand: null
  last4: string
  exp_month: null
  exp_year: null
  bank_name: null
  account_type: 1 | 2
}

export const methodSummary = (detail: { last4: string; account_type: AccountType }): MethodSummary => ({
  type: 'echeck',
  brand: null,
  last4: detail.last4,
  exp_month: null,
  exp_year: null,
  bank_name: null,
  account_type: detail.account_type === 'savings' ? 1 : 2,
})

/** Returns the errors by field name. Empty if all fields are correct. */
function faultsOf({ routing, number, holder }: z.output<typeof fieldsBody>): Record<string, string> {
  const errors: Record<string, string> = {}
  if (holder.trim().length < 2) errors['holder'] = 'Enter the name on the account.'
  if (!isRoutingNumber(routing)) errors['routing'] = routingFault(routing)
  if (!/^\d{4,17}$/.test(number)) errors['number'] = 'Enter the account number, 4 to 17 digits.'
  return errors
}

/**
 * Stores the entered bank account encrypted and returns a token for it. The token is valid for 15 minutes and one use.
 * Returns errors by field if the input is wrong.
 */
export async function makeToken(
  { database, clock, seal }: { database: Database; clock: Clock; seal: Seal },
  account: string,
  body: z.output<typeof fieldsBody>,
) {
  const errors = faultsOf(body)
  if (Object.keys(errors).length > 0) return { errors }
  const detail = newId('ba')
  const token = newId('tok')
  const stored = {
    last4: body.number.slice(-4),
    account_type: body.account_type === 1 ? 'savings' : 'checking',
  } as const
  await database.transact(async (client) => {
    await client.query(
      `INSERT INTO detail (id, account, routing, number_sealed, last4, account_type, holder, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        ...[detail, account, body.routing, seal.close(body.number), stored.last4, stored.account_type],
        ...[body.holder.trim(), clock.now()],
      ],
    )
    await client.query('INSERT INTO token (id, account, detail, created_at) VALUES ($1, $2, $3, $4)', [
      ...[token, account, detail, clock.now()],
    ])
  })
  return { token, method: methodSummary(stored) }
}

/**
 * Consumes a token and returns the id of its bank account. Returns null if the token has expired, was used, or belongs
 * to another account.
 */
export async function useToken(
  client: Client,
  clock: Clock,
  { id, account }: { id: string; account: string },
  token: string,
): Promise<string | null> {
  const { rows } = await client.query<{ detail: string }>(
    `UPDATE token SET used_by = $1 WHERE id = $2 AND account = $3 AND used_by IS NULL AND created_at > $4 RETURNING detail`,
    [id, token, account, new Date(clock.now().getTime() - TOKEN_MINUTES * 60_000)],
  )
  return rows[0]?.detail ?? null
}
