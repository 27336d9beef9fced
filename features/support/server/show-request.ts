import { sql } from 'kysely'
import { implement, signedIn } from '../../../server/call.ts'
import { notFound } from '../../../server/errors.ts'
import { addressLine } from '../../../shared/address.ts'
import { may } from '../../../shared/privileges.ts'
import { supportRequest } from '../contract.ts'
import { stepsFrom } from '../rules.ts'
import { assigneeColumns, type RequestRow, rowOf } from './row.ts'

/** A request with everything that was said and done. */
export const showRequestCall = implement(supportRequest, (call) => {
  const { house, company, body } = call
  const { privileges } = signedIn(call)
  const writes = may(privileges, 'communication_management', 'update')
  return house.acrossCompanies(async (tx) => {
    const { rows } = await sql<RequestRow>`
      SELECT r.*, c.name AS company, ${assigneeColumns} FROM support_request r JOIN company c ON c.id = r.company_id
      LEFT JOIN platform_person p ON p.id = r.assigned_to
      WHERE r.company_id = ${company.id} AND r.id = ${body.requestId}`.execute(tx)
    const row = rows[0]
    if (!row) throw notFound('This support request was not found.')
    const messages = await tx
      .selectFrom('support_message')
      .select(['id', 'at', 'kind', 'author_name', 'text'])
      .where('company_id', '=', company.id)
      .where('request_id', '=', row.id)
      .orderBy('id')
      .execute()
    const steps = await tx
      .selectFrom('support_status_history')
      .select(['id', 'at', 'to_status', 'actor_name', 'reason'])
      .where('company_id', '=', company.id)
      .where('request_id', '=', row.id)
      .where('from_status', '>=', 0)
      .orderBy('id')
      .execute()
    const said = messages.map(({ id, at, kind, author_name: by, text }) => ({
      ...{ key: `m${id}`, at, kind, by, text, status: null },
    }))
    const done = steps.map(({ id, at, to_status: status, actor_name: by, reason: text }) => ({
      ...{ key: `s${id}`, at, kind: 'status' as const, by, text, status },
    }))
    // What was said in the moment of a step stands before it.
    const later = [...said, ...done].toSorted((a, b) => a.at.getTime() - b.at.getTime())
    const first = {
      key: 'm0',
      at: row.created_at,
      kind: 'person' as const,
      by: row.name,
      text: row.message,
      status: null,
    }
    return {
      request: {
        ...rowOf(row),
        ...{ phone: row.phone, accountNumber: row.account_number, personId: row.person_id },
        address: addressLine({ address1: row.address, city: row.city, state: row.state, zipcode: row.zipcode }),
        closedAt: row.closed_at?.toISOString() ?? null,
      },
      entries: [first, ...later].map((entry) => ({ ...entry, at: entry.at.toISOString() })),
      lastMessageId: row.last_message_id,
      can: {
        reply: writes && row.status !== 4,
        note: writes,
        steps: writes ? [...stepsFrom(row.status)] : [],
        assign: may(privileges, 'chat', 'update'),
      },
    }
  })
})
