import { type Call, implement } from '../../../server/call.ts'
import { malformed, rejected } from '../../../server/errors.ts'
import { createFieldSet, publishFieldSet, readFieldSet, saveFieldSet, type Work } from '../../../server/fields/sets.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { dateIn } from '../../../shared/dates.ts'
import { blankStep } from '../../../shared/fields/blank.ts'
import { type Definition, sketch } from '../../../shared/fields/definition.ts'
import { allFields } from '../../../shared/fields/walk.ts'
import { may } from '../../../shared/privileges.ts'
import { say } from '../../../shared/words.ts'
import { categoryFields, publishCategoryFields, saveCategoryFields } from '../contract-settings.ts'
import { type Category, readCategory } from './categories.ts'

/** What `field_set` calls the questions of requests. */
export const FIELDS_KIND = 'service_request'

const workOf = (call: Call, tx: Tx): Work => ({ tx, clock: call.house.clock, doer: call, company: call.company.id })
const blank = (): Definition => ({ steps: [blankStep('questions')] })

function read(sent: unknown): Definition {
  const parsed = sketch.safeParse(sent)
  if (!parsed.success) throw malformed(parsed.error.issues[0]?.message ?? 'These fields could not be read.')
  return parsed.data
}

/** The questions of a category; one that never had any gets an empty set. */
async function setOf(work: Work, { id, name, field_set_id }: Category): Promise<number> {
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
      today: dateIn(call.company.timeZone, call.house.clock.now()),
      can: { edit: may(call.session?.privileges ?? {}, 'communication_management', 'update') },
    }
  }),
)

export const saveCategoryFieldsCall = implement(saveCategoryFields, async (call) => {
  const { categoryId, definition, basis } = call.body
  const { steps } = read(definition)
  return call.inCompany(async (tx) => {
    const category = await readCategory(tx, call.company.id, categoryId, true)
    const work = workOf(call, tx)
    const { name } = category
    const made = basis === undefined ? undefined : { name, steps: read(basis).steps }
    const saved = await saveFieldSet(work, await setOf(work, category), { name, steps }, made)
    return { success: true as const, message: 'The draft is saved.', definition: { steps: saved.steps } }
  })
})

export const publishCategoryFieldsCall = implement(publishCategoryFields, async (call) => {
  const seen = read(call.body.definition)
  return call.inCompany(async (tx) => {
    const category = await readCategory(tx, call.company.id, call.body.categoryId, true)
    const work = workOf(call, tx)
    const set = await setOf(work, category)
    refuseFiles((await readFieldSet(work, set)).draft)
    const version = await publishFieldSet(work, set, seen)
    return { success: true as const, message: say`Version ${version} is published.`, version }
  })
})

/** Photos are asked of everybody, beside the description. */
function refuseFiles(draft: Definition): void {
  const file = allFields(draft).find(({ type }) => type === 'file')
  if (file)
    throw rejected(
      say`“${file.label}” asks for a file. Photos are asked for in each request already: remove the field.`,
    )
}
