import type { Call } from '../../../server/call.ts'
import { rejected } from '../../../server/errors.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { dateIn, instantAt, timeIn } from '../../../shared/dates.ts'
import { same } from '../../../shared/edits.ts'
import { say } from '../../../shared/messages.ts'
import type { AlertForm } from '../contract-staff.ts'
import type { AlertText, AlertTexts } from '../rules.ts'
import { areaFormOf, areaOf, areaTextOf } from './alert-area.ts'
import type { Alert } from './alerts.ts'

/** Formats an instant in the company's time zone, as a form shows it. */
const companyTime = (timeZone: string, at: Date | null): string =>
  at === null ? '' : `${dateIn(timeZone, at)}T${timeIn(timeZone, at)}`
export const instantOf = (timeZone: string, local: string): Date | null =>
  local === '' ? null : instantAt(timeZone, local.slice(0, 10), local.slice(11))

const nothing: AlertText = { headline: '', description: '', instruction: '' }
export const textsOf = ({ en, es }: Pick<AlertForm, 'en' | 'es'>): AlertTexts =>
  es.headline === '' ? { en } : { en, es }

export const formOf = (row: Alert, timeZone: string): AlertForm => ({
  serviceId: String(row.service_id),
  event: row.event,
  category: row.category,
  severity: row.severity,
  urgency: row.urgency,
  certainty: row.certainty,
  en: row.content.en,
  es: row.content.es ?? nothing,
  byEmail: row.by_email,
  byText: row.by_sms,
  byCall: row.by_call,
  onPages: row.on_pages,
  area: areaFormOf(row.area),
  sendAt: companyTime(timeZone, row.send_at),
  expiresAt: companyTime(timeZone, row.expires_at),
})

/**
 * Returns the columns of an alert from a form. If `stored` is given, the alert may keep its inactive service. An
 * unchanged drawn area keeps its description, which may come from an external source.
 */
export async function rowOf(tx: Tx, call: Call, form: AlertForm, stored?: Alert) {
  const { id: company, timeZone } = call.company
  // A description from an external source stays until staff draw another area.
  const unchanged = stored?.area.kind === 'drawn' && same(form.area, areaFormOf(stored.area)) ? stored : null
  const area = areaOf(form.area)
  const service = await tx
    .selectFrom('alert_service')
    .select('id')
    .where('company_id', '=', company)
    .where('id', '=', Number(form.serviceId))
    .where(({ eb, or }) => or([eb('is_active', '=', true), eb('id', '=', stored?.service_id ?? 0)]))
    .executeTakeFirst()
  const gone = say`This service no longer exists. Choose another one.`
  if (!service) throw rejected(gone, { serviceId: gone })
  const now = call.context.clock.now()
  const sendAt = instantOf(timeZone, form.sendAt)
  const late = say`This time is in the past. Leave the field empty to send the alert immediately.`
  if (sendAt !== null && sendAt <= now) throw rejected(late, { sendAt: late })
  return {
    service_id: service.id,
    event: form.event,
    category: form.category,
    severity: form.severity,
    urgency: form.urgency,
    certainty: form.certainty,
    content: JSON.stringify(textsOf(form)),
    by_email: form.byEmail,
    by_sms: form.byText,
    by_call: form.byCall,
    on_pages: form.onPages,
    area: JSON.stringify(area),
    area_text: unchanged?.area_text ?? (await areaTextOf(tx, company, area)),
    send_at: sendAt,
    expires_at: instantOf(timeZone, form.expiresAt) ?? now,
    edited_at: now,
  }
}
