import * as z from 'zod/mini'
import type { Clock } from '../provider-kit/clock.ts'
import type { Client, Database } from '../provider-kit/database.ts'
import { newId } from '../provider-kit/ids.ts'
import { routingFault } from '../provider-kit/numbers.ts'
import { isRoutingNumber } from './nacha/routing.ts'
import type { AccountType } from './nacha/transaction-codes.ts'
import type { Seal } from './seal.ts'

const TOKEN_MINUTES = 15

/** What the hosted fields send. The number is sealed before anything else happens to it. */
export const fieldsBody = z.object({
  type: z.literal('echeck'),
  routing: z.string(),
  number: z.string(),
  holder: z.string().check(z.maxLength(100)),
  account_type: z.union([z.literal(1), z.literal(2)]),
})

/** A bank account as everybody may see it. */
export interface MethodSummary {
  type: 'echeck'
  brand: null
  last4: string
  exp_month: null
  exp_year: null
  bank_name: null
  account_type: 1 | 2
}

export const shown = (detail: { last4: string; account_type: AccountType }): MethodSummary => ({
  type: 'echeck',
  brand: null,
  last4: detail.last4,
  exp_month: null,
  exp_year: null,
  bank_name: null,
  account_type: detail.account_type === 'savings' ? 1 : 2,
})

/** What is wrong with each field, by its name; empty where all is well. */
function faultsOf({ routing, number, holder }: z.output<typeof fieldsBody>): Record<string, string> {
  const errors: Record<string, string> = {}
  if (holder.trim().length < 2) errors['holder'] = 'Enter the name on the account.'
  if (!isRoutingNumber(routing)) errors['routing'] = routingFault(routing)
  if (!/^\d{4,17}$/.test(number)) errors['number'] = 'Enter the account number, 4 to 17 digits.'
  return errors
}

/** Keeps what was typed, sealed, behind a token of 15 minutes and one use; or answers the errors by field. */
export async function makeToken(
  { database, clock, seal }: { database: Database; clock: Clock; seal: Seal },
  account: string,
  body: z.output<typeof fieldsBody>,
) {
  const errors = faultsOf(body)
  if (Object.keys(errors).length > 0) return { errors }
  const detail = newId('ba')
  const token = newId('tok')
  const kept = { last4: body.number.slice(-4), account_type: body.account_type === 1 ? 'savings' : 'checking' } as const
  await database.transact(async (client) => {
    await client.query(
      `INSERT INTO detail (id, account, routing, number_sealed, last4, account_type, holder, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        ...[detail, account, body.routing, seal.close(body.number), kept.last4, kept.account_type],
        ...[body.holder.trim(), clock.now()],
      ],
    )
    await client.query('INSERT INTO token (id, account, detail, created_at) VALUES ($1, $2, $3, $4)', [
      ...[token, account, detail, clock.now()],
    ])
  })
  return { token, method: shown(kept) }
}

/** Uses a token up, if it is fresh, unused and of this account. Answers the bank account behind it. */
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
