import { addMessage } from '../../../server/cases/entries.ts'
import type { AppContext } from '../../../server/app-context.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { requests, type Request } from '../../service-requests/api.ts'

/** Adds an internal note to a request and emails its assignee and watchers. Residents do not see the note. */
export const alertStaff = (tx: Tx, context: AppContext, row: Request, text: string): Promise<number> =>
  addMessage(tx, context, requests, row, 'note', {
    by: { kind: 'municipality', id: null, name: 'Mainstreet' },
    text,
    at: context.clock.now(),
    files: [],
  })

const MINUTE = 60_000
/** Number of days after which the portal stops automatic retries. */
const MAX_DAYS = 4

/** Returns the time of the next retry: after 1, 2, 4 … minutes, at most 6 hours. */
export const againAt = (now: Date, tries: number): Date =>
  new Date(now.getTime() + Math.min(2 ** Math.max(0, tries - 1), 360) * MINUTE)

export const isExpired = (now: Date, began: Date): boolean => now.getTime() - began.getTime() > MAX_DAYS * 86_400_000

/**
 * Returns the time when the exclusive lease ends. If a server stops unexpectedly, another server can continue after
 * this time.
 */
export const leaseUntil = (now: Date): Date => new Date(now.getTime() + 2 * MINUTE)
