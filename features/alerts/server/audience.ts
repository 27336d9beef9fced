import { type RawBuilder, sql } from 'kysely'
import type { AlertArea } from '../../../server/db/column-types.ts'
import { addressesIn, metresAt, nearestAddress, originOf } from '../../../server/places/at-point.ts'
import { planeAt } from '../../../shared/plane.ts'
import { shapeText } from '../../../server/places/rings.ts'
import { readAddress } from '../../../server/places/words.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import type { Position } from '../../../shared/places.ts'
import { plural, say } from '../../../shared/messages.ts'
import type { CountedAudience } from '../contract-staff.ts'
import { ALERT_SERVICE } from '../rules.ts'

/** Notice event of alert emails. Their unsubscribe link refers to it. */
export const ALERT_EVENT = 'alert.sent'

export interface AudienceQuery {
  service_id: number
  area: AlertArea
  by_email: boolean
  by_sms: boolean
  by_call: boolean
}

/** Finds the company's addresses in a drawn area by the spatial index. Addresses in holes are excluded. */
export async function addressesWithin(
  tx: Tx,
  company: CompanyId,
  polygons: readonly Position[][][],
): Promise<number[]> {
  const origin = await originOf(tx, company)
  if (!origin) return []
  const plane = planeAt(origin)
  const ids = new Set<number>()
  for (const [border = [], ...holes] of polygons) {
    const without = holes.map((hole) => sql`AND NOT a.at <@ ${shapeText(hole, plane)}::polygon`)
    const { rows } = await sql<{ id: number }>`
      SELECT a.id FROM found_address a
      WHERE a.company_id = ${company} AND a.at <@ ${shapeText(border, plane)}::polygon ${sql.join(without, sql` `)}`.execute(
      tx,
    )
    for (const { id } of rows) ids.add(id)
  }
  return [...ids]
}

export const outlineOfArea = async (tx: Tx, company: CompanyId, area: AlertArea): Promise<Position[][][]> => {
  if (area.kind === 'drawn') return area.polygons
  if (area.kind !== 'zones') return []
  const zones = await tx
    .selectFrom('zone')
    .select('outline')
    .where('company_id', '=', company)
    .where('id', 'in', area.zoneIds)
    .execute()
  return zones.flatMap(({ outline }) => outline)
}

/** Maximum number of streets in the name of an area. */
const MAX_STREETS = 3

/** Names a drawn area for people who cannot see the map, by its streets or the nearest address. */
export async function nameOfPolygons(tx: Tx, company: CompanyId, polygons: readonly Position[][][]): Promise<string> {
  const inside = await addressesWithin(tx, company, polygons)
  const { rows } = await sql<{ street: string; streets: number }>`
    SELECT s.name AS street, count(*) OVER ()::int AS streets FROM found_address a
    JOIN found_street s ON s.company_id = ${company} AND s.id = a.street_id
    WHERE a.company_id = ${company} AND a.id = ANY(${inside}::bigint[])
    GROUP BY s.id, s.name ORDER BY count(*) DESC, s.name LIMIT ${MAX_STREETS}`.execute(tx)
  const names = rows.map(({ street }) => street).join(', ')
  const more = (rows[0]?.streets ?? 0) - rows.length
  if (more > 0) return say`Area around ${names} and ${plural(more, 'one more street', '# more streets')}`
  if (names) return say`Area around ${names}`
  const corners = polygons.flatMap(([border = []]) => border)
  const middle = (at: 0 | 1) => corners.reduce((sum, corner) => sum + corner[at], 0) / Math.max(1, corners.length)
  const [lon, lat] = [middle(0), middle(1)]
  const metres = await metresAt(tx, company, { lat, lon })
  const near = metres && (await nearestAddress(tx, company, metres))
  return near ? say`Area near ${near.text}` : say`Area around ${lat.toFixed(4)}, ${lon.toFixed(4)}`
}

