import { type Selectable, sql } from 'kysely'
import type { Schema } from '../../../server/db/schema.ts'

/** As work orders name what they were opened from. */
export const SOURCE = 'request'

export type Request = Selectable<Schema['service_request']>

/** As the migration's partial indexes have it. */
export const OPEN = sql`r.status IN (0, 1, 3)`

/** Whoever asked may still open it again. */
export const mayReopen = ({ status, reopen_until }: Pick<Request, 'status' | 'reopen_until'>, now: Date): boolean =>
  status === 2 && reopen_until !== null && now <= reopen_until
