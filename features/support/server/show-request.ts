import { sql } from 'kysely'
import { implement, signedIn } from '../../../server/call.ts'
import { viewOf } from '../../../server/cases/timeline.ts'
import { notFound } from '../../../server/errors.ts'
import { buttonsFrom } from '../../../shared/machine.ts'
import { addressLine } from '../../../shared/address.ts'
import { supportRequest } from '../contract.ts'
import { numberOf } from '../rules.ts'
import { requestStates } from '../states.ts'
import { type Request, supportRequests } from './case.ts'
import { replyStatus, subjectOf } from './row.ts'

/** Loads a request with its timeline. */
export const showRequestCall = implement(supportRequest, (call) => {
  const { context, company, body } = call
  return context.acrossCompanies(async (tx) => {
    const { rows } = await sql<Request & { company: string; replyStatus: 'not yet' | 'yes' | 'wrote again' }>`
      SELECT r.*, c.name AS company, ${replyStatus} AS "replyStatus" FROM support_request r JOIN company c ON c.id = r.company_id
      WHERE r.company_id = ${company.id} AND r.id = ${body.subjectId}`.execute(tx)
    const row = rows[0]
    if (!row) throw notFound(supportRequests.texts.notFound)
    const session = signedIn(call)
    const view = await viewOf(tx, supportRequests, row, session)
    const steps = buttonsFrom(requestStates, row.status, { as: 'staff', privileges: session.privileges })
    return {
      ...view,
      request: {
        id: row.id,
        number: numberOf(row.id),
        companyId: row.company_id,
        company: row.company,
        at: row.created_at.toISOString(),
        updatedAt: row.updated_at.toISOString(),
        status: row.status,
        category: row.category,
        name: row.name,
        email: row.email,
        subject: subjectOf(row.message),
        replyStatus: row.replyStatus,
        phone: row.phone,
        accountNumber: row.account_number,
        personId: row.person_id,
        address: addressLine({ address1: row.address, city: row.city, state: row.state, zipcode: row.zipcode }),
        closedAt: row.closed_at?.toISOString() ?? null,
      },
      can: { ...view.can, steps },
    }
  })
})
