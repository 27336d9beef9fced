import { type Selectable, sql } from 'kysely'
import type { Schema } from '../../../server/db/schema.ts'

/** Source kind in work orders. */
export const SOURCE = 'request'

export type Request = Selectable<Schema['service_request']>

/** Must equal the condition of the migration's partial indexes. */
export const OPEN = sql`r.status IN (0, 1, 3)`

/** True if the requester may still reopen the request. */
export const mayReopen = ({ status, reopen_until }: Pick<Request, 'status' | 'reopen_until'>, now: Date): boolean =>
  status === 2 && reopen_until !== null && now <= reopen_until
