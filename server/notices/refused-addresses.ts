import { sql } from 'kysely'
import type { Clock } from '../clock.ts'
import type { Tx } from '../tenancy.ts'

/** Failure reason of an email that was not attempted, because its address is paused. */
export const ADDRESS_PAUSED = 'rests'

/** Recipient's address, together with the sender of the emails: a company or the platform. */
interface Mailbox {
  /** Company that sends the emails. Null for the platform, which has company id 0 in the table. */
  company: number | null
  address: string
}

/** Longest pause of an email address, in days. */
const MAX_DAYS = 32

/**
 * True if the mail server permanently refuses the mailbox. A 5xx about the portal's sign-in or the email's content does
 * not count.
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

/**
 * Pauses an email address after a refusal. The first pause is a day. Each further refusal doubles the pause, up to
 * `MAX_DAYS`.
 */
export async function pauseAddress(tx: Tx, clock: Clock, { company, address }: Mailbox, code: string): Promise<void> {
  const now = clock.now()
  await sql`
    INSERT INTO refused_address AS known (company_id, address, code, refused_at, rests_until)
    VALUES (${company ?? 0}, ${address.toLowerCase()}, ${code}, ${now}, ${now}::timestamptz + interval '1 day')
    ON CONFLICT (company_id, address) DO UPDATE SET code = excluded.code, refusals = known.refusals + 1, refused_at = ${now},
      rests_until = ${now}::timestamptz + least(power(2, least(known.refusals, 10)), ${MAX_DAYS}) * interval '1 day'`.execute(
    tx,
  )
}

/**
 * Returns the end of the last pause of an address, which may be in the past. Null if the address has refused no email
 * since its last delivery.
 */
export async function pausedUntil(tx: Tx, { company, address }: Mailbox): Promise<Date | null> {
  const row = await tx
    .selectFrom('refused_address')
    .select('rests_until')
    .where('company_id', '=', company ?? 0)
    .where('address', '=', address.toLowerCase())
    .executeTakeFirst()
  return row?.rests_until ?? null
}

/**
 * Ends the pause of an email address after a delivery, or if staff request it.
 * @returns true if the address was refused before
 */
export async function forgetRefusals(tx: Tx, { company, address }: Mailbox): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('refused_address')
    .where('company_id', '=', company ?? 0)
    .where('address', '=', address.toLowerCase())
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}
