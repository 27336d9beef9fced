import { dateIn } from '../../../shared/dates.ts'
import { defineUnique } from '../../../server/db/unique.ts'
import type { Definition } from '../../../shared/fields/definition.ts'
import { blankStep } from '../../../shared/fields/blank.ts'
import { allFields } from '../../../shared/fields/walk.ts'
import { may } from '../../../shared/privileges.ts'
import { say, translated } from '../../../shared/messages.ts'
import { type Call, implement, signedIn } from '../../../server/call.ts'
import { applyEdit, editBy } from '../../../server/edits.ts'
import { notFound, rejected } from '../../../server/errors.ts'
import { publishFields, saveFields, type CompanyFieldSetContext, workOf } from '../../../server/fields/calls.ts'
import { createFieldSet, readFieldSet } from '../../../server/fields/sets.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import {
  addTemplate,
  publishTemplateItems,
  returnInspectionOptions,
  returnTemplate,
  saveTemplate,
  saveTemplateItems,
  type TemplateForm,
} from '../contract.ts'
import { LOCATION } from '../rules.ts'
import { subjectKinds, subjectOf } from './subjects.ts'
import { changeRow } from '../../../server/db/rows.ts'

/** Value of `kind` in `field_set` for inspection items. */
export const ITEMS_KIND = 'inspection'

export async function templateOf(tx: Tx, company: CompanyId, id: number, { locked = false } = {}) {
  const query = tx.selectFrom('inspection_template').selectAll().where('company_id', '=', company).where('id', '=', id)
  const row = await (locked ? query.forNoKeyUpdate() : query).executeTakeFirst()
  if (!row) throw notFound('This template was not found.')
  return row
}

const rowOf = (form: TemplateForm) => ({
  name: form.name,
  subject_kind: form.subjectKind,
  every_months: form.everyMonths,
  certificate: form.certificate,
  is_active: form.isActive ? (1 as const) : (0 as const),
})

function refuseUnknownKind(kind: string): void {
  const errorText = say`Choose a subject type.`
  if (kind !== LOCATION && !subjectOf(kind)) throw rejected(errorText, { subjectKind: errorText })
}

defineUnique({
  index: 'inspection_template_name_once',
  field: 'name',
  message: 'A template with this name already exists.',
})

const addCall = implement(addTemplate, (call) => {
  const { companyId: _named, ...form } = call.body
  const company = call.company.id
  refuseUnknownKind(form.subjectKind)
  return call.inCompany(async (tx) => {
    const work = workOf(call, tx)
    const field_set_id = await createFieldSet(work, ITEMS_KIND, { name: form.name, steps: [blankStep('item1')] })
    const { id } = await tx
      .insertInto('inspection_template')
      .values({ company_id: company, ...rowOf(form), field_set_id })
      .returning('id')
      .executeTakeFirstOrThrow()
    const subject = { kind: 'inspection_template' as const, id }
    await call.audit(tx, { action: 'inspection.template_added', subject, detail: { ...form } })
    return { success: true as const, message: say`“${form.name}” was added. Now add its items.`, templateId: id }
  })
})

const saveCall = implement(saveTemplate, (call) => {
  const { companyId: _named, templateId, basis, ...own } = call.body
  const company = call.company.id
  refuseUnknownKind(own.subjectKind)
  return call.inCompany(async (tx) => {
    const template = await templateOf(tx, company, templateId, { locked: true })
    const before = formOf(template)
    const subject = `inspection_template ${templateId}`
    const edit = editBy(tx, call, subject)
    const { after, isChanged } = await applyEdit<TemplateForm>(edit, { basis, own, before })
    if (isChanged) {
      await changeRow(tx, 'inspection_template', company, templateId, rowOf(after))
      await call.audit(tx, {
        action: 'inspection.template_changed',
        subject: { kind: 'inspection_template', id: templateId },
        detail: { before, after },
      })
    }
    return { success: true as const, message: say`“${after.name}” saved.` }
  })
})

export const formOf = (row: Awaited<ReturnType<typeof templateOf>>): TemplateForm => ({
  name: row.name,
  subjectKind: row.subject_kind,
  everyMonths: row.every_months,
  certificate: row.certificate,
  isActive: row.is_active === 1,
})

const mayGovern = (call: Call): boolean => may(signedIn(call).privileges, 'inspections', 'delete')
const subjectKindOptions = () => subjectKinds().map(({ kind, label }) => ({ kind, label: translated(label) }))

const returnCall = implement(returnTemplate, (call) =>
  call.reading(async (tx) => {
    const template = await templateOf(tx, call.company.id, call.body.templateId)
    const { draft, latestVersion } = await readFieldSet(workOf(call, tx), template.field_set_id)
    return {
      id: template.id,
      form: formOf(template),
      draft,
      latestVersion,
      today: dateIn(call.company.timeZone, call.context.clock.now()),
      subjects: subjectKindOptions(),
      can: { edit: mayGovern(call) },
    }
  }),
)

const itemsOf =
  (templateId: number) =>
  async ({ tx, company }: CompanyFieldSetContext) => {
    const { name, field_set_id } = await templateOf(tx, company, templateId)
    return { name, set: field_set_id }
  }

const saveItemsCall = implement(saveTemplateItems, (call) => saveFields(call, itemsOf(call.body.templateId)))

const publishCall = implement(publishTemplateItems, (call) =>
  publishFields(call, itemsOf(call.body.templateId), refuseUnfit),
)

/** Refuses file fields, and steps without a title. The general field rules apply too. */
function refuseUnfit(draft: Definition): void {
  const file = allFields(draft).find(({ type }) => type === 'file')
  if (file)
    throw rejected(say`“${file.label}” asks for a file. Staff can already add photos to each item. Remove this field.`)
  const untitled = draft.steps.findIndex(({ title }) => title.trim() === '')
  if (untitled >= 0) throw rejected(say`Step ${untitled + 1} has no title. Enter a title to name the item.`)
}

const optionsCall = implement(returnInspectionOptions, (call) =>
  call.reading(async (tx) => {
    const company = call.company.id
    const templates = await tx
      .selectFrom('inspection_template as t')
      .innerJoin('field_set as f', (on) =>
        on.onRef('f.company_id', '=', 't.company_id').onRef('f.id', '=', 't.field_set_id'),
      )
      .select(['t.id', 't.name', 't.subject_kind as subjectKind'])
      .where('t.company_id', '=', company)
      .where('t.is_active', '=', 1)
      .where('f.latest_version', '>', 0)
      .orderBy('t.name')
      .execute()
    const subjects = await Promise.all(
      subjectKindOptions().map(async ({ kind, label }) => ({
        kind,
        label,
        items: (await subjectOf(kind)?.list(tx, company)) ?? [],
      })),
    )
    const can = {
      schedule: may(signedIn(call).privileges, 'inspections', 'create'),
      govern: mayGovern(call),
    }
    return { templates, subjects, can }
  }),
)

export const templateCalls = [addCall, saveCall, returnCall, saveItemsCall, publishCall, optionsCall]
