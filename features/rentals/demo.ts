import { sql } from 'kysely'
import type { RentalSeason } from '../../server/db/column-types.ts'
import { loadCompanyDetails, type Demo, type DemoPart } from '../../server/demo.ts'
import { type CompanyId, tenancyOn, type Tx } from '../../server/tenancy.ts'
import { dateIn } from '../../shared/dates.ts'
import { addPhotos } from './demo-photos.ts'
import { addSeries, allowSeries } from './demo-series.ts'
import { demoSteps, type RentalDemo } from './demo-steps.ts'
import { addWaitlisted } from './demo-waitlist.ts'
import { payReservations } from './demo-payments.ts'
import type { ResourceKind } from './rules.ts'
import { rentalStates } from './states.ts'

const ALL = [1, 2, 3, 4, 5, 6, 7]
const season = (from: string, until: string, opens: string, closes: string, percent = 100): RentalSeason => ({
  ...{ from, until, days: ALL, opens, closes, percent },
})
const always = [season('01-01', '12-31', '08:00', '22:00')]
const outdoors = [
  season('04-01', '05-31', '09:00', '21:00'),
  season('06-01', '09-15', '08:00', '22:00', 125),
  season('09-16', '03-31', '09:00', '21:00', 75),
]

interface DemoResource {
  name: string
  kind: ResourceKind
  description: string
  location: string
  amenities: string
  accessibility: string
  capacity: number
  pieces?: number
  approval?: true
  /** Number of guests at which a certificate of insurance becomes required. */
  certificateFrom?: number
  seasons: readonly RentalSeason[]
  resident: number
  other: number
  deposit: number
  addons?: { name: string; cents: number }[]
  parts?: readonly string[]
  /** Percentage of a year's time slots that are reserved. */
  busy: number
  /** Name of the resource's lock, if the resource uses door codes. */
  door?: string
}
const RULES = 'Leave it as you found it. No glass outdoors. Music ends at 10 PM.'
const AGREEMENT =
  'I am at least 21 years old and am responsible for everyone who comes with me. I will leave the place clean, report damage, and hold the municipality harmless for what happens during my reservation.'

/** Resources of a borough with a park, and of a waterfront city that rents out larger rooms and equipment. */
const demoResources: Readonly<
  Record<string, { refundDays: number; latePercent: number; waitedFor: number; resources: readonly DemoResource[] }>
