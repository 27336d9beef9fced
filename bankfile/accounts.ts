import * as z from 'zod/mini'
import type { Clock } from '../provider-kit/clock.ts'
import type { Client } from '../provider-kit/database.ts'
import { newId } from '../provider-kit/ids.ts'
import { Refused } from '../provider-kit/refused.ts'
import { addDays, localTime } from './banking-days.ts'
import { isRoutingNumber } from './nacha/routing.ts'

export const secCodes = ['WEB', 'PPD', 'TEL', 'CCD'] as const
export type WrittenSecCode = (typeof secCodes)[number]

/** A company with complete bank details. Days are YYYY-MM-DD. Times are HH:MM in the company's time zone. */
export interface Originator {
  id: string
  name: string
  company_name: string
  company_id: string
  entry_description: string
  odfi_routing: string
  odfi_name: string
  immediate_origin: string
  sec_codes: WrittenSecCode[]
  prenotes: boolean
  same_day: boolean
  cutoff: string
  time_zone: string
  settle_days: number
  cut_through: string
}

export const newAccount = z.object({
  reference: z.string().check(z.minLength(1), z.maxLength(100)),
  name: z.string().check(z.maxLength(200)),
})

/** Bank details that a bank and its company agree on. */
export const originatorBody = z.object({
  company_name: z.string().check(z.minLength(1), z.maxLength(16)),
  company_id: z.string().check(z.regex(/^[A-Z\d]{1,10}$/)),
  entry_description: z._default(z.string().check(z.minLength(1), z.maxLength(10)), 'UTILITY'),
  odfi_routing: z.string().check(z.refine(isRoutingNumber, 'it is no routing number')),
  odfi_name: z.string().check(z.minLength(1), z.maxLength(23)),
  immediate_origin: z.string().check(z.regex(/^\d{9,10}$/)),
  settlement_account: z._default(z.string().check(z.maxLength(40)), ''),
  sec_codes: z.array(z.enum(secCodes)).check(z.minLength(1)),
  prenotes: z._default(z.boolean(), false),
  same_day: z._default(z.boolean(), false),
  cutoff: z._default(z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/)), '16:00'),
  time_zone: z._default(z.string().check(z.refine(isTimeZone, 'there is no such time zone')), 'America/New_York'),
  settle_days: z._default(z.int().check(z.minimum(2), z.maximum(10)), 2),
})

function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    return true
  } catch {
    return false
  }
}

/** Fictional bank for companies that only test files. */
const TEST_BANK = { routing: '123456780', name: 'TEST BANK' }

/**
 * Adds an account, or returns the existing one with this reference. If the provider moves no real money, the account
 * immediately gets a fictional bank.
 */
export async function addAccount(client: Client, clock: Clock, body: z.output<typeof newAccount>, live: boolean) {
  const { rows } = await client.query<{ id: string; company_id: string | null }>(
    `INSERT INTO account (id, reference, name, created_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (reference) DO UPDATE SET name = excluded.name RETURNING id, reference, name, company_id`,
    [newId('acct'), body.reference, body.name, clock.now()],
  )
  const account = rows[0] as { id: string; company_id: string | null }
  if (!live && account.company_id === null)
    await client.query(
      `UPDATE account SET company_name = $2, company_id = '1' || n, immediate_origin = '1' || n, odfi_routing = $3, odfi_name = $4,
         cut_through = $5 FROM nextval('company_number') AS n WHERE id = $1`,
      [
        ...[
          account.id,
          body.name
            .normalize('NFKD')
            .replaceAll(/[^\x20-\x7e]/g, '')
            .trim()
            .slice(0, 16) || 'TOWN',
        ],
        ...[TEST_BANK.routing, TEST_BANK.name, dayBefore(clock, 'America/New_York')],
      ],
    )
  return { id: account.id, reference: body.reference, name: body.name }
}

export async function setOriginator(
  client: Client,
  clock: Clock,
  id: string,
  body: z.output<typeof originatorBody>,
): Promise<{ id: string }> {
  const { settlement_account: settlement, ...rest } = body
  const columns = {
    ...rest,
    ...(settlement !== '' && { settlement_account: `•••• ${settlement.slice(-4)}` }),
    details_submitted: true,
  }
  const names = Object.keys(columns)
  const { rowCount } = await client.query(
    `UPDATE account SET ${names.map((name, at) => `${name} = $${at + 3}`).join(', ')}, cut_through = coalesce(cut_through, $2) WHERE id = $1`,
    [id, dayBefore(clock, body.time_zone), ...Object.values(columns)],
  )
  if (rowCount === 0) throw new Refused(404, 'not_found', 'There is no such account.')
  return { id }
}

const dayBefore = (clock: Clock, zone: string): string => addDays(localTime(clock.now(), zone).day, -1)

/** @throws Refused if the bank details are missing */
export async function originatorOf(client: Pick<Client, 'query'>, id: string): Promise<Originator> {
  const { rows } = await client.query<Originator>('SELECT * FROM account WHERE id = $1 AND company_id IS NOT NULL', [
    id,
  ])
  if (!rows[0])
    throw new Refused(400, 'not_set_up', 'This town cannot debit bank accounts yet: its bank’s details are missing.')
  return rows[0]
}
