import { defineFieldPart } from '../../../server/field-parts.ts'
import { inspectionStatus } from '../rules.ts'
import { transitionHydrantCall, saveHydrantCall } from './change-hydrant.ts'
import { recordFlowTestCall } from './flow-tests.ts'
import { formOf } from './hydrants.ts'

/** Maximum number of hydrants that a phone downloads. Those with the earliest due inspections come first. */
const MAX_HYDRANTS = 300

/** Offline copy of the hydrants that are not retired, each with the data of its form. */
defineFieldPart({
  kind: 'hydrant',
  calls: [saveHydrantCall, transitionHydrantCall, recordFlowTestCall],
  copy: async (tx, call, { today }) => {
    const rows = await tx
      .selectFrom('hydrant')
      .selectAll()
      .where('company_id', '=', call.company.id)
      .where('service', '!=', 'retired')
      .orderBy('next_or_never')
      .orderBy('id')
      .limit(MAX_HYDRANTS)
      .execute()
    return rows.map((row) => ({
      id: row.id,
      form: formOf(row),
      status: inspectionStatus(row.next_inspection_on, today),
      service: row.service,
      serviceReason: row.service_reason,
      testedOn: row.tested_on ?? '',
      availableGpm: row.available_gpm,
      flowClass: row.flow_class,
    }))
  },
})
