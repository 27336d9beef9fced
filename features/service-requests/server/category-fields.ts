import { implement } from '../../../server/call.ts'
import { rejected } from '../../../server/errors.ts'
import { publishFields, saveFields, type CompanyFieldSetContext, workOf } from '../../../server/fields/calls.ts'
import { createFieldSet, readFieldSet } from '../../../server/fields/sets.ts'
import { dateIn } from '../../../shared/dates.ts'
import { blankStep } from '../../../shared/fields/blank.ts'
import type { Definition } from '../../../shared/fields/definition.ts'
import { allFields } from '../../../shared/fields/walk.ts'
import { may } from '../../../shared/privileges.ts'
import { say } from '../../../shared/messages.ts'
import { categoryFields, publishCategoryFields, saveCategoryFields } from '../contract-settings.ts'
import { type Category, readCategory } from './categories.ts'

/** Value of `kind` for request questions in the table `field_set`. */
export const FIELDS_KIND = 'service_request'

const blank = (): Definition => ({ steps: [blankStep('questions')] })

/** Returns the id of a category's field set. Creates an empty field set if the category has none. */
async function ensureFieldSet(work: CompanyFieldSetContext, { id, name, field_set_id }: Category): Promise<number> {
  if (field_set_id !== null) return field_set_id
  const made = await createFieldSet(work, FIELDS_KIND, { name, ...blank() })
  await work.tx
    .updateTable('request_category')
    .set({ field_set_id: made })
    .where('company_id', '=', work.company)
    .where('id', '=', id)
    .execute()
  return made
}

export const categoryFieldsCall = implement(categoryFields, (call) =>
  call.reading(async (tx) => {
    const { name, field_set_id } = await readCategory(tx, call.company.id, call.body.categoryId)
    const set = field_set_id === null ? null : await readFieldSet(workOf(call, tx), field_set_id)
    return {
      name,
      draft: set?.draft ?? blank(),
      latestVersion: set?.latestVersion ?? 0,
      today: dateIn(call.company.timeZone, call.context.clock.now()),
      can: { edit: may(call.session?.privileges ?? {}, 'requests', 'update') },
    }
  }),
)

const fieldsOf = (categoryId: number) => async (work: CompanyFieldSetContext) => {
  const category = await readCategory(work.tx, work.company, categoryId, true)
  return { name: category.name, set: await ensureFieldSet(work, category) }
}

export const saveCategoryFieldsCall = implement(saveCategoryFields, (call) =>
  saveFields(call, fieldsOf(call.body.categoryId)),
)

export const publishCategoryFieldsCall = implement(publishCategoryFields, (call) =>
  publishFields(call, fieldsOf(call.body.categoryId), refuseFiles),
)

/** Refuses file fields, because the request form already asks for photos. */
function refuseFiles(draft: Definition): void {
  const file = allFields(draft).find(({ type }) => type === 'file')
  if (file)
    throw rejected(say`“${file.label}” asks for a file. Each request already asks for photos. Remove this field.`)
}
