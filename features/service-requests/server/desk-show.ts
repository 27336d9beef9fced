import { sql } from 'kysely'
import { implement, signedIn } from '../../../server/call.ts'
import { findCase } from '../../../server/cases/entries.ts'
import { viewOf } from '../../../server/cases/timeline.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { buttonsFrom } from '../../../shared/machine.ts'
import { may } from '../../../shared/privileges.ts'
import { translated } from '../../../shared/words.ts'
import { ordersOf } from '../../work-orders/server/orders-of.ts'
import { orderStates } from '../../work-orders/states.ts'
import { deskCategories, deskRequest, type OtherRequest } from '../contract-desk.ts'
import { numberOf } from '../rules.ts'
import { requestStates } from '../states.ts'
import { answersInWords } from './by-link.ts'
import { requests } from './case.ts'
import { SOURCE } from './row.ts'
import type { Request } from './row.ts'

/** A request with everything that was said and done, and what the caller may do with it. */
export const deskRequestCall = implement(deskRequest, (call) =>
  call.inCompany(async (tx) => {
    const { house, company, body } = call
    const session = signedIn(call)
    const row = await findCase(tx, requests, company.id, body.subjectId)
    const view = await viewOf(tx, requests, row, session)
    const { status, is_spam, merged_into } = row
    const { open } = requestStates.states[status]
    const writes = may(session.privileges, 'communication_management', 'update')
    const isMerged = merged_into !== null
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
        place: row.place,
        position: row.lat === null || row.lon === null ? null : { lat: row.lat, lon: row.lon },
        name: row.name,
        email: row.email,
        phone: row.phone,
        personId: row.person_id,
        dueAt: row.due_at.toISOString(),
        late: row.due_at < (row.closed_at ?? house.clock.now()),
        closedAt: row.closed_at?.toISOString() ?? null,
        spam: is_spam,
        answers: await answersInWords(tx, company.id, row),
        followers: await followersOf(tx, row),
        verdict: await verdictOf(tx, row),
        mergedInto: (await these(tx, company.id, sql`r.id = ${merged_into}`))[0] ?? null,
        merged: await these(tx, company.id, sql`r.merged_into = ${row.id}`),
        splits: await these(tx, company.id, sql`r.id = ${row.split_from} OR r.split_from = ${row.id}`),
        workOrders: (await ordersOf(tx, company.id, { kind: SOURCE, id: row.id })).map((order) => ({
          ...order,
          status: translated(orderStates.labels[order.status]),
        })),
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
        openWorkOrder: may(session.privileges, 'communication_management', 'create') && open === true,
      },
    }
  }),
)

const followersOf = async (tx: Tx, { company_id, id }: Request): Promise<number> => {
  const { n } = await tx
    .selectFrom('request_follower')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('company_id', '=', company_id)
    .where('request_id', '=', id)
    .where('verified_at', 'is not', null)
    .where('stopped_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** What whoever asked said of the last repair; one of a repair before it counts no more. */
async function verdictOf(tx: Tx, { company_id, id }: Request) {
  const said = await tx
    .selectFrom('request_verdict')
    .select(['is_mended', 'words', 'at'])
    .where('company_id', '=', company_id)
    .where('request_id', '=', id)
    .orderBy('at', 'desc')
    .executeTakeFirst()
  return said ? { mended: said.is_mended === 1, words: said.words, at: said.at.toISOString() } : null
}

/** At most so many others stand beside a request. */
const MOST_OTHERS = 50

/** Other requests of the town, of `r`. */
async function these(tx: Tx, company: CompanyId, condition: ReturnType<typeof sql>): Promise<OtherRequest[]> {
  const { rows } = await sql<Request>`
    SELECT * FROM service_request r WHERE r.company_id = ${company} AND (${condition}) ORDER BY r.id LIMIT ${MOST_OTHERS}`.execute(
    tx,
  )
  return rows.map(shownOther)
}

export const shownOther = ({ id, title, place, created_at, status }: Request): OtherRequest => ({
  id,
  number: numberOf(id),
  title,
  place,
  at: created_at.toISOString(),
  status,
})

export const deskCategoriesCall = implement(deskCategories, (call) =>
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
