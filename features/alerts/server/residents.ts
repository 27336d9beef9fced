import { type RawBuilder, sql } from 'kysely'
import { bannersOf } from '../../../server/banners.ts'
import { implement, signedIn } from '../../../server/call.ts'
import type { AlertTexts } from '../../../server/db/column-types.ts'
import { recipientOf } from '../../../server/current-preview.ts'
import { notFound } from '../../../server/errors.ts'
import { readSmsSettings } from '../../../server/sms/settings.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { offersCalls } from '../../../server/voice/settings.ts'
import { say } from '../../../shared/messages.ts'
import { currentAlerts } from '../contract-banner.ts'
import { alertChoices, publicAlert, publicAlerts, saveAlertChoices, type AlertView } from '../contract.ts'
import { ALERT_SERVICE, type Kind, type Severity } from '../rules.ts'
import { ALERT_EVENT, addressesOfResidents } from './audience.ts'
import { outlineOfArea } from './audience.ts'
import { findAlert } from './alerts.ts'

/** Most severe first. */
const byGravity = sql`array_position(ARRAY['Extreme', 'Severe', 'Moderate', 'Minor', 'Unknown'], a.severity)`

/** Returns the latest text of each alert in force, for the banner of every page. */
export async function alertsInForce(tx: Tx, company: CompanyId, now: Date) {
  const { rows } = await sql<{ id: number; severity: string; content: AlertTexts; sentAt: Date }>`
    SELECT a.id, a.severity, coalesce(n.content, a.content) AS content, coalesce(n.sent_at, a.sent_at) AS "sentAt" FROM alert a
    LEFT JOIN LATERAL (
      SELECT content, sent_at FROM alert n
      WHERE n.company_id = ${company} AND n.about_id = a.id AND n.kind = 'update' AND n.sent_at IS NOT NULL ORDER BY n.id DESC LIMIT 1
    ) n ON true
    WHERE a.company_id = ${company} AND a.kind = 'alert' AND a.on_pages AND a.status IN ('sending', 'sent', 'updated')
      AND a.expires_at > ${now}
    ORDER BY ${byGravity}, a.id DESC LIMIT 5`.execute(tx)
  return rows.map(({ id, severity, content, sentAt }) => ({
    id,
    severity,
    headline: content.en.headline,
    headlineEs: content.es?.headline ?? '',
    sentAt: sentAt.toISOString(),
  }))
}

/** Returns the alerts and notices above each resident page. */
export const bannerOf = async (tx: Tx, company: CompanyId, now: Date) => ({
  alerts: await alertsInForce(tx, company, now),
  notices: await bannersOf(tx, company),
})

const currentCall = implement(currentAlerts, (call) =>
  call.reading((tx) => bannerOf(tx, call.company.id, call.context.clock.now())),
)

async function loadAlerts(tx: Tx, company: CompanyId, now: Date, which: RawBuilder<unknown>): Promise<AlertView[]> {
  const { rows } = await sql<{
    id: number
    number: string
    kind: Kind
    about_id: number | null
    service: string
    severity: Severity
    status: string
    content: AlertTexts
    area: { kind: string }
    area_text: string
    sent_at: Date
    expires_at: Date
  }>`
    SELECT a.id, a.number, a.kind, a.about_id, v.name AS service, a.severity, a.status, a.content, a.area, a.area_text, a.sent_at, a.expires_at
    FROM alert a JOIN alert_service v ON v.company_id = a.company_id AND v.id = a.service_id
    WHERE a.company_id = ${company} AND a.sent_at IS NOT NULL AND a.on_pages AND ${which}`.execute(tx)
  return rows.map((row) => ({
    id: row.id,
    number: row.number,
    kind: row.kind,
    aboutId: row.about_id,
    service: row.service,
    severity: row.severity,
    hasEnded: row.status === 'ended' || row.status === 'cancelled' || row.expires_at <= now,
    isCancelled: row.status === 'cancelled',
    content: row.content,
    areaText: row.area_text,
    sentAt: row.sent_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
  }))
}

const PAST = 20

const listCall = implement(publicAlerts, (call) =>
  call.reading(async (tx) => {
    const company = call.company.id
    const now = call.context.clock.now()
    const inForce = sql`(a.status IN ('sending', 'sent', 'updated') AND a.expires_at > ${now})`
    const before = call.body.before ?? null
    const older = before === null ? sql`` : sql`AND a.id < ${before}`
    const current =
      before === null
        ? await loadAlerts(
            tx,
            company,
            now,
            sql`a.kind = 'alert' AND ${inForce} ORDER BY ${byGravity}, a.id DESC LIMIT 50`,
          )
        : []
    const past = await loadAlerts(
      tx,
      company,
      now,
      sql`a.kind = 'alert' AND NOT ${inForce} ${older} ORDER BY a.id DESC LIMIT ${PAST + 1}`,
    )
    return { current, past: past.slice(0, PAST), more: past.length > PAST }
  }),
)

const oneCall = implement(publicAlert, (call) =>
  call.reading(async (tx) => {
    const company = call.company.id
    const now = call.context.clock.now()
    const { alertId } = call.body
    const [alert] = await loadAlerts(tx, company, now, sql`a.id = ${alertId}`)
    if (!alert) throw notFound(say`This alert was not found.`)
    const followUps = await loadAlerts(tx, company, now, sql`a.about_id = ${alertId} ORDER BY a.id DESC`)
    return { alert, followUps, outline: await outlineOfArea(tx, company, (await findAlert(tx, company, alertId)).area) }
  }),
)

