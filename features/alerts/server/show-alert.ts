import { sql } from 'kysely'
import { implement, signedIn } from '../../../server/call.ts'
import { noticeSenderOf } from '../../../server/notices/notify.ts'
import { readSmsSettings, textName } from '../../../server/sms/settings.ts'
import { loadHistory } from '../../../server/states.ts'
import { offersCalls } from '../../../server/voice/settings.ts'
import { buttonsFrom } from '../../../shared/machine.ts'
import { may } from '../../../shared/privileges.ts'
import { alertEditor, showAlert } from '../contract-staff.ts'
import type { Channel, DeliveryState } from '../rules.ts'
import { alertStates } from '../states.ts'
import { formOf } from './alert-form.ts'
import { findAlert } from './alerts.ts'
import { approvalOver } from './approval.ts'
import { outlineOfArea } from './audience.ts'
import { previewTexts } from './count-audience.ts'
import { listTemplates } from './templates.ts'
import { readServices } from './services.ts'
import { hindranceOf, staffKeyOf } from './submit.ts'
import { listZones } from './zones.ts'

export const showCall = implement(showAlert, (call) =>
  call.reading(async (tx) => {
    const { company, context, body } = call
    const session = signedIn(call)
    const { privileges } = session
    const row = await findAlert(tx, company.id, body.alertId)
    const first = row.about_id === null ? null : await findAlert(tx, company.id, row.about_id)
    const { name } = await tx
      .selectFrom('alert_service')
      .select('name')
      .where('company_id', '=', company.id)
      .where('id', '=', row.service_id)
      .executeTakeFirstOrThrow()
    const followUps = await tx
      .selectFrom('alert')
      .select(['id', 'number', 'kind', 'status'])
      .where('company_id', '=', company.id)
      .where('about_id', '=', row.id)
      .orderBy('id')
      .execute()
    const { rows: tallies } = await sql<{ channel: Channel; state: DeliveryState; count: number }>`
      SELECT channel, state, count(*)::int AS count FROM alert_delivery
      WHERE company_id = ${company.id} AND alert_id = ${row.id} GROUP BY 1, 2 ORDER BY 1, 2`.execute(tx)
    const at = noticeSenderOf(context, company)
    const settings = await readSmsSettings(tx, company.id)
    const { texts, calls } = previewTexts(row, { at, name: textName(company, settings) })
    const edit = may(privileges, 'alerts', 'update')
    const isOwn = row.submitted_by === staffKeyOf(call)
    const buttons = buttonsFrom(alertStates, row.status, { as: 'staff', privileges })
    return {
      form: formOf(row, company.timeZone),
      number: row.number,
      kind: row.kind,
      status: row.status,
      service: name,
      areaText: row.area_text,
      outline: await outlineOfArea(tx, company.id, row.area),
      about: first && { id: first.id, number: first.number, headline: first.content.en.headline },
      followUps,
      sentAt: row.sent_at?.toISOString() ?? null,
      expiresAt: row.expires_at.toISOString(),
      sendAt: row.send_at?.toISOString() ?? null,
      people: row.people,
      texts: row.by_sms ? texts : [],
      calls: row.by_call ? calls : [],
      tallies,
      history: await loadHistory(tx, alertStates, company.id, row.id),
      can: {
        ...buttons,
        approve: buttons.approve && !isOwn,
        edit: edit && row.status === 'draft',
        remove: edit && row.status === 'draft',
        submit: edit && row.status === 'draft',
        follow: edit && row.kind === 'alert' && (row.status === 'sent' || row.status === 'updated'),
        test: edit && session.kind === 'municipality' && row.status === 'draft',
      },
      isOwn,
      hindrance: row.status === 'draft' ? (hindranceOf(row, context.clock.now())?.message ?? '') : '',
    }
  }),
)

export const editorCall = implement(alertEditor, (call) =>
  call.reading(async (tx) => {
    const { company } = call
    const { rows: services } = await sql<{
      id: number
      type: number
      name: string
      email: number
      text: number
      call: number
    }>`
      SELECT v.id, v.type, v.name, count(c.person_id) FILTER (WHERE c.by_email)::int AS email,
        count(c.person_id) FILTER (WHERE c.by_sms)::int AS text, count(c.person_id) FILTER (WHERE c.by_call)::int AS call
      FROM alert_service v LEFT JOIN alert_choice c ON c.company_id = v.company_id AND c.service_id = v.id
      WHERE v.company_id = ${company.id} AND v.is_active
      GROUP BY v.company_id, v.id ORDER BY v.type, v.position, v.id`.execute(tx)
    const forms = await tx
      .selectFrom('form_type')
      .select(['id', 'title'])
      .where('company_id', '=', company.id)
      .where('status', '<>', 'draft')
      .orderBy('title_key')
      .execute()
    const { rows: routes } = await sql<{ name: string; linked: number }>`
      SELECT u.route AS name, count(l.person_id)::int AS linked FROM utility_account u
      LEFT JOIN linked_account l ON l.company_id = u.company_id AND l.account_id = u.id
      WHERE u.company_id = ${company.id} AND u.route <> '' GROUP BY 1 ORDER BY 1 LIMIT 200`.execute(tx)
    return {
      services,
      templates: await listTemplates(tx, company.id),
      zones: await listZones(tx, company.id),
      forms,
      routes,
      names: await readServices(tx, company.id),
      canCall: offersCalls(call.context.config, await readSmsSettings(tx, company.id)),
      approvalOver: await approvalOver(tx, company.id),
      timeZone: company.timeZone,
      can: { edit: may(signedIn(call).privileges, 'alerts', 'update') },
    }
  }),
)
