import { defineContentQuestions } from '../../../server/contents.ts'
import { implement } from '../../../server/call.ts'
import { changeRow } from '../../../server/db/rows.ts'
import { rejected } from '../../../server/errors.ts'
import { publishFields, saveFields, type CompanyFieldSetContext, workOf } from '../../../server/fields/calls.ts'
import { createFieldSet, readFieldSet } from '../../../server/fields/sets.ts'
import { dateIn } from '../../../shared/dates.ts'
import { blankStep } from '../../../shared/fields/blank.ts'
import type { Definition } from '../../../shared/fields/definition.ts'
import { allFields } from '../../../shared/fields/walk.ts'
import { may } from '../../../shared/privileges.ts'
import { say } from '../../../shared/messages.ts'
import { publishRentalFields, rentalFields, saveRentalFields } from '../contract-agreements.ts'
import { findResource, lockResource } from '../../rentals/api.ts'

/** `kind` of rental questions in the table `field_set`. */
export const FIELDS_KIND = 'rental_resource'

const blank = (): Definition => ({ steps: [blankStep('questions')] })

const showCall = implement(rentalFields, (call) =>
  call.reading(async (tx) => {
    const { company, context } = call
    const { name, field_set_id, has_questions } = await findResource(tx, company.id, call.body.resourceId)
    const set = field_set_id === null ? null : await readFieldSet(workOf(call, tx), field_set_id)
    return {
      name,
      hasQuestions: has_questions,
      draft: set?.draft ?? blank(),
      latestVersion: set?.latestVersion ?? 0,
      today: dateIn(company.timeZone, context.clock.now()),
      can: { edit: may(call.session?.privileges ?? {}, 'rentals', 'update') },
    }
  }),
)

/** Finds the field set of a resource. If the resource has none, creates an empty one. */
const fieldsOf = (resourceId: number) => async (work: CompanyFieldSetContext) => {
  const { name, field_set_id } = await lockResource(work.tx, work.company, resourceId)
  if (field_set_id !== null) return { name, set: field_set_id }
  const set = await createFieldSet(work, FIELDS_KIND, { name, ...blank() })
  await changeRow(work.tx, 'rental_resource', work.company, resourceId, { field_set_id: set })
  return { name, set }
}

const saveCall = implement(saveRentalFields, (call) => saveFields(call, fieldsOf(call.body.resourceId)))

const publishCall = implement(publishRentalFields, (call) =>
  publishFields(call, fieldsOf(call.body.resourceId), refuseUnfit),
)

/**
 * Refuses payment fields and file fields. The price comes only from the resource, and the only file is the certificate
 * of insurance.
 */
function refuseUnfit(draft: Definition): void {
  for (const field of allFields(draft)) {
    if (field.type === 'file')
      throw rejected(
        say`“${field.label}” asks for a file, but rental questions can't store files. Remove the field, or require a certificate of insurance instead.`,
      )
    if (field.type === 'payment' || (field.type === 'computed' && field.charged))
      throw rejected(
        say`“${field.label}” would add a charge. Only the resource's prices and add-ons can set the cost of a reservation.`,
      )
  }
}

export const fieldCalls = [showCall, saveCall, publishCall]

defineContentQuestions('rental-resource', {
  questions: { save: saveRentalFields, publish: publishRentalFields, of: (resourceId) => ({ resourceId }) },
  calls: [saveCall, publishCall],
})
