import * as z from 'zod/mini'
import { hasRow } from '../db/rows.ts'
import type { AppContext } from '../app-context.ts'
import type { Tx } from '../tenancy.ts'

/** An address that mails of a town, or (company 0) of the platform, are sent to. */
interface Mailbox {
  company: number
  address: string
}

export const STOP_PATH = '/notices/stop'

const link = z.object({ stops: z.string(), company: z.int(), address: z.string() })

/** The way to stop an event's mails, without signing in. Sealed, so that nobody makes one and it names no address. */
export const stopPath = ({ secrets }: AppContext, { company, address }: Mailbox, event: string): string =>
  `${STOP_PATH}?of=${secrets.seal(JSON.stringify({ stops: event, company, address } satisfies z.output<typeof link>))}`

/** What a link stops; null where it is none of ours. */
export function readStop({ secrets }: AppContext, sealed: unknown): (Mailbox & { event: string }) | null {
  try {
    const { stops, ...mailbox } = link.parse(JSON.parse(secrets.open(z.string().parse(sealed))))
    return { ...mailbox, event: stops }
  } catch {
    return null
  }
}

/** Whether the mails of an event are not wanted: stopped by their link, or a resident who wants no alerts by email. */
export async function hasStopped(
  tx: Tx,
  { company, address }: Mailbox,
  event: string,
  person: number | null = null,
): Promise<boolean> {
  const stopped = await hasRow(tx, 'notice_stop', { company_id: company, address, event })
  if (stopped || person === null) return stopped
  const chosen = await tx
    .selectFrom('person')
    .select('active_email_alerts')
    .where('company_id', '=', company)
    .where('id', '=', person)
    .executeTakeFirst()
  return chosen?.active_email_alerts === 'i'
}

/** Stops, or starts again. @returns whether that changed anything */
export async function setStopped(
  tx: Tx,
  { company, address, event }: Mailbox & { event: string },
  stopped: boolean,
  at: Date,
): Promise<boolean> {
  if (!stopped) {
    const { numDeletedRows } = await tx
      .deleteFrom('notice_stop')
      .where('company_id', '=', company)
      .where('address', '=', address)
      .where('event', '=', event)
      .executeTakeFirstOrThrow()
    return numDeletedRows > 0n
  }
  const added = await tx
    .insertInto('notice_stop')
    .values({ company_id: company, address, event, at })
    .onConflict((conflict) => conflict.doNothing())
    .returning('event')
    .executeTakeFirst()
  return added !== undefined
}
