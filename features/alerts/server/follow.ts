import { implement } from '../../../server/call.ts'
import { conflict, rejected } from '../../../server/errors.ts'
import { actorOf, recordCreation } from '../../../server/states.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { say } from '../../../shared/messages.ts'
import { followAlert } from '../contract-staff.ts'
import { type AlertTexts, PAST } from '../rules.ts'
import { instantOf, textsOf } from './alert-form.ts'
import { type Alert, alertStateStore, lockAlert } from './alerts.ts'
import { type AlertWriter, blankLeft, staffKeyOf, submitDraft } from './submit.ts'

interface AlertChange {
  kind: 'update' | 'cancel' | 'all_clear'
  content: AlertTexts
  expires_at: Date
  severity: Alert['severity']
  /** Key of the author: kind of staff and person id. Empty if the portal released the alert automatically. */
  by: string
}

/**
 * Creates a follow-up to an active alert and submits it.
 * @returns its number, and true if it awaits approval
 */
export async function writeAlert(tx: Tx, { context, company, actor }: AlertWriter, first: Alert, change: AlertChange) {
  const now = context.clock.now()
  const { service_id, event, category, certainty, by_email, by_sms, by_call, on_pages } = first
  const { id, number } = await tx
    .insertInto('alert')
    .values({
      ...{ service_id, event, category, certainty, by_email, by_sms, by_call, on_pages, expires_at: change.expires_at },
      severity: change.severity,
      urgency: change.kind === 'update' ? first.urgency : PAST,
      company_id: company.id,
      status: 'draft',
      kind: change.kind,
      about_id: first.id,
      content: JSON.stringify(change.content),
      area: JSON.stringify(first.area),
      area_text: first.area_text,
      created_at: now,
      edited_at: now,
    })
    .returning(['id', 'number'])
    .executeTakeFirstOrThrow()
  const detail = { about: first.number, kind: change.kind, headline: change.content.en.headline }
  await recordCreation(tx, alertStateStore, { scope: company.id, id, number, event: 'write', actor, detail })
  const waits = await submitDraft(tx, { context, company, actor }, await lockAlert(tx, company.id, id), {
    by: change.by,
  })
  return { id, number, waits }
}

export const followCall = implement(followAlert, (call) => {
  const { alertId, form } = call.body
  return call.inCompany(async (tx) => {
    const { context, company } = call
    const now = context.clock.now()
    const first = await lockAlert(tx, company.id, alertId)
    if (first.kind !== 'alert' || (first.status !== 'sent' && first.status !== 'updated'))
      throw conflict('wrong_status', say`Alert ${first.number} is not active, so you cannot send an update.`)
    const expires_at = instantOf(company.timeZone, form.expiresAt) ?? first.expires_at
    if (form.kind === 'update' && expires_at <= now) {
      const endsTooEarly = say`The alert would end before it is sent. Choose a later end time.`
      throw rejected(endsTooEarly, { expiresAt: endsTooEarly })
    }
    const texts = textsOf(form)
    const blank = blankLeft(texts)
    if (blank) throw blank
    const change = { kind: form.kind, content: texts, expires_at, severity: first.severity, by: staffKeyOf(call) }
    const { id, number, waits } = await writeAlert(tx, { context, company, actor: actorOf(call) }, first, change)
    return {
      success: true as const,
      message: waits
        ? say`Alert ${number} is awaiting approval.`
        : say`Alert ${number} is being sent to the recipients of alert ${first.number}.`,
      alertId: id,
    }
  })
})
