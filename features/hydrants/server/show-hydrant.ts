import { addMonths, dateIn } from '../../../shared/dates.ts'
import { buttonsFrom } from '../../../shared/machine.ts'
import { may } from '../../../shared/privileges.ts'
import { implement, signedIn } from '../../../server/call.ts'
import { loadHistory } from '../../../server/states.ts'
import { returnHydrant } from '../contract.ts'
import { inspectionStatus } from '../rules.ts'
import { hydrantStates } from '../states.ts'
import { testsOf } from './flow-tests.ts'
import { findHydrant, formOf } from './hydrants.ts'
import { nextInspectionOf } from './inspected.ts'
import { settingsOf } from './settings.ts'
import { ordersOnHydrant } from './worked-on.ts'

export const showHydrantCall = implement(returnHydrant, (call) =>
  call.reading(async (tx) => {
    const company = call.company.id
    const hydrant = await findHydrant(tx, company, call.body.hydrantId)
    const [tests, history, { flowTestYears }, scheduled, orders] = await Promise.all([
      testsOf(tx, company, hydrant.id),
      loadHistory(tx, hydrantStates, company, hydrant.id),
      settingsOf(tx, company),
      nextInspectionOf(tx, company, hydrant.id),
      ordersOnHydrant(tx, company, hydrant.id),
    ])
    const { privileges } = signedIn(call)
    const today = dateIn(call.company.timeZone, call.context.clock.now())
    const mayChange = may(privileges, 'hydrants', 'update')
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
      history: history.toReversed(),
      can: {
        edit: mayChange,
        inspect: hydrant.service !== 'retired' && may(privileges, 'hydrants', 'create'),
        test: mayChange && hydrant.service !== 'retired',
        steps: buttonsFrom(hydrantStates, hydrant.service, { as: 'staff', privileges }),
      },
    }
  }),
)
