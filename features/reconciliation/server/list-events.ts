import { sql } from 'kysely'
import { implementList } from '../../../server/list.ts'
import { may } from '../../../shared/privileges.ts'
import { pendingEvents } from '../list.ts'

/** Excludes events without an error, because the portal is still processing them. */
export const eventCalls = implementList(pendingEvents, {
  table: sql`(
    SELECT e.*, concat_ws(' ', e.body->>'type', e.body->>'objectId') AS about, coalesce(c.name, '') AS town
    FROM provider_event e
    LEFT JOIN provider_account s ON s.account = e.body->>'account' AND s.provider = e.provider LEFT JOIN company c ON c.id = s.company_id
    WHERE e.applied_at IS NULL AND e.last_error IS NOT NULL)`,
  columns: {
    at: 'received_at',
    about: 'about',
    company: 'town',
    // After the automatic retries end, only a person can retry the event.
    nextTry: sql`CASE WHEN r.abandoned_at IS NULL THEN r.next_try_at END`,
    abandoned: sql`(r.abandoned_at IS NOT NULL)`,
    tries: 'tries',
    error: 'last_error',
  },
  search: sql`lower(concat_ws(' ', r.town, r.about, r.last_error))`,
  row: (_row, { session }) => ({
    can: { repeat: session !== null && may(session.privileges, 'company_setup', 'update') },
  }),
})
