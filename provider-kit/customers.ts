import * as z from 'zod/mini'
import type { Clock } from './clock.ts'
import type { Client } from './database.ts'
import { newId } from './ids.ts'

/** SQL for the table of people who own saved payment methods. Each row has the caller's reference for the person. */
export const CUSTOMER_TABLE = `
CREATE TABLE IF NOT EXISTS customer (
  id text PRIMARY KEY,
  account text NOT NULL REFERENCES account,
  reference text NOT NULL,
  name text NOT NULL DEFAULT '',
  email text NOT NULL DEFAULT '',
  created_at timestamptz(3) NOT NULL,
  UNIQUE (account, reference)
);`

export const newCustomer = z.object({
  reference: z.string().check(z.minLength(1), z.maxLength(100)),
  name: z._default(z.string().check(z.maxLength(200)), ''),
  email: z._default(z.string().check(z.maxLength(254)), ''),
})

/** Adds a customer, or updates the existing one with this reference. */
export async function addCustomer(
  client: Client,
  clock: Clock,
  account: string,
  { reference, name, email }: z.output<typeof newCustomer>,
) {
  const { rows } = await client.query<{ id: string }>(
    `INSERT INTO customer (id, account, reference, name, email, created_at) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (account, reference) DO UPDATE SET name = excluded.name, email = excluded.email RETURNING id`,
    [newId('cus'), account, reference, name, email, clock.now()],
  )
  return { id: rows[0]?.id, reference }
}
