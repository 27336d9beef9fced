import { implement } from '../../../server/call.ts'
import { changeRow, hasRow, rowFinderById } from '../../../server/db/rows.ts'
import { defineUnique } from '../../../server/db/unique.ts'
import { applyEdit, editBy } from '../../../server/edits.ts'
import { notFound, rejected } from '../../../server/errors.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { say } from '../../../shared/messages.ts'
import { removeAlertTemplate, saveAlertTemplate, type TemplateForm } from '../contract-staff.ts'

const templates = rowFinderById('alert_template', () => notFound('This template was not found.'))
type Row = Awaited<ReturnType<typeof templates.find>>

const formOf = ({ name, service_id, content }: Row): TemplateForm => ({
  ...(content as Omit<TemplateForm, 'name' | 'serviceId'>),
  name,
  serviceId: service_id === null ? '' : String(service_id),
})

export const rowOf = ({ name, serviceId, ...content }: TemplateForm) => ({
  name,
  service_id: serviceId === '' ? null : Number(serviceId),
  content: JSON.stringify(content),
})

defineUnique({
  index: 'alert_template_name_once',
  field: 'name',
  message: 'A template with this name already exists.',
})

/** Maximum number of templates in the list, more than any company needs. */
const MAX_TEMPLATES = 200

export async function listTemplates(tx: Tx, company: CompanyId): Promise<{ id: number; form: TemplateForm }[]> {
  const rows = await tx
    .selectFrom('alert_template')
    .selectAll()
    .where('company_id', '=', company)
    .orderBy('name')
    .limit(MAX_TEMPLATES)
    .execute()
  return rows.map((row) => ({ id: row.id, form: formOf(row) }))
}

const NO_SERVICE = 'This service was not found. Choose another one.'
async function expectService(tx: Tx, company: CompanyId, { serviceId }: TemplateForm): Promise<void> {
  if (serviceId !== '' && !(await hasRow(tx, 'alert_service', { company_id: company, id: Number(serviceId) })))
    throw rejected(NO_SERVICE, { serviceId: NO_SERVICE })
}

/** Adds or changes a template. Alerts that staff started with it do not change. */
export const saveTemplateCall = implement(saveAlertTemplate, (call) => {
  const { companyId: _named, templateId, basis, ...own } = call.body
  const company = call.company.id
  return call.inCompany(async (tx) => {
    if (templateId === null) {
      await expectService(tx, company, own)
      const { id } = await tx
        .insertInto('alert_template')
        .values({ company_id: company, ...rowOf(own) })
        .returning('id')
        .executeTakeFirstOrThrow()
      await call.audit(tx, { action: 'alert.template_saved', detail: { name: own.name } })
      return { success: true as const, message: say`“${own.name}” added.`, templateId: id }
    }
    const before = formOf(await templates.lock(tx, company, templateId))
    const edit = editBy(tx, call, `alert_template ${templateId}`)
    const { after, isChanged } = await applyEdit<TemplateForm>(edit, { basis, own, before })
    if (isChanged) {
      await expectService(tx, company, after)
      await changeRow(tx, 'alert_template', company, templateId, rowOf(after))
      await call.audit(tx, { action: 'alert.template_saved', detail: { before, after } })
    }
    return { success: true as const, message: say`“${after.name}” saved.`, templateId }
  })
})

export const removeTemplateCall = implement(removeAlertTemplate, (call) => {
  const { templateId } = call.body
  const company = call.company.id
  return call.inCompany(async (tx) => {
    const { name } = await templates.lock(tx, company, templateId)
    await tx.deleteFrom('alert_template').where('company_id', '=', company).where('id', '=', templateId).execute()
    await call.audit(tx, { action: 'alert.template_removed', detail: { name } })
    return { success: true as const, message: say`“${name}” was removed.` }
  })
})
