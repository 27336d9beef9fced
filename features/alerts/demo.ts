import { sql } from 'kysely'
import { loadCompanyDetails, type Demo, type DemoPart } from '../../server/demo.ts'
import { type CompanyId, tenancyOn, type Tx } from '../../server/tenancy.ts'
import { addSources } from './cap/demo.ts'
import {
  type DemoAlert,
  type DemoServices,
  harborCityAlerts,
  harborCityServices,
  mapleGroveAlerts,
  mapleGroveServices,
} from './demo-alerts.ts'
import { activeServices, serviceFor, templateOf, textEntries } from './server/pack.ts'
import { rowOf } from './server/templates.ts'
import { storeServices } from './server/services.ts'

interface DemoAlerts {
  services: DemoServices
  alerts: readonly DemoAlert[]
  /** Percentage of people who choose non-emergency alerts. */
  share: number
}

const demoAlerts: Readonly<Record<string, DemoAlerts>> = {
  maplegrove: { services: mapleGroveServices, alerts: mapleGroveAlerts, share: 45 },
  harborcity: { services: harborCityServices, alerts: harborCityAlerts, share: 30 },
}

const HOUR_MS = 3_600_000

interface Row {
  of: number
  /** Position among all alerts. For a follow-up, `about` is the position of the first alert. */
  nth: number
  about: number | null
  kind: string
  status: string
  content: object
  at: string
  sent: string | null
  send: string | null
  until: string
}

/** Returns each alert and its follow-ups, oldest first. */
function rowsOf(alerts: readonly DemoAlert[], now: Date): Row[] {
  const rows: Omit<Row, 'nth' | 'about'>[] = []
  const key = new Map<object, object>()
  for (const [of, { days, now: stands, hours, en, es, followUps = [] }] of alerts.entries()) {
    const texts = es ? { en, es } : { en }
    // The hour varies by day.
    for (const day of days) {
      const sent = now.getTime() - day * 24 * HOUR_MS - ((day * 7) % 8) * HOUR_MS
      const at = (ms: number) => new Date(ms).toISOString()
      const status = followUps.some(({ kind }) => kind === 'cancel') ? 'cancelled' : 'ended'
      const first = {
        of,
        kind: 'alert',
        status,
        content: texts,
        at: at(sent - HOUR_MS / 3),
        sent: at(sent),
        send: null,
        until: at(sent + hours * HOUR_MS),
      }
      rows.push(first)
      for (const one of followUps) {
        const sentAt = sent + one.after * HOUR_MS
        const row = {
          ...first,
          kind: one.kind,
          status: 'ended',
          content: { en: one.en },
          at: at(sentAt - HOUR_MS / 6),
          sent: at(sentAt),
        }
        key.set(row, first)
        rows.push(row)
      }
    }
    if (!stands) continue
    const began = new Date(now.getTime() - 5 * HOUR_MS).toISOString()
    const send = stands === 'scheduled' ? new Date(now.getTime() + 26 * HOUR_MS).toISOString() : null
    const until = new Date(now.getTime() + (hours + (send ? 26 : 0)) * HOUR_MS).toISOString()
    rows.push({
      of,
      kind: 'alert',
      status: stands,
      content: texts,
      at: began,
      sent: stands === 'sent' ? began : null,
      send,
      until,
    })
  }
  const sorted = rows.toSorted((a, b) => a.at.localeCompare(b.at))
  return sorted.map((row, index) => {
    const first = key.get(row)
    return { ...row, nth: index, about: first ? sorted.indexOf(first as Row) : null }
  })
}

/** Adds the templates of the starter pack. A template without a suitable service leaves the choice to staff. */
async function addTemplates(tx: Tx, company: CompanyId): Promise<void> {
  const services = await activeServices(tx, company)
  const entries = textEntries()
  await tx
    .insertInto('alert_template')
    .values(
      entries.map((entry) => ({
        company_id: company,
        ...rowOf(templateOf(entry, String(serviceFor(entry, services)?.id ?? ''))),
      })),
    )
    .execute()
}

