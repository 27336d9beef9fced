import { type Selectable, sql } from 'kysely'
import type { Schema } from '../../../server/db/schema.ts'
import { requestStatus, openRequests } from '../rules.ts'
import { litList } from '../../../server/list-sql.ts'

/** Value of `kind` with which work orders refer to their source request. */
export const SOURCE = 'request'

export type Request = Selectable<Schema['service_request']>

/** SQL condition for open requests. Must match the condition of the partial indexes in the migration. */
export const OPEN = sql`r.status IN (${litList(openRequests)})`

/** Returns true if the requester may still reopen the request. */
export const mayReopen = ({ status, reopen_until }: Pick<Request, 'status' | 'reopen_until'>, now: Date): boolean =>
  status === requestStatus.completed && reopen_until !== null && now <= reopen_until
