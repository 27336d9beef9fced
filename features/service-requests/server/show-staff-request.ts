import { sql } from 'kysely'
import { implement, signedIn } from '../../../server/call.ts'
import { findCase } from '../../../server/cases/entries.ts'
import { viewOf } from '../../../server/cases/timeline.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { dateIn, formatDate } from '../../../shared/dates.ts'
import { formatPhone } from '../../../shared/phone.ts'
import { buttonsFrom } from '../../../shared/machine.ts'
import { placeholders } from '../../../shared/cases.ts'
import { may } from '../../../shared/privileges.ts'
import { translated } from '../../../shared/messages.ts'
import { ordersOf } from '../../work-orders/api.ts'
import { orderStates } from '../../work-orders/states.ts'
import { staffCategories, staffRequest, type OtherRequest } from '../contract-staff.ts'
import { numberOf } from '../rules.ts'
import { requestStates } from '../states.ts'
import { answerTexts } from './by-link.ts'
import { orderDefaults } from './staff-work-order.ts'
import { requests } from './case.ts'
import { SOURCE } from './row.ts'
import type { Request } from './row.ts'

/** Loads a request with its timeline and the actions that are available to the caller. */
export const staffRequestCall = implement(staffRequest, (call) =>
  call.inCompany(async (tx) => {
    const { context, company, body } = call
    const session = signedIn(call)
    const row = await findCase(tx, requests, company.id, body.subjectId)
    const view = await viewOf(tx, requests, row, session)
    const { status, is_spam, merged_into } = row
    const { open } = requestStates.states[status]
    const writes = may(session.privileges, 'requests', 'update')
    const isMerged = merged_into !== null
    const { crewId, ...beside } = await besideOf(tx, row)
    const answers = await answerTexts(tx, company.id, row)
    const orders = await ordersOf(tx, company.id, { kind: SOURCE, id: row.id })
    return {
      ...view,
      request: {
        id: row.id,
        number: numberOf(row.id),
        at: row.created_at.toISOString(),
        status,
        categoryId: row.category_id,
        title: row.title,
        description: row.description,
        location: row.location,
        position: row.lat === null || row.lon === null ? null : { lat: row.lat, lon: row.lon },
        name: row.name,
        email: row.email,
        phone: row.phone,
        personId: row.person_id,
        dueAt: row.due_at.toISOString(),
        late: row.due_at < (row.closed_at ?? context.clock.now()),
        closedAt: row.closed_at?.toISOString() ?? null,
        spam: is_spam,
        answers,
        ...beside,
        source: row.came_by,
        callBackSince: row.call_back_since?.toISOString() ?? null,
        workOrders: orders.map((order) => ({
          ...order,
          status: translated(orderStates.labels[order.status]),
        })),
      },
      order: await orderDefaults(tx, call, { row, answers, crewId }),
      fills: {
        first_name: row.name.trim().split(/\s+/)[0] ?? '',
        number: numberOf(row.id),
        category: row.title,
        target: formatDate(dateIn(company.timeZone, row.due_at)),
        me: `${session.firstName} ${session.lastName}`.trim(),
        phone: company.phone && formatPhone(company.phone),
        order: orders.map(({ number }) => number).join(', '),
        ...locationFill(row),
      },
      can: {
        ...view.can,
        steps: buttonsFrom(requestStates, status, { as: 'staff', privileges: session.privileges }),
        merge: writes && open === true,
        separate: writes && isMerged,
        split: writes && !is_spam && !isMerged,
        spam: writes && open === true,
        notSpam: writes && is_spam,
        recategorize: writes && open === true,
        endCallBack: writes && row.call_back_since !== null,
        openWorkOrder: may(session.privileges, 'requests', 'create') && open === true,
      },
    }
  }),
)

const locationFill = ({ location }: Request) => ({ [placeholders[3]]: location })

/** Maximum number of related requests for each relation, such as merged or split. */
const MAX_OTHERS = 50

interface Beside {
  followers: number
  /** Crew of the category. */
  crewId: number | null
  /** Feedback on the latest repair. Feedback on earlier repairs is ignored. */
  feedback: { fixed: boolean; text: string; at: string } | null
  others: (Request & { is: 'into' | 'merged' | 'split' })[]
}

/** Loads the number of followers, the feedback and the related requests in one query. */
async function besideOf(tx: Tx, { company_id: company, id, category_id, merged_into, split_from }: Request) {
  const others = (is: string, condition: ReturnType<typeof sql>) => sql`
    (SELECT to_jsonb(r) || jsonb_build_object('is', ${is}::text) AS of, r.id FROM service_request r
     WHERE r.company_id = ${company} AND (${condition}) ORDER BY r.id LIMIT ${MAX_OTHERS})`
  const { rows } = await sql<Beside>`
    SELECT
      (SELECT crew_id FROM request_category c WHERE c.company_id = ${company} AND c.id = ${category_id}) AS "crewId",
      (SELECT count(*)::int FROM request_follower f
        WHERE f.company_id = ${company} AND f.request_id = ${id} AND f.verified_at IS NOT NULL AND f.stopped_at IS NULL) AS followers,
      (SELECT jsonb_build_object('fixed', v.is_fixed = 1, 'text', v.text, 'at', v.at) FROM request_feedback v
        WHERE v.company_id = ${company} AND v.request_id = ${id} ORDER BY v.at DESC LIMIT 1) AS feedback,
      (SELECT coalesce(jsonb_agg(o.of ORDER BY o.id), '[]') FROM (
        ${others('into', sql`r.id = ${merged_into}`)} UNION ALL ${others('merged', sql`r.merged_into = ${id}`)}
        UNION ALL ${others('split', sql`r.id = ${split_from} OR r.split_from = ${id}`)}) o) AS others`.execute(tx)
  const [{ followers, crewId, feedback, others: all } = { followers: 0, crewId: null, feedback: null, others: [] }] =
    rows
  const of = (is: Beside['others'][number]['is']) =>
    all.filter((one) => one.is === is).map((one) => otherRequestView({ ...one, created_at: new Date(one.created_at) }))
  return {
    followers,
    crewId,
    feedback: feedback && { fixed: feedback.fixed, text: feedback.text, at: new Date(feedback.at).toISOString() },
    mergedInto: of('into')[0] ?? null,
    merged: of('merged'),
    splits: of('split'),
  }
}

export const otherRequestView = ({ id, title, location, created_at, status }: Request): OtherRequest => ({
  id,
  number: numberOf(id),
  title,
  location,
  at: created_at.toISOString(),
  status,
})

export const staffCategoriesCall = implement(staffCategories, (call) =>
  call.reading(async (tx) => {
    const rows = await tx
      .selectFrom('request_category')
      .select(['id', 'name', 'is_active'])
      .where('company_id', '=', call.company.id)
      .orderBy('sort_no')
      .orderBy('id')
      .execute()
    return { categories: rows.map(({ id, name, is_active }) => ({ id, name, active: is_active === 1 })) }
  }),
)
