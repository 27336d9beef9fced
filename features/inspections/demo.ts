import { sql } from 'kysely'
import { type Random, randomFrom } from '../../database/random.ts'
import type { Demo, DemoPart } from '../../server/demo.ts'
import { companyIdFrom, outsideCompanies, tenancyOn, type CompanyId, type Tx } from '../../server/tenancy.ts'
import { addDays, dateIn, instantAt, weekday } from '../../shared/dates.ts'
import { blankField, blankStep } from '../../shared/fields/blank.ts'
import type { Definition, Field } from '../../shared/fields/definition.ts'
import { orderNumber } from '../work-orders/rules.ts'
import { orderStates } from '../work-orders/states.ts'
import { inspectionNumber, LOCATION } from './rules.ts'
import { inspectionStates, itemStates } from './states.ts'

interface DemoItem {
  title: string
  fields: Field[]
  /** Returns sample answers for an item that passes. */
  answers: (random: Random) => Record<string, unknown>
  fails: string
}
interface DemoTemplate {
  name: string
  kind: string
  everyMonths: number
  certificate: string
  items: readonly DemoItem[]
}

const box = (name: string, label: string): Field => ({ ...blankField('checkbox', name), label })
const count = (name: string, label: string): Field => ({ ...blankField('number', name), label, required: true })

const templates: readonly DemoTemplate[] = [
  {
    ...{ name: 'Hydrant, yearly', kind: 'hydrant', everyMonths: 12 },
    certificate: 'The hydrant was operated and flushed. It is ready for use.',
    items: [
      {
        ...{ title: 'Valve and stem', fields: [count('turns', 'Turns to open')], fails: 'The stem is stiff and leaks' },
        answers: (random) => ({ turns: random.int(12, 21) }),
      },
      {
        ...{ title: 'Caps and chains', fields: [box('greased', 'Threads greased')], fails: 'A cap is missing' },
        answers: () => ({ greased: true }),
      },
      {
        ...{
          title: 'Drains after use',
          fields: [count('minutes', 'Minutes until dry')],
          fails: 'Water remains in the barrel',
        },
        answers: (random) => ({ minutes: random.int(4, 15) }),
      },
    ],
  },
  {
    ...{ name: 'Playground, quarterly', kind: LOCATION, everyMonths: 3 },
    certificate: 'The playground was inspected and is safe.',
    items: [
      {
        ...{ title: 'Swings and chains', fields: [box('bolts', 'Bolts tight')], fails: 'A chain link is worn through' },
        answers: () => ({ bolts: true }),
      },
      {
        ...{
          title: 'Ground below',
          fields: [count('inches', 'Wood chips, inches deep')],
          fails: 'Too few wood chips below the slide',
        },
        answers: (random) => ({ inches: random.int(9, 14) }),
      },
    ],
  },
  {
    ...{ name: 'Fire safety of a business', kind: LOCATION, everyMonths: 12 },
    certificate: 'The premises were inspected. No fire code violation was found.',
    items: [
      {
        ...{
          title: 'Exits and exit signs',
          fields: [box('free', 'All exits free')],
          fails: 'The rear exit is blocked by boxes',
        },
        answers: () => ({ free: true }),
      },
      {
        ...{
          title: 'Extinguishers',
          fields: [count('number', 'How many')],
          fails: 'Two extinguishers are past their date',
        },
        answers: (random) => ({ number: random.int(1, 6) }),
      },
      {
        ...{
          title: 'Alarm and sprinklers',
          fields: [box('tested', 'Tested this year')],
          fails: 'The alarm panel shows a fault',
        },
        answers: () => ({ tested: true }),
      },
    ],
  },
]

const definitionOf = ({ items }: DemoTemplate): Definition => ({
  steps: items.map(({ title, fields }, n) => ({ ...blankStep(`item${n + 1}`), title, fields })),
})

