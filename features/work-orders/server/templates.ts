import { sql, type Selectable } from 'kysely'
import { say } from '../../../shared/messages.ts'
import { may } from '../../../shared/privileges.ts'
import { implement, signedIn } from '../../../server/call.ts'
import { implementCopy } from '../../../server/copies.ts'
import { changeRow, rowFinderById } from '../../../server/db/rows.ts'
import type { Schema } from '../../../server/db/schema.ts'
import { defineUnique } from '../../../server/db/unique.ts'
import { applyEdit, editBy } from '../../../server/edits.ts'
import { notFound } from '../../../server/errors.ts'
import { copyTemplate, linesOf, returnTemplate, saveTemplate, templateChoices, type TemplateForm } from '../contract.ts'
import { partsLabels } from './parts.ts'
import { expectAtWork } from './staff.ts'

type Template = Selectable<Schema['work_order_template']>

const { find: findTemplate, lock: lockTemplate } = rowFinderById('work_order_template', () =>
  notFound('This template was not found.'),
)

defineUnique({
  index: 'work_order_template_title_once',
  field: 'title',
  message: 'A template with this task already exists.',
})

export const returnTemplateCall = implement(returnTemplate, (call) =>
  call.reading(async (tx) => {
    const template = await findTemplate(tx, call.company.id, call.body.templateId)
    const edit = may(signedIn(call).privileges, 'work_orders', 'update')
    return { id: template.id, form: formOf(template), can: { edit } }
  }),
)

export const templateChoicesCall = implement(templateChoices, (call) =>
  call.reading(async (tx) => {
    const rows = await tx
      .selectFrom('work_order_template')
      .selectAll()
      .where('company_id', '=', call.company.id)
      .where('is_active', '=', 1)
      .orderBy(sql`lower(title) COLLATE "C"`)
      .execute()
    return { templates: rows.map((row) => ({ id: row.id, form: formOf(row) })) }
  }),
)

/** Creates or changes a template. The orders and plans that staff opened from it do not change. */
export const saveTemplateCall = implement(saveTemplate, (call) => {
  const { companyId: _named, templateId, basis, ...own } = call.body
  const { company } = call
  return call.inCompany(async (tx) => {
    if (templateId === null) {
      await expectAtWork(tx, company.id, { ...own, assignedTo: null })
      const { id } = await tx
        .insertInto('work_order_template')
        .values({ company_id: company.id, ...rowOf(own) })
        .returning('id')
        .executeTakeFirstOrThrow()
      await call.audit(tx, {
        action: 'work_template.made',
        subject: { kind: 'work_template', id },
        detail: { after: own },
      })
      return { success: true as const, message: say`Template “${own.title}” was created.`, templateId: id }
    }
    const template = await lockTemplate(tx, company.id, templateId)
    const before = formOf(template)
    const edit = editBy(tx, call, `work_template ${template.id}`)
    const { after, isChanged } = await applyEdit<TemplateForm>(edit, { basis, own, before, labelsOf: partsLabels })
    if (isChanged) {
      await expectAtWork(tx, company.id, { ...after, assignedTo: null }, { ...before, assignedTo: null })
      await changeRow(tx, 'work_order_template', company.id, template.id, rowOf(after))
      const subject = { kind: 'work_template' as const, id: template.id }
      await call.audit(tx, { action: 'work_template.changed', subject, detail: { before, after } })
    }
    return { success: true as const, message: say`Template “${after.title}” was saved.`, templateId: template.id }
  })
})

/** Copies a template. The copy is not in use. */
export const copyTemplateCall = implementCopy<Template>(copyTemplate, {
  read: findTemplate,
  names: { table: 'work_order_template', column: 'title', maxLength: 120 },
  nameOf: ({ title }) => title,
  audit: { action: 'work_template.made', subject: 'work_template' },
  async create({ tx, company, from, name }) {
    const columns = sql`company_id, description, kind, severity, checklist, minutes, parts, department_id, crew_id`
    const { rows } = await sql<{ id: number }>`
      INSERT INTO work_order_template (title, is_active, ${columns})
      SELECT ${name}, 0, ${columns} FROM work_order_template
      WHERE company_id = ${company} AND id = ${from} RETURNING id`.execute(tx)
    return rows[0]?.id ?? 0
  },
})

const rowOf = (form: TemplateForm) => ({
  title: form.title,
  description: form.description,
  kind: form.kind,
  severity: form.severity,
  checklist: linesOf(form.checklist),
  minutes: form.minutes,
  parts: JSON.stringify(form.parts),
  department_id: form.departmentId,
  crew_id: form.crewId,
  is_active: form.active ? (1 as const) : (0 as const),
})

const formOf = (template: Template): TemplateForm => ({
  title: template.title,
  description: template.description,
  kind: template.kind,
  severity: template.severity,
  departmentId: template.department_id,
  crewId: template.crew_id,
  minutes: template.minutes,
  parts: template.parts,
  checklist: template.checklist.join('\n'),
  active: template.is_active === 1,
})