> = {
  maplegrove: {
    ...{ refundDays: 7, latePercent: 50, waitedFor: 3 },
    resources: [
      {
        ...{
          name: 'Mill Race Pavilion',
          kind: 'pavilion',
          location: 'Mill Race Park, Front Street',
          capacity: 120,
          busy: 46,
        },
        description: 'Twelve tables under one roof beside the mill race, with two grills.',
        ...{ amenities: 'Tables, power, two grills, water, restrooms', seasons: outdoors },
        accessibility: 'Level path from the parking lot, two accessible tables, accessible restroom.',
        ...{ resident: 2000, other: 3500, deposit: 7500, addons: [{ name: 'Extra trash service', cents: 2500 }] },
      },
      {
        ...{ name: 'Memorial Park pavilion', kind: 'pavilion', location: 'Memorial Park', capacity: 60, busy: 38 },
        description: 'A smaller pavilion beside the playground.',
        ...{ amenities: 'Six tables, one grill, playground', seasons: outdoors },
        accessibility: 'Paved path; the playground has a ramp.',
        ...{ resident: 1200, other: 2000, deposit: 5000 },
      },
      {
        ...{
          name: 'Community Room',
          kind: 'hall',
          location: 'Borough Hall',
          door: 'borough-hall-east',
          capacity: 80,
          approval: true,
          certificateFrom: 30,
          busy: 44,
        },
        description: 'A room with a kitchen and a projector, for meetings and parties.',
        ...{ amenities: 'Kitchen, projector, 80 chairs, Wi-Fi', seasons: always },
        accessibility: 'Elevator, hearing loop, accessible restroom.',
        ...{ resident: 3000, other: 5500, deposit: 15_000, addons: [{ name: 'Kitchen', cents: 4000 }] },
      },
      {
        ...{ name: 'Ball Field 2', kind: 'field', location: 'Memorial Park', capacity: 0, busy: 34 },
        description: 'A lit field. Reserve the entire field or one half.',
        ...{ amenities: 'Lights until 10 PM, dugouts, water', seasons: outdoors },
        accessibility: 'Level path to both dugouts.',
        ...{ resident: 1500, other: 2500, deposit: 0, parts: ['North half', 'South half'] },
      },
      {
        ...{
          name: 'Folding tables',
          kind: 'equipment',
          location: 'Public Works yard',
          capacity: 0,
          pieces: 40,
          busy: 30,
        },
        description: 'Eight-foot tables to take home for a day.',
        ...{ amenities: '', accessibility: 'We load them for you.', seasons: always },
        ...{ resident: 100, other: 200, deposit: 5000 },
      },
    ],
  },
  harborcity: {
    ...{ refundDays: 14, latePercent: 0, waitedFor: 7 },
    resources: [
      {
        ...{
          name: 'Boathouse',
          kind: 'hall',
          location: 'Fort Avenue',
          door: 'boathouse-pier',
          capacity: 200,
          approval: true,
          certificateFrom: 0,
          busy: 52,
        },
        description: 'The hall over the water, for weddings and concerts.',
        ...{ amenities: 'Stage, bar, catering kitchen, 200 chairs', seasons: always },
        accessibility: 'Ramp at the east door, accessible restrooms on both floors.',
        ...{ resident: 12_000, other: 18_000, deposit: 50_000, addons: [{ name: 'Sound system', cents: 15_000 }] },
      },
      {
        ...{ name: 'Lighthouse Park shelter', kind: 'pavilion', location: 'Lighthouse Park', capacity: 90, busy: 50 },
        description: 'A shelter with a view of the lighthouse.',
        ...{ amenities: 'Eight tables, fireplace, restrooms', seasons: outdoors },
        accessibility: 'Boardwalk from the parking lot.',
        ...{ resident: 2500, other: 4500, deposit: 10_000 },
      },
      {
        ...{
          name: 'Wharf Square stage',
          kind: 'pavilion',
          location: 'Wharf Square',
          capacity: 500,
          approval: true,
          certificateFrom: 100,
          busy: 30,
        },
        description: 'The open stage of the square.',
        ...{ amenities: 'Power, lights, two dressing rooms', seasons: outdoors },
        accessibility: 'Lift to the stage.',
        ...{ resident: 6000, other: 9000, deposit: 25_000 },
      },
      {
        ...{ name: 'Harbor Turf', kind: 'field', location: 'Bay Road', capacity: 0, busy: 58 },
        description: 'Artificial turf, lined for soccer. Reserve the entire field or one half.',
        ...{ amenities: 'Lights, goals, bleachers', seasons: always },
        accessibility: 'Accessible bleachers.',
        ...{ resident: 4000, other: 7000, deposit: 0, parts: ['Bay half', 'Road half'] },
      },
      {
        ...{ name: 'Kayaks', kind: 'equipment', location: 'Boat ramp', capacity: 0, pieces: 12, busy: 40 },
        description: 'Single kayaks with vests and paddles.',
        ...{ amenities: 'Vests, paddles', accessibility: 'Two with adapted seats; ask at the ramp.' },
        seasons: [season('05-01', '10-15', '08:00', '20:00')],
        ...{ resident: 800, other: 1200, deposit: 2000 },
      },
    ],
  },
}