interface Subject {
  id: number | null
  name: string
  location: string
  lat: number | null
  lon: number | null
  x: number | null
  y: number | null
}

interface DemoInspection {
  number: string
  template: number
  subject: Subject
  on: string
  starts: string
  status: 'scheduled' | 'passed' | 'failed'
  by: { id: number; name: string } | null
  created: string
  finished: string | null
  again: string | null
  items: {
    no: number
    step: string
    title: string
    status: string
    answers: object
    reason: string
    repeats: number | null
  }[]
}

/** Adds inspections of the past year and of the next weeks. Failed items have a work order or a re-inspection. */
async function addInspections({ clock }: Demo, tx: Tx, company: CompanyId, zone: string, seed: number): Promise<void> {
  const hydrants = await sql<Subject>`
    SELECT id::int, 'Hydrant ' || number AS name, location, lat, lon, (at)[0] AS x, (at)[1] AS y FROM hydrant
    WHERE company_id = ${company} AND service <> 'retired' ORDER BY id`.execute(tx)
  if (hydrants.rows.length === 0) return
  const houses = await sql<Subject>`
    SELECT NULL::int AS id, a.house_number || ' ' || s.name AS name, a.house_number || ' ' || s.name AS location, a.lat, a.lon,
      (a.at)[0] AS x, (a.at)[1] AS y
    FROM address a JOIN street s ON s.company_id = a.company_id AND s.id = a.street_id
    WHERE a.company_id = ${company} ORDER BY a.id LIMIT 60`.execute(tx)
  const inspectors = await sql<{ id: number; name: string }>`
    SELECT id::int, trim(first_name || ' ' || last_name) AS name FROM person
    WHERE company_id = ${company} AND role_id >= 3 AND is_active = 1 AND locked_at IS NULL ORDER BY email LIMIT 6`.execute(
    tx,
  )
  const random = randomFrom(seed)
  const now = clock.now()
  const today = dateIn(zone, now)
  const ids = await addTemplates(tx, company, now)
  const made: DemoInspection[] = []
  const last = new Map<number, number>()
  const nextNumber = (day: string) => {
    const year = Number(day.slice(0, 4))
    last.set(year, (last.get(year) ?? 0) + 1)
    return inspectionNumber(year, last.get(year) ?? 1)
  }
  const workday = (day: string) => addDays(day, [1, 0, 0, 0, 0, 0, 2][weekday(day)] ?? 0)
  for (let back = 365; back >= -30; back -= 1) {
    const targetDay = addDays(today, -back)
    if (weekday(targetDay) % 6 === 0 || !random.chance(0.7)) continue
    const which = Number(random.weighted({ 0: 0.6, 1: 0.15, 2: 0.25 }))
    made.push(
      make(
        which,
        random.pick((templates[which]?.kind === LOCATION ? houses : hydrants).rows),
        workday(targetDay),
        null,
      ),
    )
  }
  function make(which: number, subject: Subject, on: string, again: DemoInspection | null): DemoInspection {
    const template = templates[which] as DemoTemplate
    const starts = instantAt(zone, on, `${String(random.int(8, 14)).padStart(2, '0')}:00`)
    // Some past inspections are still open.
    const isDone = starts < now && (on < addDays(today, -25) || random.chance(0.85))
    const failed = again ? again.items.filter(({ status }) => status === 'failed') : null
    const sourceItems = failed ?? template.items.map(({ title }, n) => ({ no: null, step: `item${n + 1}`, title }))
    const items = sourceItems.map(({ step, title, no }, n) => {
      const item = template.items[Number(step.slice(4)) - 1] as DemoItem
      const status = !isDone ? 'open' : again || random.chance(0.94) ? 'passed' : 'failed'
      return {
        ...{ no: n + 1, step, title, status, repeats: no, reason: status === 'failed' ? item.fails : '' },
        answers: status === 'passed' ? item.answers(random) : {},
      }
    })
    const status = !isDone ? 'scheduled' : items.some((item) => item.status === 'failed') ? 'failed' : 'passed'
    const one: DemoInspection = {
      ...{ number: nextNumber(on), template: which, subject, on, status, items, again: again?.number ?? null },
      ...{ starts: starts.toISOString(), by: random.chance(0.9) || isDone ? random.pick(inspectors.rows) : null },
      created: new Date(Math.min(starts.getTime() - 10 * 86_400_000, now.getTime() - 3_600_000)).toISOString(),
      finished: isDone ? new Date(Math.min(starts.getTime() + 2_400_000, now.getTime())).toISOString() : null,
    }
    if (status === 'failed' && random.chance(0.8)) {
      const next = make(which, subject, workday(addDays(on, random.int(10, 25))), one)
      made.push(next)
    }
    return one
  }
  await save(tx, company, made, ids, last)
  await openOrders(tx, company, zone)
}