async function addAlerts({ clock }: Demo, tx: Tx, company: CompanyId, companyAlerts: DemoAlerts): Promise<void> {
  const now = clock.now()
  const named = (names: readonly string[]) => names.map((name) => ({ name }))
  const { alerts, essentials, others } = companyAlerts.services
  await storeServices(tx, company, { alerts: named(alerts), essentials: named(essentials), others: named(others) })
  await addTemplates(tx, company)
  // Some people agreed to text messages, some chose additional services, and some read Spanish.
  await sql`
    INSERT INTO sms_number (company_id, person_id, phone, agreed_at, agreed_to, confirmed_at)
    SELECT company_id, id, '+1' || regexp_replace(mobile_no, '[^0-9]', '', 'g'), created_at, '', created_at FROM person
    WHERE company_id = ${company} AND role_id = 1 AND abs(hashint8(id)) % 3 = 0 AND regexp_replace(mobile_no, '[^0-9]', '', 'g') ~ '^[0-9]{10}$'
      AND email NOT LIKE 'resident@%' AND email NOT LIKE 'newcomer@%'
    ON CONFLICT DO NOTHING`.execute(tx)
  await sql`
    INSERT INTO alert_choice (company_id, person_id, service_id, by_email, by_sms, by_call, changed_at)
    SELECT p.company_id, p.id, v.id, dice < ${companyAlerts.share}, dice % 3 = 0 AND dice < ${companyAlerts.share}, dice % 4 = 0 AND dice < ${companyAlerts.share}, p.created_at
    FROM person p JOIN alert_service v ON v.company_id = p.company_id
      CROSS JOIN LATERAL (SELECT abs(hashint8(p.id * 31 + v.id * 7919)) % 100 AS dice) x
    WHERE p.company_id = ${company} AND p.role_id = 1 AND v.type > 1 AND dice < 70`.execute(tx)
  await sql`
    INSERT INTO alert_reader (company_id, person_id, language)
    SELECT company_id, id, 'es' FROM person WHERE company_id = ${company} AND role_id = 1 AND abs(hashint8(id + 5)) % 9 = 0`.execute(
    tx,
  )
  const rows = rowsOf(companyAlerts.alerts, now)
  const kinds = companyAlerts.alerts.map(
    ({ service, event, category, severity, urgency, certainty, zones = 0 }, of) => ({
      of,
      ...{ service, event, category, severity, urgency, certainty, zones },
    }),
  )
  await sql`
    WITH given AS MATERIALIZED (
      SELECT nth, nextval('alert_id_seq') AS id FROM generate_series(0, ${rows.length - 1}) AS nth ORDER BY nth
    ), kind AS (
      SELECT k.*, v.id AS service_id, z.ids, z.names
      FROM jsonb_to_recordset(${JSON.stringify(kinds)}::jsonb) AS k (of int, service text, event text, category text, severity text,
        urgency text, certainty text, zones int)
      JOIN alert_service v ON v.company_id = ${company} AND v.name = k.service
      CROSS JOIN LATERAL (
        SELECT jsonb_agg(id ORDER BY name) AS ids, string_agg(name, ', ' ORDER BY name) AS names
        FROM (SELECT id, name FROM zone WHERE company_id = ${company} ORDER BY kind DESC, name LIMIT k.zones) chosen) z
    )
    INSERT INTO alert (company_id, id, status, kind, about_id, service_id, event, category, urgency, severity, certainty, content, area,
      by_call, area_text, send_at, expires_at, submitted_by, created_at, edited_at, sent_at)
    SELECT ${company}, given.id, r.status, r.kind, first.id, k.service_id, k.event, k.category, k.urgency,
      k.severity, k.certainty, r.content,
      CASE WHEN k.ids IS NULL THEN '{"kind": "everyone"}'::jsonb ELSE jsonb_build_object('kind', 'zones', 'zoneIds', k.ids) END,
      k.severity IN ('Extreme', 'Severe') OR r.status = 'sent', coalesce(k.names, ''), r.send, r.until, '', r.at, r.at, r.sent
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r (of int, nth int, about int, kind text, status text, content jsonb,
      at timestamptz, sent timestamptz, send timestamptz, until timestamptz)
    JOIN given ON given.nth = r.nth LEFT JOIN given first ON first.nth = r.about JOIN kind k ON k.of = r.of ORDER BY r.nth`.execute(
    tx,
  )
  await addCallNumbers(tx, company)
  await addDeliveries(tx, company)
  await addCalls(tx, company, now)
  await addHistory(tx, company)
}