/** Maximum number of words in a street name. */
const MAX_STREET_TERMS = 6

/** Person with an address as the person typed it. */
export interface PlacedAddress {
  person: number
  text: string
}

/**
 * Finds the address record of each typed address, in one query. Matches the house number and the longest street name at
 * the start of the text.
 */
export async function resolveAddresses(
  tx: Tx,
  company: CompanyId,
  placed: readonly PlacedAddress[],
): Promise<(number | null)[]> {
  const tried = { at: [] as number[], key: [] as string[], context: [] as string[], unit: [] as string[] }
  for (const [at, { text }] of placed.entries()) {
    const { number, houseNumber, unit, terms } = readAddress(text)
    if (number === null) continue
    for (let many = 1; many <= Math.min(terms.length, MAX_STREET_TERMS); many += 1) {
      tried.at.push(at)
      tried.key.push(terms.slice(0, many).join(' '))
      tried.context.push(houseNumber)
      tried.unit.push(unit)
    }
  }
  const { rows } = await sql<{ at: number; id: number }>`
    SELECT DISTINCT ON (t.at) t.at, a.id
    FROM unnest(${tried.at}::int[], ${tried.key}::text[], ${tried.context}::text[], ${tried.unit}::text[]) AS t (at, key, house, unit)
    JOIN found_street s ON s.company_id = ${company} AND s.name_key = t.key
    JOIN found_address a ON a.company_id = ${company} AND a.street_id = s.id AND upper(a.house_number) = t.house
    ORDER BY t.at, length(t.key) DESC, (upper(a.unit) = t.unit) DESC, a.id`.execute(tx)
  const ids = new Map(rows.map(({ at, id }) => [at, id]))
  return placed.map((_, at) => ids.get(at) ?? null)
}

/** Returns the residents' addresses from their profiles, linked accounts and registrations. */
export async function addressesOfResidents(
  tx: Tx,
  company: CompanyId,
  person: number | null = null,
): Promise<(PlacedAddress & { addressId: number | null })[]> {
  const only = (column: RawBuilder<unknown>) => (person === null ? sql`` : sql`AND ${column} = ${person}`)
  const { rows } = await sql<{ person: number; text: string; addressId: number | null }>`
    SELECT p.id AS person, p.service_address AS text, NULL::bigint AS "addressId" FROM person p
    WHERE p.company_id = ${company} AND p.role_id = 1 AND p.is_active = 1 AND p.service_address <> '' ${only(sql`p.id`)}
    UNION
    SELECT l.person_id, a.service_address, NULL FROM linked_account l
    JOIN utility_account a ON a.company_id = l.company_id AND a.id = l.account_id
    WHERE l.company_id = ${company} ${only(sql`l.person_id`)}
    UNION
    SELECT r.person_id, r.location, r.address_id FROM registration r
    WHERE r.company_id = ${company} AND r.status IN ('registered', 'due') ${only(sql`r.person_id`)}`.execute(tx)
  const open = rows.filter(({ addressId }) => addressId === null)
  const resolvedIds = await resolveAddresses(tx, company, open)
  const resolvedAddresses = rows.filter(({ addressId }) => addressId !== null)
  return [...resolvedAddresses, ...open.map((row, at) => ({ ...row, addressId: resolvedIds[at] ?? null }))]
}

async function peopleAt(tx: Tx, company: CompanyId, addresses: readonly number[]): Promise<number[]> {
  const inside = new Set(addresses)
  const placed = await addressesOfResidents(tx, company)
  return [
    ...new Set(
      placed.flatMap(({ person, addressId }) => (addressId !== null && inside.has(addressId) ? [person] : [])),
    ),
  ]
}