async function addTemplates(tx: Tx, company: CompanyId, now: Date) {
  const began = new Date(now.getTime() - 400 * 86_400_000)
  const ids: { id: number; fields: number }[] = []
  for (const template of templates) {
    const definition = JSON.stringify(definitionOf(template))
    const { rows } = await sql<{ id: number; fields: number }>`
      WITH fields AS (
        INSERT INTO field_set (company_id, kind, name, draft, latest_version, created_at, updated_at)
        VALUES (${company}, 'inspection', ${template.name}, ${definition}, 1, ${began}, ${began}) RETURNING id),
      version AS (
        INSERT INTO field_set_version (company_id, field_set_id, version, definition, published_at, published_by)
        SELECT ${company}::int, id, 1, ${definition}::jsonb, ${began}::timestamptz, 'Mainstreet' FROM fields)
      INSERT INTO inspection_template (company_id, name, subject_kind, every_months, certificate, field_set_id)
      SELECT ${company}::int, ${template.name}, ${template.kind}, ${template.everyMonths}::int, ${template.certificate}, id FROM fields
      RETURNING id::int, field_set_id::int AS fields`.execute(tx)
    ids.push(...rows)
  }
  return ids
}

async function save(
  tx: Tx,
  company: CompanyId,
  made: readonly DemoInspection[],
  ids: readonly { id: number; fields: number }[],
  last: ReadonlyMap<number, number>,
): Promise<void> {
  for (const [year, lastNumber] of last)
    await tx.insertInto('inspection_number').values({ company_id: company, year, last: lastNumber }).execute()
  const rows = made.map(({ subject, template, by, items: _items, ...one }) => ({
    ...one,
    ...{ template: ids[template]?.id, fields: ids[template]?.fields, title: templates[template]?.name },
    ...{
      kind: templates[template]?.kind,
      subject_id: subject.id,
      subject: subject.name,
      by: by?.id ?? null,
      inspector: by?.name ?? '',
    },
    ...{ location: subject.location, lat: subject.lat, lon: subject.lon, x: subject.x, y: subject.y },
  }))
  await sql`
    INSERT INTO inspection (company_id, number, template_id, field_set_id, version, title, subject_kind, subject_id, subject_name, location,
      lat, lon, at, status, due_on, starts_at, assigned_to, created_at, finished_at, finished_by)
    SELECT ${company}::int, number, template, fields, 1, title, kind, subject_id, subject, location, lat, lon,
      CASE WHEN x.x IS NOT NULL THEN point(x.x, x.y) END, status, "on", starts, by, created, finished,
      CASE WHEN finished IS NULL THEN '' ELSE inspector END
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS x(number text, template bigint, fields bigint, title text, kind text,
      subject_id bigint, subject text, location text, lat float8, lon float8, x float8, y float8, status text, "on" date, starts timestamptz,
      by bigint, created timestamptz, finished timestamptz, inspector text)`.execute(tx)
  const items = made.flatMap(({ number, again, items: its }) => its.map((item) => ({ ...item, number, again })))
  await sql`
    INSERT INTO inspection_item (company_id, inspection_id, no, step, title, status, answers, reason, done_at, done_by)
    SELECT i.company_id, i.id, x.no, x.step, x.title, x.status, x.answers, x.reason, i.finished_at, i.finished_by
    FROM jsonb_to_recordset(${JSON.stringify(items)}::jsonb) AS x(number text, no int, step text, title text, status text, answers jsonb,
      reason text)
    JOIN inspection i ON i.company_id = ${company} AND i.number = x.number`.execute(tx)
  const linked = items.filter(({ again }) => again !== null)
  await sql`
    WITH link AS (
      SELECT n.id, o.id AS before, ni.id AS item, oi.id AS repeats
      FROM jsonb_to_recordset(${JSON.stringify(linked)}::jsonb) AS x(number text, again text, no int, repeats int)
      JOIN inspection n ON n.company_id = ${company} AND n.number = x.number
      JOIN inspection o ON o.company_id = n.company_id AND o.number = x.again
      JOIN inspection_item ni ON ni.company_id = n.company_id AND ni.inspection_id = n.id AND ni.no = x.no
      JOIN inspection_item oi ON oi.company_id = n.company_id AND oi.inspection_id = o.id AND oi.no = x.repeats),
    again AS (UPDATE inspection i SET repeat_of = link.before FROM link WHERE i.company_id = ${company} AND i.id = link.id)
    UPDATE inspection_item i SET repeat_of = link.repeats FROM link WHERE i.company_id = ${company} AND i.id = link.item`.execute(
    tx,
  )
  await sql`
    INSERT INTO status_history (company_id, machine, subject_id, seq, from_state, to_state, event, at, actor_kind, actor_name, reason)
    SELECT i.company_id, ${inspectionStates.name}, i.id, s.seq, s.before, s.after, s.event, s.at, 'municipality', s.by, ''
    FROM inspection i CROSS JOIN LATERAL (VALUES
      (1, '', 'scheduled', 'schedule', i.created_at, 'Town Hall'),
      (2, 'scheduled', i.status, 'finish', i.finished_at, i.finished_by)) AS s(seq, before, after, event, at, by)
    WHERE i.company_id = ${company} AND (s.seq = 1 OR i.finished_at IS NOT NULL)
    UNION ALL
    SELECT t.company_id, ${itemStates.name}, t.id, s.seq, s.before, s.after, s.event, s.at, 'municipality', s.by, s.reason
    FROM inspection_item t JOIN inspection i ON i.company_id = t.company_id AND i.id = t.inspection_id CROSS JOIN LATERAL (VALUES
      (1, '', 'open', 'add', i.created_at, 'Town Hall', ''),
      (2, 'open', 'complete', 'complete', i.finished_at, i.finished_by, ''),
      (3, 'complete', t.status, CASE t.status WHEN 'passed' THEN 'pass' ELSE 'fail' END, i.finished_at, i.finished_by, t.reason)
    ) AS s(seq, before, after, event, at, by, reason)
    WHERE t.company_id = ${company} AND (s.seq = 1 OR i.finished_at IS NOT NULL)`.execute(tx)
  await sql`
    WITH item AS (
      INSERT INTO scheduled_item (company_id, event_type_id, title, description, starts_at, ends_at, status, source_kind, source_id, assigned_to)
      SELECT company_id, 4, title || ': ' || subject_name, concat_ws(', ', number, nullif(location, '')), starts_at,
        starts_at + interval '1 hour', CASE status WHEN 'scheduled' THEN 'not_started' ELSE 'completed' END, 'inspection', id, assigned_to
      FROM inspection WHERE company_id = ${company} RETURNING id, source_id)
    UPDATE inspection i SET item_id = item.id FROM item WHERE i.company_id = ${company} AND i.id = item.source_id`.execute(
    tx,
  )
}