async function addResources(tx: Tx, company: CompanyId, now: Date, kind: (typeof demoResources)[string]) {
  const rows = await tx
    .insertInto('rental_resource')
    .values(
      kind.resources.map((one) => ({
        ...{
          company_id: company,
          name: one.name,
          kind: one.kind,
          status: 'open' as const,
          description: one.description,
        },
        ...{ location: one.location, house_rules: RULES, amenities: one.amenities, accessibility: one.accessibility },
        ...{ capacity: one.capacity, pieces: one.pieces ?? 1, needs_approval: one.approval ?? false },
        certificate_from: one.certificateFrom ?? null,
        ...{ seasons: JSON.stringify(one.seasons), step_minutes: 60 as const, min_minutes: 60, max_minutes: 600 },
        ...{ notice_hours: 24, ahead_days: 365, before_minutes: one.kind === 'hall' ? 30 : 0, after_minutes: 30 },
        ...{ charged_by: 'hour' as const, resident_cents: one.resident, other_cents: one.other },
        ...{ security_deposit_cents: one.deposit, addons: JSON.stringify(one.addons ?? []) },
        ...{ refund_days: kind.refundDays, late_percent: kind.latePercent, agreement: AGREEMENT },
        ...{ door: one.door ?? '', gl_account: '4620', created_at: now },
      })),
    )
    .returning(['id', 'name'])
    .execute()
  const idOf = new Map(rows.map(({ id, name }) => [name, id]))
  for (const { name, parts = [] } of kind.resources) {
    const space = { company_id: company, resource_id: idOf.get(name) ?? 0 }
    const { id } = await tx
      .insertInto('rental_space')
      .values({ ...space, name: parts.length > 0 ? 'Whole' : '' })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const part of parts)
      await tx
        .insertInto('rental_space')
        .values({ ...space, parent_id: id, name: part, price_percent: 60 })
        .execute()
  }
  const [first] = rows
  if (first)
    await sql`
      INSERT INTO rental_blackout (company_id, resource_id, from_on, until_on, reason)
      VALUES (${company}, ${first.id}, ${now}::timestamptz::date + 40, ${now}::timestamptz::date + 43, 'New roof')`.execute(
      tx,
    )
  return idOf
}

const FIRST = `{Ann,Ben,Carla,Dev,Ella,Finn,Grace,Hugo,Iris,Jonas,Kira,Liam,Mona,Noah,Olive,Paul,Rosa,Sam,Tess,Will}`
const LAST = `{Abbott,Barnes,Castillo,Dalton,Ellis,Foster,Garcia,Hughes,Irwin,Jensen,Keller,Lopez,Meyer,Nolan,Ortiz,Porter,Reyes,Stone,Turner,Vance,Walsh,Young,Zimmer}`
const PURPOSES = `{Family reunion,Birthday party,Youth league practice,Garden club,Graduation,Neighborhood picnic,Choir rehearsal,Retirement party,Scout meeting,Baby shower,Company picnic}`

/**
 * Adds reservations from a year ago to three months ahead, at most three a day with gaps between them. The pavilion
 * reservations for yesterday and today await check-in, so that testers can check in at any hour.
 */