/** Adds confirmed numbers for calls, which may be landlines. On a few of them, someone later pressed 9 to opt out. */
async function addCallNumbers(tx: Tx, company: CompanyId): Promise<void> {
  await sql`
    INSERT INTO voice_number (company_id, person_id, phone, agreed_at, agreed_to, confirmed_at)
    SELECT company_id, id, '+1' || regexp_replace(mobile_no, '[^0-9]', '', 'g'), created_at, '', created_at FROM person
    WHERE company_id = ${company} AND role_id = 1 AND abs(hashint8(id + 3)) % 4 = 0 AND regexp_replace(mobile_no, '[^0-9]', '', 'g') ~ '^[0-9]{10}$'
      AND email NOT LIKE 'resident@%' AND email NOT LIKE 'newcomer@%'
    ON CONFLICT DO NOTHING`.execute(tx)
}

/**
 * Adds the calls of recent deliveries for the list of notices, and the spoken text that the sandbox phones received.
 */
async function addCalls(tx: Tx, company: CompanyId, now: Date): Promise<void> {
  await sql`
    WITH given AS MATERIALIZED (
      SELECT d.id AS delivery, d.address, d.person_id, d.at, d.state, d.reason, a.expires_at, nextval('message_number') AS id,
        CASE WHEN v.type = 1 AND a.severity IN ('Extreme', 'Severe') THEN 'emergencies' ELSE 'alerts' END AS kind,
        jsonb_build_array(jsonb_build_object('language', said.language, 'text', concat_ws(' ',
          CASE said.language WHEN 'es' THEN 'Esta es una alerta de ' ELSE 'This is an alert from ' END || c.name || '.',
          said.content->>'headline' || '.', nullif(said.content->>'instruction', ''), nullif(said.content->>'description', '')))) AS content
      FROM alert_delivery d JOIN alert a ON a.company_id = d.company_id AND a.id = d.alert_id
      JOIN alert_service v ON v.company_id = a.company_id AND v.id = a.service_id JOIN company c ON c.id = d.company_id
      CROSS JOIN LATERAL (SELECT CASE WHEN d.language = 'es' AND a.content ? 'es' THEN 'es' ELSE 'en' END AS language) spoken
      CROSS JOIN LATERAL (SELECT spoken.language, a.content->spoken.language AS content) said
      WHERE d.company_id = ${company} AND d.channel = 'call' AND d.at > ${now}::timestamptz - interval '90 days'
    ), calls AS (
      INSERT INTO voice_call (company_id, id, event, kind, phone, person_id, content, created_at, call_after, until, state, reason, tries, minutes,
        requested_at, finished_at)
      SELECT ${company}, id, 'alert.sent', kind, address, person_id, content, at, at, expires_at, state, reason,
        CASE WHEN state IN ('stopped', 'resting') THEN 0 WHEN state = 'failed' THEN 4 ELSE 1 END, CASE state WHEN 'delivered' THEN 1 ELSE 0 END,
        CASE WHEN state IN ('stopped', 'resting') THEN NULL ELSE at END, at FROM given
    ), heard AS (
      INSERT INTO sandbox_call (sid, key, from_number, to_number, content, keys_url, status_url, status, answered_by, heard, seconds, at)
      SELECT 'demo-' || ${company} || '-' || id, 'demo-' || ${company} || '-' || id, '+17175550100', address, content, '', '',
        CASE state WHEN 'failed' THEN 'no-answer' ELSE 'completed' END,
        CASE WHEN reason = 'machine' THEN 'machine_end_beep' WHEN state = 'delivered' THEN 'human' ELSE '' END,
        CASE state WHEN 'delivered' THEN content->0->>'text' ELSE '' END, CASE state WHEN 'delivered' THEN 48 ELSE 0 END, at
      FROM given WHERE state IN ('delivered', 'failed') AND at > ${now}::timestamptz - interval '25 days'
    )
    UPDATE alert_delivery d SET message_id = g.id FROM given g WHERE d.company_id = ${company} AND d.id = g.delivery`.execute(
    tx,
  )
  await sql`
    INSERT INTO voice_opt_out (company_id, phone, at)
    SELECT company_id, address, min(at) FROM alert_delivery WHERE company_id = ${company} AND channel = 'call' AND reason = 'pressed 9'
    GROUP BY company_id, address`.execute(tx)
  await sql`
    INSERT INTO refused_address (company_id, address, code, refusals, refused_at, rests_until)
    SELECT company_id, 'tel:' || address, '404', 2, max(at), ${now}::timestamptz + interval '20 hours' FROM alert_delivery
    WHERE company_id = ${company} AND channel = 'call' AND state = 'resting' GROUP BY company_id, address`.execute(tx)
}

