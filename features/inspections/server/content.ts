import { sql } from 'kysely'
import { defineContent, lastEditOf } from '../../../server/contents.ts'
import { say, translated } from '../../../shared/messages.ts'
import {
  addTemplate,
  publishTemplateItems,
  saveTemplate,
  saveTemplateItems,
  type TemplateForm,
  templateForm,
} from '../contract.ts'
import { LOCATION } from '../rules.ts'
import { subjectKinds, subjectOf } from './subjects.ts'
import { formOf, templateCalls, templateOf } from './templates.ts'

/** Returns a kind of subjects that the portal has. Files may name others. */
export const existingSubject = (kind: string): string => (subjectOf(kind) ? kind : LOCATION)

export const templateContent = defineContent({
  kind: 'inspection-template',
  label: 'Inspection templates',
  area: 'inspections',
  permission: 'delete',
  calls: templateCalls,
  names: { table: 'inspection_template', column: 'name', maxLength: 120 },
  settings: {
    name: 'Name',
    subjectKind: 'Subject type',
    everyMonths: 'Months between inspections',
    certificate: 'Certificate',
  },
  texts: {
    subjectKind: (value: string) => {
      const subject = subjectKinds().find(({ kind }) => kind === value)
      return subject ? translated(subject.label) : say`Location`
    },
  },
  usual: { subjectKind: LOCATION, everyMonths: null, certificate: '', isActive: false },
  schema: templateForm,
  async read(tx, company, id) {
    const template = await templateOf(tx, company, id)
    return { form: formOf(template), fieldSet: template.field_set_id, departmentId: null }
  },
  async create({ run }, settings) {
    const form = settings as TemplateForm
    const subjectKind = existingSubject(form.subjectKind)
    return (await run(addTemplate, { ...form, subjectKind, isActive: false })).templateId
  },
  save: (run, templateId, form, basis) => run(saveTemplate, { ...(form as TemplateForm), templateId, basis }),
  questions: { save: saveTemplateItems, publish: publishTemplateItems, of: (templateId) => ({ templateId }) },
  listed: sql`
    SELECT r.company_id, r.id, r.name AS title, ${lastEditOf(sql`'inspection_template ' || r.id`)} AS changed_at
    FROM inspection_template r WHERE r.is_active = 1`,
  path: (id) => `/municipality/inspections?tab=templates&template=${id}`,
})