async function addReservations(tx: Tx, company: CompanyId, now: Date, zone: string, busy: Map<number, number>) {
  const today = dateIn(zone, now)
  await sql`
    WITH resource AS (
      SELECT s.*, b.busy, (SELECT id FROM rental_space p WHERE p.company_id = s.company_id AND p.resource_id = s.id AND parent_id IS NULL) AS space
      FROM rental_resource s JOIN unnest(${[...busy.keys()]}::bigint[], ${[...busy.values()]}::int[]) AS b(id, busy) ON b.id = s.id
      WHERE s.company_id = ${company}
    ), slot AS (
      SELECT r.*, d AS day, hour, (abs(hashint8(r.id * 100003 + d * 17 + hour * 7919)) % 1000)::int AS dice
      FROM resource r, generate_series(-365, 90) AS d, unnest('{10,14,18}'::int[]) AS hour
    ), taken AS (
      SELECT *, row_number() OVER (ORDER BY day, hour, id)::int AS n,
        (${today}::date + day + make_interval(hours => hour)) AT TIME ZONE ${zone} AS starts,
        (${today}::date + day + make_interval(hours => hour + 2 + dice % 2)) AT TIME ZONE ${zone} AS ends,
        dice % 3 > 0 AS local, dice % 89 AS chance
      FROM slot WHERE dice < busy * CASE WHEN extract(isodow FROM ${today}::date + day) > 5 THEN 5 ELSE 2 END * CASE WHEN day > 30 THEN 0.8 ELSE 1 END
        OR day IN (-1, 0) AND kind = 'pavilion'
    ), apart AS (
      SELECT * FROM taken t WHERE NOT EXISTS (
        SELECT FROM rental_reservation v WHERE v.company_id = t.company_id AND v.resource_id = t.id
          AND v.starts_at < t.ends + interval '1 hour' AND t.starts < v.ends_at + interval '1 hour')
    ), priced AS (
      SELECT *, (CASE WHEN local THEN resident_cents ELSE other_cents END * (2 + dice % 2))::bigint AS price,
        CASE WHEN day IN (-1, 0) AND kind = 'pavilion' THEN 'confirmed' WHEN chance = 1 THEN 'declined' WHEN chance < 7 THEN 'cancelled' WHEN chance = 8 THEN 'expired'
          WHEN ends < ${now}::timestamptz THEN CASE WHEN chance < 13 THEN 'no_show' ELSE 'completed' END
          WHEN starts <= ${now}::timestamptz THEN 'in_use' WHEN needs_approval AND chance < 40 THEN 'requested'
          WHEN chance = 88 THEN 'held' ELSE 'confirmed' END AS stands
      FROM apart
    )
    INSERT INTO rental_reservation (company_id, resource_id, space_id, title, pieces, starts_at, ends_at, status, held_until, name, email,
      purpose, guests, is_resident, by_staff, items, price_cents, security_deposit_cents, withheld_cents, withheld_reason, agreed_at, created_at, updated_at)
    SELECT company_id, id, space, name || CASE WHEN kind = 'field' THEN ', Whole' ELSE '' END, CASE WHEN pieces > 1 THEN 1 + dice % 8 ELSE 1 END,
      starts, ends, stands, CASE WHEN stands = 'held' THEN least(${now}::timestamptz + interval '2 days', starts) END,
      (${FIRST}::text[])[1 + n * 7 % 20] || ' ' || (${LAST}::text[])[1 + n * 11 % 23],
      lower((${FIRST}::text[])[1 + n * 7 % 20] || '.' || (${LAST}::text[])[1 + n * 11 % 23]) || '@example.com',
      (${PURPOSES}::text[])[1 + n * 5 % 11], CASE WHEN capacity > 0 THEN 10 + dice % (capacity - 10) ELSE 0 END, local, dice % 5 = 0,
      jsonb_build_array(jsonb_build_object('text', 'Rental', 'note', '', 'amountCents', price)) || CASE WHEN security_deposit_cents > 0 THEN
        jsonb_build_array(jsonb_build_object('text', 'Security deposit', 'note', 'Refundable after the inspection', 'amountCents', security_deposit_cents)) ELSE '[]' END, price, security_deposit_cents,
      CASE WHEN stands = 'completed' AND chance = 20 THEN least(security_deposit_cents, 2500) ELSE 0 END,
      CASE WHEN stands = 'completed' AND chance = 20 AND security_deposit_cents > 0 THEN 'Left dirty' ELSE '' END,
      CASE WHEN dice % 5 > 0 THEN least(starts - (5 + dice % 50) * interval '1 day', ${now}::timestamptz - interval '1 hour') END,
      least(starts - (5 + dice % 50) * interval '1 day', ${now}::timestamptz - interval '1 hour'),
      least(starts, ${now}::timestamptz)
    FROM priced ORDER BY n`.execute(tx)
  await sql`
    INSERT INTO rental_occupancy (company_id, reservation_id, space_id, piece, buffer_from, buffer_until)
    SELECT v.company_id, v.id, leaf.id, piece, v.starts_at - s.before_minutes * interval '1 minute', v.ends_at + s.after_minutes * interval '1 minute'
    FROM rental_reservation v JOIN rental_resource s ON s.company_id = v.company_id AND s.id = v.resource_id
    JOIN rental_space leaf ON leaf.company_id = v.company_id AND v.space_id IN (leaf.id, leaf.parent_id)
      AND NOT EXISTS (SELECT FROM rental_space part WHERE part.company_id = leaf.company_id AND part.parent_id = leaf.id)
    CROSS JOIN LATERAL generate_series(1, v.pieces) AS piece
    WHERE v.company_id = ${company} AND v.status NOT IN ('declined', 'cancelled', 'expired')`.execute(tx)
  await sql`
    WITH step AS (
      SELECT * FROM (VALUES ('requested', 1, '', 'requested', 'request'), ('held', 1, '', 'held', 'hold'), ('confirmed', 1, '', 'confirmed', 'book'),
        ('in_use', 1, '', 'confirmed', 'book'), ('in_use', 2, 'confirmed', 'in_use', 'check_in'),
        ('completed', 1, '', 'confirmed', 'book'), ('completed', 2, 'confirmed', 'in_use', 'check_in'), ('completed', 3, 'in_use', 'completed', 'inspect'),
        ('no_show', 1, '', 'confirmed', 'book'), ('no_show', 2, 'confirmed', 'no_show', 'miss'),
        ('declined', 1, '', 'requested', 'request'), ('declined', 2, 'requested', 'declined', 'decline'),
        ('cancelled', 1, '', 'confirmed', 'book'), ('cancelled', 2, 'confirmed', 'cancelled', 'cancel'),
        ('expired', 1, '', 'held', 'hold'), ('expired', 2, 'held', 'expired', 'expire')) AS x(status, seq, from_state, to_state, event)
    )
    INSERT INTO status_history (company_id, machine, subject_id, seq, from_state, to_state, event, at, actor_kind, actor_name, reason)
    SELECT v.company_id, ${rentalStates.name}, v.id, x.seq, x.from_state, x.to_state, x.event,
      CASE WHEN x.seq = 1 THEN v.created_at ELSE v.updated_at END, 'system', 'Mainstreet', CASE x.event WHEN 'decline' THEN 'The town needs it that day.' ELSE '' END
    FROM rental_reservation v JOIN step x ON x.status = v.status WHERE v.company_id = ${company}`.execute(tx)
  await sql`
    WITH item AS (
      INSERT INTO scheduled_item (company_id, event_type_id, title, description, starts_at, ends_at, status, source_kind, source_id)
      SELECT company_id, 2, title || ': ' || purpose, number, starts_at, ends_at,
        CASE status WHEN 'confirmed' THEN 'not_started' WHEN 'in_use' THEN 'in_progress' ELSE 'completed' END, 'rental', id
      FROM rental_reservation WHERE company_id = ${company} AND status IN ('confirmed', 'in_use', 'completed')
        AND starts_at > ${now}::timestamptz - interval '28 days'
      RETURNING id, source_id
    )
    UPDATE rental_reservation v SET calendar_item_id = item.id FROM item WHERE v.company_id = ${company} AND v.id = item.source_id`.execute(
    tx,
  )
}