/** Returns the SQL condition on `p` for people in an area. */
async function inArea(tx: Tx, company: CompanyId, area: AlertArea): Promise<RawBuilder<unknown>> {
  switch (area.kind) {
    case 'everyone':
      return sql`true`
    case 'form':
      // A draft has no `submitted_at`. A person who only saved a draft has not submitted the form.
      return sql`EXISTS (
        SELECT FROM form_submission f WHERE f.company_id = ${company} AND f.type_id = ${area.formTypeId} AND f.person_id = p.id
          AND f.submitted_at IS NOT NULL)`
    case 'routes':
      return sql`EXISTS (
        SELECT FROM linked_account l JOIN utility_account u ON u.company_id = l.company_id AND u.id = l.account_id
        WHERE l.company_id = ${company} AND l.person_id = p.id AND u.route = ANY (${area.routes}::text[]))`
    case 'zones': {
      const addresses: number[] = []
      for (const zone of area.zoneIds) addresses.push(...(await addressesIn(tx, company, zone)))
      return sql`p.id = ANY (${await peopleAt(tx, company, addresses)}::bigint[])`
    }
    default:
      return sql`p.id = ANY (${await peopleAt(tx, company, await addressesWithin(tx, company, area.polygons))}::bigint[])`
  }
}

/**
 * Selects all people in the area with their choices and available channels. Alerts of type 1 go to everyone who has not
 * opted out. Other alerts go to people who chose the service. Emails need a confirmed address. Text messages and calls
 * need a number with consent.
 */
async function candidates(tx: Tx, company: CompanyId, { service_id, area, by_email, by_sms, by_call }: AudienceQuery) {
  return sql`
    SELECT p.id AS person_id, btrim(p.first_name || ' ' || p.last_name) AS name, lower(p.email) AS email, n.phone,
      l.phone AS line, coalesce(r.language, 'en') AS language,
      ${by_email} AND coalesce(c.by_email, v.type = ${ALERT_SERVICE}) AS wants_email, ${by_sms} AND coalesce(c.by_sms, v.type = ${ALERT_SERVICE}) AS wants_text,
      ${by_call} AND coalesce(c.by_call, v.type = ${ALERT_SERVICE}) AS wants_call,
      p.email_confirmed_at IS NOT NULL AND p.active_email_alerts IS DISTINCT FROM 'i' AND o.address IS NULL AS can_email,
      n.phone IS NOT NULL AND s.phone IS NULL AND p.active_phone_alerts IS DISTINCT FROM 'i' AS can_text,
      l.phone IS NOT NULL AND t.phone IS NULL AND p.active_phone_alerts IS DISTINCT FROM 'i' AS can_call
    FROM person p
    JOIN alert_service v ON v.company_id = p.company_id AND v.id = ${service_id}
    LEFT JOIN alert_choice c ON c.company_id = p.company_id AND c.person_id = p.id AND c.service_id = v.id
    LEFT JOIN alert_reader r ON r.company_id = p.company_id AND r.person_id = p.id
    LEFT JOIN sms_number n ON n.company_id = p.company_id AND n.person_id = p.id AND n.confirmed_at IS NOT NULL
    LEFT JOIN sms_opt_out s ON s.company_id = n.company_id AND s.phone = n.phone
    LEFT JOIN voice_number l ON l.company_id = p.company_id AND l.person_id = p.id AND l.confirmed_at IS NOT NULL
    LEFT JOIN voice_opt_out t ON t.company_id = l.company_id AND t.phone = l.phone
    LEFT JOIN notice_opt_out o ON o.company_id = p.company_id AND o.address = lower(p.email) AND o.event = ${ALERT_EVENT}
    WHERE p.company_id = ${company} AND p.role_id = 1 AND p.is_active = 1 AND ${await inArea(tx, company, area)}`
}

/** SQL condition on `candidates`: the person wants the alert by an available channel. */
const isReached = sql`(wants_email AND can_email OR wants_text AND can_text OR wants_call AND can_call)`

