import { locationFromRow } from '../../../server/places/stored-location.ts'
import { addMonths } from '../../../shared/dates.ts'
import { say } from '../../../shared/messages.ts'
import { defineInspectionSubject } from '../../inspections/api.ts'
import { RENTAL, RENTAL_SUBJECT, REPORT_PATH } from '../rules.ts'
import { findRegistration } from './registrations.ts'
import { settingsOf } from './settings.ts'

/** Defines inspections of rental properties. A passed inspection sets the due date of the next inspection. */
defineInspectionSubject({
  kind: RENTAL_SUBJECT,
  label: 'Rental property',
  list: async (tx, company) => {
    const rows = await tx
      .selectFrom('registration')
      .select(['id', 'number', 'name', 'location'])
      .where('company_id', '=', company)
      .where('kind', '=', RENTAL)
      .where('status', 'not in', ['rejected', 'ended'])
      .orderBy('number')
      .limit(5000)
      .execute()
    return rows.map(({ id, number, name, location }) => ({ id, name: `${number} ${name}, ${location}` }))
  },
  find: async (tx, company, id) => {
    const row = await tx
      .selectFrom('registration')
      .selectAll()
      .where('company_id', '=', company)
      .where('id', '=', id)
      .where('kind', '=', RENTAL)
      .where('status', 'not in', ['rejected', 'ended'])
      .executeTakeFirst()
    return row ? { name: say`Rental property ${row.number}`, location: locationFromRow(row) } : null
  },
  path: (id) => `${REPORT_PATH}?registration=${id}`,
  /** After a failed inspection, the property stays due until a re-inspection passes. */
  onFinished: async (tx, call, { subjectId, number: inspection, on, hasPassed, everyMonths }) => {
    const company = call.company.id
    const { number } = await findRegistration(tx, company, subjectId, { lock: true })
    const months = everyMonths ?? (await settingsOf(tx, company)).inspectionMonths
    const next = hasPassed ? { inspect_by: addMonths(on, months) } : {}
    if (hasPassed)
      await tx
        .updateTable('registration')
        .set(next)
        .where('company_id', '=', company)
        .where('id', '=', subjectId)
        .execute()
    await call.audit(tx, {
      action: 'registration.inspected',
      subject: { kind: 'registration', id: number },
      detail: { inspection, passed: hasPassed, ...next },
    })
  },
})