const choicesCall = implement(alertChoices, (call) =>
  call.reading(async (tx) => {
    const company = call.company.id
    const { personId } = signedIn(call)
    const { rows } = await sql<{
      id: number
      type: number
      name: string
      email: boolean
      text: boolean
      call: boolean
    }>`
      SELECT v.id, v.type, v.name, coalesce(c.by_email, v.type = ${ALERT_SERVICE}) AS email, coalesce(c.by_sms, v.type = ${ALERT_SERVICE}) AS text,
        coalesce(c.by_call, v.type = ${ALERT_SERVICE}) AS call
      FROM alert_service v
      LEFT JOIN alert_choice c ON c.company_id = v.company_id AND c.service_id = v.id AND c.person_id = ${personId}
      WHERE v.company_id = ${company} AND v.is_active ORDER BY v.type, v.position, v.id`.execute(tx)
    const { rows: existing } = await sql<{
      language: 'en' | 'es'
      email: string
      emailOff: '' | 'off' | 'unconfirmed'
      textOff: '' | 'off' | 'none' | 'opted_out'
      phone: string
      callOff: '' | 'off' | 'none' | 'opted_out'
      callPhone: string
    }>`
      SELECT coalesce(r.language, 'en') AS language, p.email, coalesce(n.phone, '') AS phone,
        CASE WHEN p.active_email_alerts = 'i' THEN 'off' WHEN p.email_confirmed_at IS NULL THEN 'unconfirmed' ELSE '' END AS "emailOff",
        CASE WHEN n.phone IS NULL THEN 'none' WHEN s.phone IS NOT NULL THEN 'opted_out' WHEN p.active_phone_alerts = 'i' THEN 'off'
          ELSE '' END AS "textOff",
        coalesce(l.phone, '') AS "callPhone",
        CASE WHEN l.phone IS NULL THEN 'none' WHEN t.phone IS NOT NULL THEN 'opted_out' WHEN p.active_phone_alerts = 'i' THEN 'off'
          ELSE '' END AS "callOff"
      FROM person p
      LEFT JOIN alert_reader r ON r.company_id = p.company_id AND r.person_id = p.id
      LEFT JOIN sms_number n ON n.company_id = p.company_id AND n.person_id = p.id AND n.confirmed_at IS NOT NULL
      LEFT JOIN sms_opt_out s ON s.company_id = n.company_id AND s.phone = n.phone
      LEFT JOIN voice_number l ON l.company_id = p.company_id AND l.person_id = p.id AND l.confirmed_at IS NOT NULL
      LEFT JOIN voice_opt_out t ON t.company_id = l.company_id AND t.phone = l.phone
      WHERE p.company_id = ${company} AND p.id = ${personId}`.execute(tx)
    const [own] = existing
    if (!own) throw notFound()
    const addresses = await addressesOfResidents(tx, company, personId)
    const byText = new Map(addresses.map(({ text, addressId }) => [text, addressId !== null]))
    const calls = offersCalls(call.context.config, await readSmsSettings(tx, company))
    return {
      services: rows,
      ...own,
      email: recipientOf(own.email),
      ...(!calls && { callOff: 'never' as const }),
      addresses: [...byText].map(([text, isListed]) => ({ text, isListed })),
    }
  }),
)

const saveCall = implement(saveAlertChoices, (call) =>
  call.inCompany(async (tx) => {
    const company = call.company.id
    const { personId, email } = signedIn(call)
    const { language, choices } = call.body
    const changed_at = call.context.clock.now()
    await sql`
      INSERT INTO alert_choice (company_id, person_id, service_id, by_email, by_sms, by_call, changed_at)
      SELECT ${company}, ${personId}, v.id, c.email, c.text, c.call, ${changed_at}
      FROM jsonb_to_recordset(${JSON.stringify(choices)}::jsonb) AS c ("serviceId" bigint, email boolean, text boolean, call boolean)
      JOIN alert_service v ON v.company_id = ${company} AND v.id = c."serviceId" AND v.is_active
      ON CONFLICT (company_id, person_id, service_id)
        DO UPDATE SET by_email = excluded.by_email, by_sms = excluded.by_sms, by_call = excluded.by_call,
          changed_at = excluded.changed_at`.execute(tx)
    await tx
      .insertInto('alert_reader')
      .values({ company_id: company, person_id: personId, language })
      .onConflict((on) => on.columns(['company_id', 'person_id']).doUpdateSet({ language }))
      .execute()
    // If the person chooses email again, the portal removes the earlier opt-out.
    if (choices.some((choice) => choice.email))
      await tx
        .deleteFrom('notice_opt_out')
        .where('company_id', '=', company)
        .where('address', '=', email.toLowerCase())
        .where('event', '=', ALERT_EVENT)
        .execute()
    await call.audit(tx, { action: 'alert.choices_saved', detail: { language, choices } })
    return { success: true as const, message: say`Choices saved.` }
  }),
)

export const residentCalls = [currentCall, listCall, oneCall, choicesCall, saveCall]