/** Adds deliveries, with results, to the people who had an account at that time. Most were delivered. */
async function addDeliveries(tx: Tx, company: CompanyId): Promise<void> {
  await sql`
    INSERT INTO alert_delivery (company_id, alert_id, channel, address, person_id, name, language, state, reason, at)
    SELECT DISTINCT ON (a.id, way.channel, way.address) a.company_id, a.id, way.channel, way.address, p.id,
      btrim(p.first_name || ' ' || p.last_name), coalesce(r.language, 'en'),
      CASE WHEN dice = 7 THEN 'failed' WHEN dice = 8 THEN 'resting' WHEN way.channel = 'email' THEN 'sent'
        WHEN way.channel = 'call' AND dice BETWEEN 9 AND 11 THEN 'unclear' WHEN way.channel = 'call' AND dice IN (12, 13) THEN 'stopped'
        ELSE 'delivered' END,
      CASE WHEN dice = 7 THEN CASE way.channel WHEN 'email' THEN '550' WHEN 'text' THEN '30003' ELSE 'no-answer' END
        WHEN dice = 8 THEN 'rests' WHEN way.channel <> 'call' THEN '' WHEN dice BETWEEN 9 AND 11 THEN 'no answer'
        WHEN dice IN (12, 13) THEN 'pressed 9' WHEN dice BETWEEN 14 AND 24 THEN 'machine' ELSE '' END,
      a.sent_at + abs(hashint8(p.id)) % 240 * interval '1 second'
    FROM alert a JOIN alert_service v ON v.company_id = a.company_id AND v.id = a.service_id
    JOIN person p ON p.company_id = a.company_id AND p.role_id = 1 AND p.email_confirmed_at < a.sent_at
    LEFT JOIN alert_choice c ON c.company_id = a.company_id AND c.person_id = p.id AND c.service_id = v.id
    LEFT JOIN alert_reader r ON r.company_id = p.company_id AND r.person_id = p.id
    LEFT JOIN sms_number n ON n.company_id = p.company_id AND n.person_id = p.id AND n.confirmed_at IS NOT NULL
    LEFT JOIN voice_number l ON l.company_id = p.company_id AND l.person_id = p.id AND l.confirmed_at IS NOT NULL
    CROSS JOIN LATERAL (
      SELECT 'email' AS channel, lower(p.email) AS address WHERE coalesce(c.by_email, v.type = 1)
      UNION ALL SELECT 'text', n.phone WHERE n.phone IS NOT NULL AND coalesce(c.by_sms, v.type = 1)
      UNION ALL SELECT 'call', l.phone WHERE a.by_call AND l.phone IS NOT NULL AND coalesce(c.by_call, v.type = 1)) way
    CROSS JOIN LATERAL (SELECT abs(hashint8(p.id * 13 + coalesce(a.about_id, a.id) * 101)) % 60 AS dice) d
    WHERE a.company_id = ${company} AND a.sent_at IS NOT NULL
      -- A part of the town is a part of its people; news goes to those whom the first one reached.
      AND (a.area_text = '' OR abs(hashint8(p.id)) % 4 = 0) AND (a.about_id IS NULL OR dice NOT IN (7, 8))
    ORDER BY a.id, way.channel, way.address`.execute(tx)
  await sql`
    UPDATE alert a SET people = d.people FROM (
      SELECT alert_id, count(DISTINCT person_id)::int AS people FROM alert_delivery WHERE company_id = ${company} GROUP BY alert_id) d
    WHERE a.company_id = ${company} AND a.id = d.alert_id`.execute(tx)
}

