import * as z from 'zod/mini'
import type { Clock } from '../provider-kit/clock.ts'
import type { Client, Database } from '../provider-kit/database.ts'
import { newId } from '../provider-kit/ids.ts'
import { brandOf, isExpired, passesAba, passesLuhn, routingFault } from '../provider-kit/numbers.ts'
import { Refused } from '../provider-kit/refused.ts'
import { type Scenario, TEST_BANK, TEST_ROUTING, testBankAccounts, testCards } from './scenarios.ts'

const TOKEN_MINUTES = 15
const TEST_ONLY = 'TEST: only the published test numbers work here. Try '

/** Body that the hosted fields send. The server checks the numbers and discards them. It stores only the scenario. */
export const fieldsBody = z.discriminatedUnion('type', [
  z.object({ type: z.literal('card'), number: z.string(), month: z.int(), year: z.int(), cvc: z.string() }),
  z.object({
    type: z.literal('echeck'),
    routing: z.string(),
    number: z.string(),
    holder: z.string().check(z.maxLength(100)),
    account_type: z.union([z.literal(1), z.literal(2)]),
  }),
])
export type FieldsBody = z.output<typeof fieldsBody>

export interface Method {
  type: 'card' | 'echeck'
  brand: string | null
  last4: string
  exp_month: number | null
  exp_year: number | null
  bank_name: string | null
  account_type: 1 | 2 | null
}

type TokenResult = { errors: Record<string, string> } | { method: Method; scenario: Scenario }

/** Validates the fields. Returns errors by field, or the scenario of the number. */
function validate(body: FieldsBody, now: Date): TokenResult {
  return body.type === 'card' ? validateCard(body, now) : validateBank(body)
}

function validateCard(body: Extract<FieldsBody, { type: 'card' }>, now: Date): TokenResult {
  const errors: Record<string, string> = {}
  const digits = body.number.replaceAll(/\s/g, '')
  const scenario = testCards[digits]
  if (!/^\d{12,19}$/.test(digits) || !passesLuhn(digits))
    errors['number'] = 'Check the card number: a digit is wrong or missing.'
  else if (!scenario) errors['number'] = `${TEST_ONLY}4242 4242 4242 4242.`
  if (body.month < 1 || body.month > 12) errors['expiry'] = 'Enter the expiry date as month and year, such as 08 / 29.'
  else if (isExpired(body.month, body.year, now)) errors['expiry'] = 'This card has expired.'
  if (!new RegExp(brandOf(digits) === 'amex' ? '^\\d{4}$' : '^\\d{3}$').test(body.cvc))
    errors['cvc'] = brandOf(digits) === 'amex' ? 'Enter the 4 digits on the front.' : 'Enter the 3 digits on the back.'
  if (!scenario || Object.keys(errors).length > 0) return { errors }
  const method: Method = {
    ...{ type: 'card', brand: brandOf(digits), last4: digits.slice(-4), exp_month: body.month, exp_year: body.year },
    ...{ bank_name: null, account_type: null },
  }
  return { method, scenario }
}

function validateBank(body: Extract<FieldsBody, { type: 'echeck' }>): TokenResult {
  const errors: Record<string, string> = {}
  const scenario = testBankAccounts[body.number]
  if (body.holder.trim().length < 2) errors['holder'] = 'Enter the name on the account.'
  if (!passesAba(body.routing)) errors['routing'] = routingFault(body.routing)
  else if (body.routing !== TEST_ROUTING) errors['routing'] = `${TEST_ONLY}${TEST_ROUTING}.`
  if (!/^\d{4,17}$/.test(body.number)) errors['number'] = 'Enter the account number, 4 to 17 digits.'
  else if (!scenario) errors['number'] = `${TEST_ONLY}000123456789.`
  if (!scenario || Object.keys(errors).length > 0) return { errors }
  const method: Method = {
    ...{ type: 'echeck', brand: null, last4: body.number.slice(-4), exp_month: null, exp_year: null },
    ...{ bank_name: TEST_BANK, account_type: body.account_type },
  }
  return { method, scenario }
}

/** Creates a single-use token that is valid for 15 minutes. Returns errors by field for invalid input. */
export async function makeToken(database: Database, clock: Clock, account: string, body: FieldsBody) {
  const checked = validate(body, clock.now())
  if ('errors' in checked) return checked
  const id = newId('tok')
  await database.query(
    'INSERT INTO token (id, account, type, method, scenario, created_at) VALUES ($1, $2, $3, $4, $5, $6)',
    [...[id, account, body.type, JSON.stringify(checked.method), checked.scenario, clock.now()]],
  )
  return { token: id, method: checked.method }
}

/**
 * Returns the card data of a token without using it. `funding` is null, because test cards are neither credit nor debit
 * cards.
 */
export async function sendToken(database: Database, account: string, id: string) {
  const { rows } = await database.query<{ method: Method }>('SELECT method FROM token WHERE id = $1 AND account = $2', [
    ...[id, account],
  ])
  if (!rows[0]) throw new Refused(404, 'not_found', 'There is no such token.')
  return { brand: rows[0].method.brand, funding: null }
}

/** Uses a token. The token must be unexpired, unused and for the same account and method. */
export async function useToken(
  client: Client,
  clock: Clock,
  intent: { id: string; account: string; method: string },
  token: string,
) {
  const { rows } = await client.query<{ method: Method; scenario: Scenario }>(
    `UPDATE token SET used_by = $1 WHERE id = $2 AND account = $3 AND type = $4 AND used_by IS NULL AND created_at > $5 RETURNING method, scenario`,
    [intent.id, token, intent.account, intent.method, new Date(clock.now().getTime() - TOKEN_MINUTES * 60_000)],
  )
  return rows[0] ?? null
}
