import { sql } from 'kysely'
import { implement } from '../../../server/call.ts'
import { versionOf } from '../../../server/fields/sets.ts'
import { pointOf, resolveLocation } from '../../../server/places/at-point.ts'
import { allFields } from '../../../shared/fields/walk.ts'
import { answerText } from '../../../shared/fields/labels.ts'
import { viewPremises } from '../../../shared/premises.ts'
import { say, translated } from '../../../shared/messages.ts'
import { forResponders, HOUSEHOLD, type Kind, kinds } from '../rules.ts'
import { openAnswers, type Registration } from './registrations.ts'

/**
 * Maximum distance of a registration from the reported location, in meters. Neighboring registrations are included,
 * because the emergency may be in the building behind that location.
 */
const NEAR_METRES = 30
const MAX_HOUSEHOLDS = 20
const SHARED: readonly string[] = [...forResponders, 'needs_words']

/**
 * Shows first responders the details that people at a location agreed to share. Adds an audit entry for each
 * registration before its content is sent.
 */
export const emergencyCall = implement(viewPremises, (call) =>
  call.inCompany(async (tx) => {
    const { company, context, body } = call
    const { metres, addressId, text } = await resolveLocation(tx, company.id, body.location)
    const near = metres ? sql`(r.at <-> ${pointOf(metres)}) <= ${NEAR_METRES}` : sql`false`
    const { rows } = await sql<Registration>`
      SELECT r.* FROM registration r
      WHERE r.company_id = ${company.id} AND r.for_responders AND r.status NOT IN ('rejected', 'ended')
        AND (r.address_id = ${addressId}::bigint OR ${near} OR lower(r.location) = lower(${text}))
      ORDER BY r.address_id IS DISTINCT FROM ${addressId}::bigint, r.kind, r.id LIMIT ${MAX_HOUSEHOLDS}`.execute(tx)
    const registrations = []
    for (const row of rows) {
      await call.audit(tx, {
        action: 'registration.viewed',
        subject: { kind: 'registration', id: row.number },
        detail: { number: row.number, location: row.location },
        person: row.person_id,
      })
      const { definition } = await versionOf({ tx, company: company.id }, row.field_set_id, row.version)
      const answers = openAnswers(context, row)
      const answerDetails = allFields(definition).flatMap((field) => {
        const answer = answers[field.name]
        if (!SHARED.includes(field.name) || answer === undefined) return []
        return [{ label: field.label, value: answerText(field, answer) }]
      })
      const counts =
        row.kind === HOUSEHOLD
          ? [
              { label: say`Number of people`, value: String(row.people) },
              { label: say`Number of pets`, value: String(row.pets) },
            ]
          : []
      const { id, number, name, location } = row
      const kind = translated(kinds[row.kind as Kind])
      registrations.push({ id, number, kind, name, location, details: [...counts, ...answerDetails] })
    }
    return { registrations }
  }),
)
