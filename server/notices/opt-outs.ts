import * as z from 'zod/mini'
import { hasRow } from '../db/rows.ts'
import type { AppContext } from '../app-context.ts'
import type { Tx } from '../tenancy.ts'

/** Recipient's address, together with the sender of the emails: a company, or the platform as company 0. */
interface Mailbox {
  company: number
  address: string
}

export const UNSUBSCRIBE_PATH = '/notices/stop'

const link = z.object({ event: z.string(), company: z.int(), address: z.string() })

/** Builds the path of the unsubscribe link for an event. The encrypted path hides the address and prevents forgery. */
export const unsubscribePath = ({ secrets }: AppContext, { company, address }: Mailbox, event: string): string =>
  `${UNSUBSCRIBE_PATH}?of=${secrets.seal(JSON.stringify({ event, company, address } satisfies z.output<typeof link>))}`

/** Decodes an unsubscribe link. Null if this installation did not create the link. */
export function readUnsubscribe({ secrets }: AppContext, sealed: unknown): (Mailbox & { event: string }) | null {
  try {
    const { event, ...mailbox } = link.parse(JSON.parse(secrets.open(z.string().parse(sealed))))
    return { ...mailbox, event }
  } catch {
    return null
  }
}

/** True if the recipient opted out of these emails, by an unsubscribe link or in their alert settings. */
export async function hasOptedOut(
  tx: Tx,
  { company, address }: Mailbox,
  event: string,
  person: number | null = null,
): Promise<boolean> {
  const optedOut = await hasRow(tx, 'notice_opt_out', { company_id: company, address, event })
  if (optedOut || person === null) return optedOut
  const chosen = await tx
    .selectFrom('person')
    .select('active_email_alerts')
    .where('company_id', '=', company)
    .where('id', '=', person)
    .executeTakeFirst()
  return chosen?.active_email_alerts === 'i'
}

/** Unsubscribes or resubscribes an address. @returns true if this changed the stored choice */
export async function setOptedOut(
  tx: Tx,
  { company, address, event }: Mailbox & { event: string },
  optedOut: boolean,
  at: Date,
): Promise<boolean> {
  if (!optedOut) {
    const { numDeletedRows } = await tx
      .deleteFrom('notice_opt_out')
      .where('company_id', '=', company)
      .where('address', '=', address)
      .where('event', '=', event)
      .executeTakeFirstOrThrow()
    return numDeletedRows > 0n
  }
  const added = await tx
    .insertInto('notice_opt_out')
    .values({ company_id: company, address, event, at })
    .onConflict((conflict) => conflict.doNothing())
    .returning('event')
    .executeTakeFirst()
  return added !== undefined
}
