import { implement } from '../../../server/call.ts'
import { changeRow } from '../../../server/db/rows.ts'
import { editBy, mergeEdit, recordChanges } from '../../../server/edits.ts'
import { conflict, rejected } from '../../../server/errors.ts'
import { actorOf, recordCreation } from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { same } from '../../../shared/edits.ts'
import { say } from '../../../shared/messages.ts'
import { type AlertForm, alertForm, removeAlert, saveAlert, writeAlert } from '../contract-staff.ts'
import type { AlertText } from '../rules.ts'
import { areaOf, areaTextOf } from './alert-area.ts'
import { formOf, rowOf } from './alert-form.ts'
import { type Alert, alertStateStore, lockAlert } from './alerts.ts'

/**
 * Locks a draft.
 * @throws 409 if the alert is not a draft
 */
export async function lockDraft(tx: Tx, company: CompanyId, id: number): Promise<Alert> {
  const row = await lockAlert(tx, company, id)
  if (row.status !== 'draft')
    throw conflict('wrong_status', say`Alert ${row.number} is no longer a draft, so you cannot change it.`)
  return row
}

export const writeCall = implement(writeAlert, (call) =>
  call.inCompany(async (tx) => {
    const company = call.company.id
    const now = call.context.clock.now()
    const { id, number } = await tx
      .insertInto('alert')
      .values({ ...(await rowOf(tx, call, call.body.form)), company_id: company, status: 'draft', created_at: now })
      .returning(['id', 'number'])
      .executeTakeFirstOrThrow()
    const detail = { headline: call.body.form.en.headline }
    await recordCreation(tx, alertStateStore, {
      scope: company,
      id,
      number,
      event: 'write',
      actor: actorOf(call),
      detail,
    })
    return { success: true as const, message: say`Draft alert ${number} created.`, alertId: id }
  }),
)

/**
 * Returns both versions of a field as text for an edit conflict. The field is the text in one language, or the area.
 * Empty for other fields.
 */
function editSideText(
  field: string,
  { others, own }: Record<'others' | 'own', AlertText>,
  areas: Record<'others' | 'own', string>,
) {
  if (field === 'area') return { label: say`Recipients`, texts: areas }
  if (field !== 'en' && field !== 'es') return {}
  const label = field === 'en' ? say`In English` : say`In Spanish`
  const lines = (of: AlertText) => [of.headline, of.description, of.instruction].filter(Boolean).join('\n')
  return { label, texts: { others: lines(others), own: lines(own) } }
}

export const saveCall = implement(saveAlert, (call) => {
  const { alertId, form, basis } = call.body
  const { id: company, timeZone } = call.company
  return call.inCompany(async (tx) => {
    const row = await lockDraft(tx, company, alertId)
    const before = formOf(row, timeZone)
    const edit = editBy(tx, call, `alert ${alertId}`)
    const areas = {
      others: row.area_text || say`Everyone`,
      own: (await areaTextOf(tx, company, areaOf(form.area))) || say`Everyone`,
    }
    const after = await mergeEdit<AlertForm>(edit, {
      ...{ basis, own: form, now: { ...before } },
      labelsOf: (field, others, own) =>
        editSideText(field, { others: others as AlertText, own: own as AlertText }, areas),
    })
    const checked = alertForm.safeParse(after)
    if (!checked.success) {
      const [issue] = checked.error.issues
      throw rejected(issue?.message ?? '', { [issue?.path.join('.') ?? '']: issue?.message ?? '' })
    }
    if (!same(before, after)) {
      await changeRow(tx, 'alert', company, alertId, await rowOf(tx, call, after, row))
      await recordChanges(edit, { ...before }, { ...after })
      await call.audit(tx, {
        action: 'alert.changed',
        subject: { kind: 'alert', id: row.number },
        detail: { before, after },
      })
    }
    return { success: true as const, message: say`Alert ${row.number} saved.` }
  })
})

export const removeCall = implement(removeAlert, (call) =>
  call.inCompany(async (tx) => {
    const company = call.company.id
    const row = await lockDraft(tx, company, call.body.alertId)
    // Keeps the received messages of this alert, but removes their link to it.
    await tx
      .updateTable('alert_received')
      .set({ alert_id: null })
      .where('company_id', '=', company)
      .where('alert_id', '=', row.id)
      .execute()
    await tx.deleteFrom('alert').where('company_id', '=', company).where('id', '=', row.id).execute()
    await call.audit(tx, {
      action: 'alert.removed',
      subject: { kind: 'alert', id: row.number },
      detail: { headline: row.content.en.headline },
    })
    return { success: true as const, message: say`Alert ${row.number} removed.` }
  }),
)