/** Adds a work order for each failed item. The work order is done if the item was inspected again. */
async function openOrders(tx: Tx, company: CompanyId, zone: string): Promise<void> {
  const { rows: failed } = await sql<{ id: number; year: number }>`
    SELECT t.id::int, extract(year FROM i.finished_at AT TIME ZONE ${zone})::int AS year
    FROM inspection_item t JOIN inspection i ON i.company_id = t.company_id AND i.id = t.inspection_id
    WHERE t.company_id = ${company} AND t.status = 'failed' ORDER BY i.finished_at, t.id`.execute(tx)
  const numbers: { id: number; number: string }[] = []
  for (const year of new Set(failed.map((item) => item.year))) {
    const ofYear = failed.filter((item) => item.year === year)
    const { rows } = await sql<{ last: number }>`
      INSERT INTO work_order_number (company_id, year, last) VALUES (${company}, ${year}, ${ofYear.length})
      ON CONFLICT (company_id, year) DO UPDATE SET last = work_order_number.last + excluded.last RETURNING last`.execute(
      tx,
    )
    const first = (rows[0]?.last ?? 0) - ofYear.length + 1
    numbers.push(...ofYear.map(({ id }, n) => ({ id, number: orderNumber(year, first + n) })))
  }
  await sql`
    WITH made AS (
      INSERT INTO work_order (company_id, number, title, description, kind, status, severity, source_kind, source_id, asset_kind, asset_id,
        asset_name, location, lat, lon, at, created_at, completed_at)
      SELECT t.company_id, x.number, left(t.title || ': ' || i.subject_name, 120), t.reason || E'\n\nFound at inspection ' || i.number || '.',
        'repair', CASE WHEN done.at IS NULL THEN 0 ELSE 2 END, 1, ${itemStates.name}, t.id,
        CASE WHEN i.subject_id IS NULL THEN NULL ELSE i.subject_kind END, i.subject_id,
        CASE WHEN i.subject_id IS NULL THEN '' ELSE i.subject_name END, i.location, i.lat, i.lon, i.at, t.done_at, done.at
      FROM jsonb_to_recordset(${JSON.stringify(numbers)}::jsonb) AS x(id bigint, number text)
      JOIN inspection_item t ON t.company_id = ${company} AND t.id = x.id
      JOIN inspection i ON i.company_id = t.company_id AND i.id = t.inspection_id
      LEFT JOIN LATERAL (SELECT r.done_at - interval '1 day' AS at FROM inspection_item r
        WHERE r.company_id = t.company_id AND r.repeat_of = t.id AND r.status = 'passed') AS done ON true
      RETURNING company_id, id, status, created_at, completed_at)
    INSERT INTO status_history (company_id, machine, subject_id, seq, from_state, to_state, event, at, actor_kind, actor_name, reason)
    SELECT m.company_id, ${orderStates.name}, m.id, s.seq, s.before, s.after, s.event, s.at, 'municipality', 'Public Works', ''
    FROM made m CROSS JOIN LATERAL (VALUES (1, '', '0', 'open', m.created_at), (2, '0', '1', 'start', m.completed_at),
      (3, '1', '2', 'complete', m.completed_at)) AS s(seq, before, after, event, at)
    WHERE s.seq = 1 OR m.status = 2`.execute(tx)
}

/** Runs after all companies have their hydrants and work orders. */
export const demo: DemoPart = {
  after: async (loading) => {
    const { rows } = await outsideCompanies(loading.db.platform)((tx) =>
      sql<{ id: number; zone: string }>`
        SELECT c.id, z.zone FROM company c JOIN timezone z ON z.id = c.timezone_id ORDER BY c.id`.execute(tx),
    )
    await Promise.all(
      rows.map(({ id, zone }) => {
        const company = companyIdFrom('platform', id)
        return tenancyOn(loading.db.app)(company, (tx) => addInspections(loading, tx, company, zone, id + 83))
      }),
    )
  },
}
