import { sql } from 'kysely'
import type { Clock } from '../clock.ts'
import type { Tx } from '../tenancy.ts'

/** Why a mail was not tried. */
export const RESTS = 'rests'

/** An address that mails of a town, or of the platform, are sent to. */
interface Mailbox {
  /** Null: the platform, whose rows are those of company 0. */
  company: number | null
  address: string
}

/** The most days for which an address is left alone. */
const MAX_DAYS = 32

/**
 * The receiver's server says for good that there is no such mailbox, or that it takes nothing. A 5xx about anything else, such
 * as our own sign-in or the mail's content, says nothing about the address.
 */
export function isRefusal(error: unknown): boolean {
  const {
    responseCode = 0,
    command,
    response = '',
  } = error as {
    responseCode?: number
    command?: string
    response?: string
  }
  if (responseCode < 500 || responseCode > 599) return false
  return command === 'RCPT TO' || /^\d{3}[ -]5\.[12]\.\d/.test(response)
}

/** Leaves an address alone: a day the first time, and twice as long each time it is refused again. */
export async function noteRefusal(tx: Tx, clock: Clock, { company, address }: Mailbox, code: string): Promise<void> {
  const now = clock.now()
  await sql`
    INSERT INTO refused_address AS known (company_id, address, code, refused_at, rests_until)
    VALUES (${company ?? 0}, ${address.toLowerCase()}, ${code}, ${now}, ${now}::timestamptz + interval '1 day')
    ON CONFLICT (company_id, address) DO UPDATE SET code = excluded.code, refusals = known.refusals + 1, refused_at = ${now},
      rests_until = ${now}::timestamptz + least(power(2, least(known.refusals, 10)), ${MAX_DAYS}) * interval '1 day'`.execute(
    tx,
  )
}

/** Until when nothing is sent there, which may be over; null where the address was not refused since it took a mail. */
export async function restOf(tx: Tx, { company, address }: Mailbox): Promise<Date | null> {
  const row = await tx
    .selectFrom('refused_address')
    .select('rests_until')
    .where('company_id', '=', company ?? 0)
    .where('address', '=', address.toLowerCase())
    .executeTakeFirst()
  return row?.rests_until ?? null
}

/** A mail arrived there, or staff know better. @returns whether it was refused before */
export async function forgetRefusals(tx: Tx, { company, address }: Mailbox): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('refused_address')
    .where('company_id', '=', company ?? 0)
    .where('address', '=', address.toLowerCase())
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}
