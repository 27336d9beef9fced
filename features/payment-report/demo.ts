import type { Clock } from '../../server/clock.ts'
import type { DemoPart } from '../../server/demo.ts'
import { type CompanyId, tenancyOn, type Tx } from '../../server/tenancy.ts'
import { roles } from '../../shared/privileges.ts'
import { paymentReport } from './list.ts'

/** Saved views of the report, for staff and administrators. */
const views = [
  { roleId: roles.municipalityStaff, name: 'Refunds last month', query: 'status=3&dates=last-month' },
  { roleId: roles.municipalityStaff, name: 'eChecks this month', query: 'method=2&dates=month' },
  { roleId: roles.municipalityAdmin, name: 'Fiscal year by method', query: 'group=method&dates=fiscal-year' },
]

async function addSavedViews(tx: Tx, clock: Clock, company: CompanyId): Promise<void> {
  for (const { roleId, name, query } of views) {
    const person = await tx
      .selectFrom('person')
      .select('id')
      .where('company_id', '=', company)
      .where('role_id', '=', roleId)
      .orderBy('id')
      .executeTakeFirst()
    if (!person) continue
    await tx
      .insertInto('saved_view')
      .values({
        company_id: company,
        person_id: person.id,
        list: paymentReport.path,
        name,
        query,
        created_at: clock.now(),
      })
      .execute()
  }
}

export const demo: DemoPart = {
  company: ({ db, clock }, _demoCompany, { company }) =>
    tenancyOn(db.app)(company, (tx) => addSavedViews(tx, clock, company)),
}