/** Adds the status history of each alert. */
const addHistory = (tx: Tx, company: CompanyId) =>
  sql`
    WITH admin AS (
      SELECT id, first_name || ' ' || last_name AS name FROM person WHERE company_id = ${company} AND role_id = 5 ORDER BY id LIMIT 1
    ), second AS (
      SELECT id, first_name || ' ' || last_name AS name FROM person WHERE company_id = ${company} AND role_id = 4 ORDER BY id LIMIT 1
    ), news AS (
      SELECT about_id AS id, row_number() OVER (PARTITION BY about_id ORDER BY id) AS nth, kind, sent_at FROM alert
      WHERE company_id = ${company} AND kind = 'update'
    ), step AS (
      SELECT a.id, 1 AS seq, '' AS was, 'draft' AS will, 'write' AS event, a.created_at AS at, 'staff' AS who FROM alert a WHERE a.company_id = ${company}
      UNION ALL SELECT a.id, 2, 'draft', CASE WHEN a.severity = 'Extreme' THEN 'waiting' ELSE 'scheduled' END, 'submit',
        a.created_at + interval '3 minutes', 'staff' FROM alert a WHERE a.company_id = ${company} AND a.status <> 'draft'
      UNION ALL SELECT a.id, 3, 'waiting', 'scheduled', 'approve', a.created_at + interval '6 minutes', 'second'
        FROM alert a WHERE a.company_id = ${company} AND a.severity = 'Extreme' AND a.status NOT IN ('draft', 'waiting')
      UNION ALL SELECT a.id, 4, 'scheduled', 'sending', 'start', a.sent_at, 'system' FROM alert a WHERE a.company_id = ${company} AND a.sent_at IS NOT NULL
      UNION ALL SELECT a.id, 5, 'sending', 'sent', 'finish', a.sent_at + interval '4 minutes', 'system'
        FROM alert a WHERE a.company_id = ${company} AND a.sent_at IS NOT NULL
      UNION ALL SELECT n.id, 5 + n.nth, CASE WHEN n.nth = 1 THEN 'sent' ELSE 'updated' END, 'updated', 'update', n.sent_at, 'system' FROM news n
      UNION ALL SELECT a.id, 100, CASE WHEN EXISTS (SELECT FROM news n WHERE n.id = a.id) THEN 'updated' ELSE 'sent' END, a.status,
        CASE a.status WHEN 'cancelled' THEN 'cancel' ELSE 'end' END, least(a.expires_at, (
          SELECT max(o.sent_at) FROM alert o WHERE o.company_id = ${company} AND o.about_id = a.id AND o.kind <> 'update')), 'system'
        FROM alert a WHERE a.company_id = ${company} AND a.status IN ('cancelled', 'ended')
    )
    INSERT INTO status_history (company_id, machine, subject_id, seq, from_state, to_state, event, at, actor_kind, actor_id, actor_name, reason)
    SELECT ${company}, 'alert', s.id, row_number() OVER (PARTITION BY s.id ORDER BY s.seq), s.was, s.will, s.event, s.at,
      CASE s.who WHEN 'system' THEN 'system' ELSE 'municipality' END,
      CASE s.who WHEN 'staff' THEN admin.id WHEN 'second' THEN second.id END,
      coalesce(CASE s.who WHEN 'staff' THEN admin.name WHEN 'second' THEN second.name END, 'Alerts'), ''
    FROM step s LEFT JOIN admin ON true LEFT JOIN second ON true`.execute(tx)

export const demo: DemoPart = {
  company: async (demoOf, _demoCompany, { company }) =>
    tenancyOn(demoOf.db.app)(company, async (tx) => {
      const { subdomain, timeZone } = await loadCompanyDetails(tx, company)
      const companyAlerts = demoAlerts[subdomain]
      if (!companyAlerts) return
      await addAlerts(demoOf, tx, company, companyAlerts)
      await addSources(tx, { company, subdomain, timeZone, now: demoOf.clock.now() })
    }),
}
