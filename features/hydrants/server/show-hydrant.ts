import { sql } from 'kysely'
import { addMonths, dateIn } from '../../../shared/dates.ts'
import { buttonsFrom } from '../../../shared/machine.ts'
import { may } from '../../../shared/privileges.ts'
import { translated } from '../../../shared/words.ts'
import { implement, signedIn } from '../../../server/call.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { returnHydrant } from '../contract.ts'
import { inspectionStatus } from '../rules.ts'
import { hydrantStates } from '../states.ts'
import { testsOf } from './flow-tests.ts'
import { findHydrant, formOf, type Hydrant } from './hydrants.ts'
import { nextInspectionOf } from './inspected.ts'
import { settingsOf } from './settings.ts'
import { ordersOnHydrant } from './worked-on.ts'

export const showHydrantCall = implement(returnHydrant, (call) =>
  call.reading(async (tx) => {
    const company = call.company.id
    const hydrant = await findHydrant(tx, company, call.body.hydrantId)
    const [tests, history, { flowTestYears }, scheduled, orders] = await Promise.all([
      testsOf(tx, company, hydrant.id),
      historyOf(tx, company, hydrant.id),
      settingsOf(tx, company),
      nextInspectionOf(tx, company, hydrant.id),
      ordersOnHydrant(tx, company, hydrant.id),
    ])
    const { privileges } = signedIn(call)
    const today = dateIn(call.company.timeZone, call.house.clock.now())
    const mayChange = may(privileges, 'communication_management', 'update')
    return {
      id: hydrant.id,
      form: formOf(hydrant),
      status: inspectionStatus(hydrant.next_inspection_on, today),
      service: hydrant.service,
      serviceReason: hydrant.service_reason,
      serviceSince: hydrant.service_since.toISOString(),
      testedOn: hydrant.tested_on ?? '',
      availableGpm: hydrant.available_gpm,
      flowClass: hydrant.flow_class,
      nextTestOn: hydrant.tested_on ? addMonths(hydrant.tested_on, 12 * flowTestYears) : '',
      scheduled,
      orders,
      tests,
      history,
      can: {
        edit: mayChange,
        inspect: hydrant.service !== 'retired' && may(privileges, 'communication_management', 'create'),
        test: mayChange && hydrant.service !== 'retired',
        steps: buttonsFrom(hydrantStates, hydrant.service, { as: 'staff', privileges }),
      },
    }
  }),
)

async function historyOf(tx: Tx, company: CompanyId, id: number) {
  const { rows } = await sql<{ at: Date; to_state: Hydrant['service']; actor_name: string; reason: string }>`
    SELECT at, to_state, actor_name, reason FROM status_history
    WHERE company_id = ${company} AND machine = ${hydrantStates.name} AND subject_id = ${id} ORDER BY seq DESC`.execute(
    tx,
  )
  return rows.map(({ at, to_state, actor_name, reason }) => ({
    at: at.toISOString(),
    label: translated(hydrantStates.labels[to_state]),
    by: actor_name,
    reason,
  }))
}