export async function countOf(tx: Tx, company: CompanyId, addressed: AudienceQuery): Promise<CountedAudience> {
  const { rows } = await sql<CountedAudience>`
    WITH q AS (${await candidates(tx, company, addressed)})
    SELECT count(*)::int AS "inArea",
      count(*) FILTER (WHERE ${isReached})::int AS people,
      count(DISTINCT email) FILTER (WHERE wants_email AND can_email)::int AS email,
      count(DISTINCT phone) FILTER (WHERE wants_text AND can_text)::int AS text,
      count(DISTINCT phone) FILTER (WHERE wants_text AND can_text AND language = 'es')::int AS "textSpanish",
      count(DISTINCT line) FILTER (WHERE wants_call AND can_call)::int AS call,
      count(*) FILTER (WHERE NOT wants_email AND NOT wants_text AND NOT wants_call)::int AS unwanted,
      count(*) FILTER (WHERE (wants_email OR wants_text OR wants_call) AND NOT ${isReached})::int AS unreachable
    FROM q`.execute(tx)
  return rows[0] ?? { inArea: 0, people: 0, email: 0, text: 0, textSpanish: 0, call: 0, unwanted: 0, unreachable: 0 }
}

const SAMPLE = 10

/** Returns a stable sample of the recipients of an alert. */
export async function sampleOf(tx: Tx, company: CompanyId, addressed: AudienceQuery) {
  const { rows } = await sql<{ name: string; email: boolean; text: boolean; call: boolean; language: 'en' | 'es' }>`
    WITH q AS (${await candidates(tx, company, addressed)})
    SELECT name, wants_email AND can_email AS email, wants_text AND can_text AS text, wants_call AND can_call AS call, language FROM q
    WHERE ${isReached}
    ORDER BY md5(person_id::text) LIMIT ${SAMPLE}`.execute(tx)
  return rows
}

/**
 * Saves the recipients of an alert, each address once.
 * @returns the number of people
 */
export async function saveRecipients(
  tx: Tx,
  company: CompanyId,
  alert: AudienceQuery & { id: number },
  at: Date,
): Promise<number> {
  const { rows } = await sql<{ people: number }>`
    WITH q AS (${await candidates(tx, company, alert)}), added AS (
      INSERT INTO alert_delivery (company_id, alert_id, channel, address, person_id, name, language, at)
      SELECT ${company}, ${alert.id}, way.channel, way.address, q.person_id, q.name, q.language, ${at}
      FROM q CROSS JOIN LATERAL (
        SELECT 'email' AS channel, q.email AS address WHERE q.wants_email AND q.can_email
        UNION ALL SELECT 'text', q.phone WHERE q.wants_text AND q.can_text
        UNION ALL SELECT 'call', q.line WHERE q.wants_call AND q.can_call) way
      ORDER BY q.person_id
      ON CONFLICT ON CONSTRAINT alert_delivery_once DO NOTHING
      RETURNING person_id)
    SELECT count(DISTINCT person_id)::int AS people FROM added`.execute(tx)
  return rows[0]?.people ?? 0
}

/**
 * Saves the recipients of a follow-up: the recipients of the first alert, by the same channel. Excludes failed
 * deliveries. Includes calls with an unclear result, because the person may have heard the alert.
 */
export async function saveFollowUpRecipients(
  tx: Tx,
  company: CompanyId,
  first: number,
  id: number,
  at: Date,
): Promise<number> {
  const { rows } = await sql<{ people: number }>`
    WITH added AS (
      INSERT INTO alert_delivery (company_id, alert_id, channel, address, person_id, name, language, at)
      SELECT company_id, ${id}, channel, address, person_id, name, language, ${at} FROM alert_delivery
      WHERE company_id = ${company} AND alert_id = ${first} AND state IN ('waiting', 'sent', 'delivered', 'unclear')
      ORDER BY id
      ON CONFLICT ON CONSTRAINT alert_delivery_once DO NOTHING
      RETURNING person_id)
    SELECT count(DISTINCT person_id)::int AS people FROM added`.execute(tx)
  return rows[0]?.people ?? 0
}
