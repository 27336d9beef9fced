import { addMessage } from '../../../server/cases/entries.ts'
import type { AppContext } from '../../../server/app-context.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { requests } from '../../service-requests/server/case.ts'
import type { Request } from '../../service-requests/server/row.ts'

/** Tells the staff in the conversation of a request; whoever has it or watches it is mailed. Residents see nothing of it. */
export const alertStaff = (tx: Tx, context: AppContext, row: Request, text: string): Promise<number> =>
  addMessage(tx, context, requests, row, 'note', {
    by: { kind: 'municipality', id: null, name: 'Mainstreet' },
    text,
    at: context.clock.now(),
    files: [],
  })

const MINUTE = 60_000
/** After so many days nothing is tried again by itself. */
const MAX_DAYS = 4

/** When something is tried again that failed so often: after 1, 2, 4 … minutes, 6 hours at most. */
export const againAt = (now: Date, tries: number): Date =>
  new Date(now.getTime() + Math.min(2 ** Math.max(0, tries - 1), 360) * MINUTE)

export const isGivenUp = (now: Date, began: Date): boolean => now.getTime() - began.getTime() > MAX_DAYS * 86_400_000

/** Whoever does something has it alone for so long; a portal that was killed meanwhile has it no more then. */
export const leaseUntil = (now: Date): Date => new Date(now.getTime() + 2 * MINUTE)
