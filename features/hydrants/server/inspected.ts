import { addMonths } from '../../../shared/dates.ts'
import { say } from '../../../shared/messages.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { scheduledFor, defineInspectionSubject } from '../../inspections/api.ts'
import { HYDRANT, HYDRANTS_PATH } from '../rules.ts'
import { lockHydrant } from './hydrants.ts'
import { settingsOf } from './settings.ts'
import { locationFromRow } from '../../../server/places/stored-location.ts'

/** Hydrants as inspection subjects. The result of an inspection sets a hydrant's last and next inspection day. */
const subject = defineInspectionSubject({
  kind: HYDRANT,
  label: 'Hydrant',
  list: async (tx, company) => {
    const rows = await tx
      .selectFrom('hydrant')
      .select(['id', 'number', 'location'])
      .where('company_id', '=', company)
      .where('service', '<>', 'retired')
      .orderBy('number')
      .limit(5000)
      .execute()
    return rows.map(({ id, number, location }) => ({ id, name: location ? `${number}, ${location}` : number }))
  },
  find: async (tx, company, id) => {
    const row = await tx
      .selectFrom('hydrant')
      .selectAll()
      .where('company_id', '=', company)
      .where('id', '=', id)
      .where('service', '<>', 'retired')
      .executeTakeFirst()
    return row ? { name: say`Hydrant ${row.number}`, location: locationFromRow(row) } : null
  },
  path: (id) => `${HYDRANTS_PATH}?hydrant=${id}`,
  /** A hydrant that fails remains due. The result of its re-inspection sets the next inspection day. */
  onFinished: async (tx, call, { subjectId, number: inspection, on, hasPassed, everyMonths }) => {
    const company = call.company.id
    const { number } = await lockHydrant(tx, company, subjectId)
    const months = everyMonths ?? (await settingsOf(tx, company)).inspectionMonths
    const next = hasPassed ? { next_inspection_on: addMonths(on, months) } : {}
    await tx
      .updateTable('hydrant')
      .set({ last_inspected_on: on, ...next })
      .where('company_id', '=', company)
      .where('id', '=', subjectId)
      .execute()
    await call.audit(tx, {
      action: 'hydrant.inspected',
      subject: { kind: 'hydrant', id: number },
      detail: { inspection, passed: hasPassed, ...next },
    })
  },
})

export const nextInspectionOf = (tx: Tx, company: CompanyId, id: number) => scheduledFor(tx, company, subject.kind, id)
