import { sql } from 'kysely'
import { type Call, implement, signedIn } from '../../../server/call.ts'
import { personTopic } from '../../../server/cases/entries.ts'
import { unreadOf } from '../../../server/cases/readers.ts'
import { PERSON } from '../../../server/cases/seen.ts'
import { notFound } from '../../../server/errors.ts'
import { companyPersonOf } from '../../../server/sessions.ts'
import { type ChatRow, chats, MAX_CHATS, myChatEvents, myChats } from '../contract-staff.ts'
import { numberOf } from '../rules.ts'
import { requests } from './case.ts'
import { OPEN, type Request } from './row.ts'

/** Maximum characters of the latest message in the list. */
const LAST = 90

type Row = Request & { last: string; unread: number; last_at: Date }

/** SQL for the latest public message of request `r`. */
const lastEntry = sql`(SELECT e.id, e.at, e.text FROM case_entry e WHERE e.company_id = r.company_id
  AND e.subject_kind = ${requests.calls.kind} AND e.subject_id = r.id AND e.visibility = 'everyone' ORDER BY e.id DESC LIMIT 1)`

const chatRow = (row: Row, name: string): ChatRow => ({
  id: row.id,
  number: numberOf(row.id),
  title: requests.title(row),
  name,
  status: row.status,
  at: row.last_at.toISOString(),
  last: row.last.replaceAll(/\s+/g, ' ').slice(0, LAST),
  lastFrom: row.last_from,
  unread: row.unread,
})

/**
 * Lists the open requests of the staff member or their department, and the unread requests that the staff member
 * follows. Unread requests come first.
 */
export const chatsCall = implement(chats, (call) =>
  call.inCompany(async (tx) => {
    const { company } = call
    const me = signedIn(call).personId
    const unread = new Map((await unreadOf(tx, requests, call)).map(({ id, count }) => [id, count]))
    const { rows } = await sql<Row>`
      SELECT r.*, coalesce(e.text, r.description) AS last, coalesce(e.at, r.created_at) AS last_at
      FROM service_request r LEFT JOIN LATERAL ${lastEntry} e ON true
      WHERE r.company_id = ${company.id} AND (r.id = ANY (${[...unread.keys()]}::bigint[]) OR ${OPEN} AND (r.assigned_to = ${me}
        OR r.department_id = (SELECT p.department_id FROM person p WHERE p.company_id = ${company.id} AND p.id = ${me})))
      ORDER BY r.id = ANY (${[...unread.keys()]}::bigint[]) DESC, r.updated_at DESC, r.id DESC LIMIT ${MAX_CHATS}`.execute(
      tx,
    )
    return { chats: rows.map((row) => chatRow({ ...row, unread: unread.get(row.id) ?? 0 }, row.name)) }
  }),
)

const ownerOf = (call: Call): number => {
  const person = companyPersonOf(signedIn(call))
  if (person === null) throw notFound(requests.texts.notFound)
  return person
}

/** Lists the requests of the signed-in resident. Counts the staff replies since the resident's last visit as unread. */
export const myChatsCall = implement(myChats, (call) =>
  call.inCompany(async (tx) => {
    const { company } = call
    const { rows } = await sql<Row>`
      SELECT r.*, coalesce(e.text, r.description) AS last, coalesce(e.at, r.created_at) AS last_at,
        (SELECT count(*)::int FROM case_entry n WHERE n.company_id = r.company_id AND n.subject_kind = ${requests.calls.kind}
          AND n.subject_id = r.id AND n.kind = 'reply' AND n.id > coalesce(s.seen_id, 0)) AS unread
      FROM (SELECT * FROM service_request r WHERE r.company_id = ${company.id} AND r.person_id = ${ownerOf(call)} AND NOT r.is_spam
        ORDER BY r.updated_at DESC, r.id DESC LIMIT ${MAX_CHATS}) r
      LEFT JOIN LATERAL ${lastEntry} e ON true
      LEFT JOIN case_reader s ON s.company_id = r.company_id AND s.subject_kind = ${requests.calls.kind} AND s.subject_id = r.id
        AND s.reader_kind = ${PERSON.kind} AND s.reader_id = ${PERSON.id}
      ORDER BY r.updated_at DESC, r.id DESC`.execute(tx)
    return {
      // Sorts unread requests first. The newest requests come first among the unread and the read ones.
      chats: rows.map((row) => chatRow(row, '')).toSorted((a, b) => Number(b.unread > 0) - Number(a.unread > 0)),
      unread: rows.reduce((sum, { unread }) => sum + unread, 0),
    }
  }),
)

export const myChatEventsCall = implement(myChatEvents, async (call) => ({
  topic: personTopic(requests, ownerOf(call)),
}))