/** Assigns some future, past and cancelled reservations to the resident account that the README lists. */
const giveToResident = (tx: Tx, company: CompanyId, now: Date) =>
  sql`
    UPDATE rental_reservation v SET person_id = p.id, name = p.first_name || ' ' || p.last_name, email = p.email, by_staff = false
    FROM person p WHERE v.company_id = ${company} AND p.company_id = v.company_id AND p.email LIKE 'resident@%' AND v.id IN (
      (SELECT id FROM rental_reservation WHERE company_id = ${company} AND status = 'confirmed' AND starts_at > ${now}::timestamptz + interval '9 days' ORDER BY starts_at LIMIT 1)
      UNION (SELECT id FROM rental_reservation WHERE company_id = ${company} AND status = 'completed' ORDER BY starts_at DESC LIMIT 2)
      UNION (SELECT id FROM rental_reservation WHERE company_id = ${company} AND status = 'cancelled' ORDER BY starts_at DESC LIMIT 1))`.execute(
    tx,
  )

async function addRentals(demo: Demo, company: CompanyId): Promise<RentalDemo | null> {
  return tenancyOn(demo.db.app)(company, async (tx) => {
    const { subdomain, timeZone } = await loadCompanyDetails(tx, company)
    const kind = demoResources[subdomain]
    if (!kind) return null
    const now = demo.clock.now()
    const resources = await addResources(tx, company, now, kind)
    const at = { demo, company, subdomain, timeZone, resources }
    const busy = new Map(kind.resources.map(({ name, busy: share }) => [resources.get(name) ?? 0, share]))
    for (const { beforeReservations } of demoSteps) await beforeReservations?.(tx, at)
    await allowSeries(tx, at)
    await addSeries(tx, at)
    await addReservations(tx, company, now, timeZone, busy)
    await giveToResident(tx, company, now)
    await addWaitlisted(tx, company, now, kind.waitedFor)
    for (const { afterReservations } of demoSteps) await afterReservations?.(tx, at)
    await payReservations(tx, company, now, timeZone)
    return at
  })
}

export const demo: DemoPart = {
  company: async (demoOf, _demoCompany, { company }) => {
    const at = await addRentals(demoOf, company)
    await addPhotos(demoOf, company)
    if (at) for (const { afterCommit } of demoSteps) await afterCommit?.(at)
  },
}
