import type { Client, Database } from '../provider-kit/database.ts'
import { brandOf, isExpired } from '../provider-kit/numbers.ts'
import { Refused } from '../provider-kit/refused.ts'
import type { GatewayDeps } from './deps.ts'
import {
  EXPIRED,
  type Outcome,
  outcomes,
  type Scenario,
  TEST_BANK,
  testBankAccounts,
  testCards,
  testMethods,
  withoutPayer,
} from './scenarios.ts'
import type { Method } from './tokens.ts'

/** Payment method of a customer, stored for off-session charges. */
interface StoredMethod {
  id: string
  account: string
  customer: string
  type: 'card' | 'echeck'
  method: Method
  scenario: Scenario
  mandate: unknown
  created_at: Date
  detached_at: Date | null
}

const methodView = ({ id, customer, method, created_at, detached_at }: StoredMethod) => ({
  id,
  customer,
  ...method,
  created_at: created_at.toISOString(),
  detached_at: detached_at?.toISOString() ?? null,
})

/** Returns a stored method as the API shows it. Null if `id` is null or unknown. */
export async function findStoredMethod(client: Pick<Database, 'query'>, id: string | null) {
  const { rows } = await client.query<StoredMethod>('SELECT * FROM stored_method WHERE id = $1', [id])
  return rows[0] ? methodView(rows[0]) : null
}

export async function listStoredMethods({ database }: GatewayDeps, account: string, customer: string) {
  const { rows } = await database.query<StoredMethod>(
    `SELECT * FROM stored_method WHERE customer = $1 AND account = $2 AND detached_at IS NULL ORDER BY created_at, id`,
    [customer, account],
  )
  return { data: rows.map(methodView) }
}

/** Detaches a stored method from its customer. A second call changes nothing. */
export async function detachStoredMethod({ clock }: GatewayDeps, client: Client, account: string, id: string) {
  const published = publishedMethod(id)
  // Published test methods belong to no customer, so they cannot be detached.
  if (published) return { id, customer: '', ...published.method, created_at: '', detached_at: null }
  const { rows } = await client.query<StoredMethod>(
    'UPDATE stored_method SET detached_at = coalesce(detached_at, $3) WHERE id = $1 AND account = $2 RETURNING *',
    [id, account, clock.now()],
  )
  if (!rows[0]) throw new Refused(404, 'not_found', 'There is no such method.')
  return methodView(rows[0])
}

/** Finds the published test method for an id. The id may end with a colon and any text. */
function publishedMethod(id: string): { type: string; method: Method; scenario: Scenario } | null {
  const testMethod = testMethods[id.replace(/:.*$/, '')]
  if (!testMethod) return null
  const { type, number } = testMethod
  const scenario = (type === 'card' ? testCards : testBankAccounts)[number] ?? 'ok'
  const method: Method = {
    type,
    brand: type === 'card' ? brandOf(number) : null,
    last4: number.slice(-4),
    exp_month: null,
    exp_year: null,
    bank_name: type === 'card' ? null : TEST_BANK,
    account_type: type === 'card' ? null : 2,
  }
  return { type, method, scenario }
}

/** Loads a stored method of this account and type. Null if it does not exist or was detached. */
export async function useStored(client: Client, intent: { account: string; method: string }, id: string) {
  const published = publishedMethod(id)
  if (published) return published.type === intent.method ? published : null
  const { rows } = await client.query<{ method: Method; scenario: Scenario }>(
    'SELECT method, scenario FROM stored_method WHERE id = $1 AND account = $2 AND type = $3 AND detached_at IS NULL',
    [id, intent.account, intent.method],
  )
  return rows[0] ?? null
}

/**
 * Returns the result of charging a stored method, which may have expired. `isOffSession` is true if the owner cannot
 * answer a challenge.
 */
export function outcomeOfStored(
  { method, scenario }: { method: Method; scenario: Scenario },
  now: Date,
  isOffSession: boolean,
): Outcome {
  const { exp_month, exp_year } = method
  if (exp_month !== null && exp_year !== null && isExpired(exp_month, exp_year, now)) return EXPIRED
  return isOffSession ? withoutPayer(scenario) : outcomes[scenario]
}
