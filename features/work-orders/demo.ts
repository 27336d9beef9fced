import { sql } from 'kysely'
import { type Random, randomFrom } from '../../database/random.ts'
import type { DemoCompany } from '../../database/towns/town.ts'
import type { Demo, DemoPart } from '../../server/demo.ts'
import { type CompanyId, tenancyOn, type Tx } from '../../server/tenancy.ts'
import { addDays, dateIn, instantAt, weekday } from '../../shared/dates.ts'
import { type Job, jobs, plans } from './demo-texts.ts'
import { ruleOf } from '../../shared/repeats.ts'
import { costOf, orderNumber } from './rules.ts'
import { daysOfRule } from '../../server/days-of-rule.ts'
import { orderStates } from './states.ts'

/** Length of the demo history, in days. */
const YEAR = 365
const HOUR = 3_600_000
/**
 * Earliest time of day at which demo orders are created, in UTC. It is morning in the time zones of all demo companies,
 * so that each order has the same date everywhere.
 */
const MORNING = 'T14:00:00Z'

interface DemoLocation {
  text: string
  address_id: number | null
  lat: number | null
  lon: number | null
  x: number | null
  y: number | null
}

interface Worker {
  id: number
  name: string
  department: string
  department_id: number
}

interface DemoWorkOrder {
  title: string
  description: string
  kind: Job['kind']
  severity: Job['severity']
  status: number
  location: DemoLocation
  department_id: number | null
  assigned_to: number | null
  crew_id: number | null
  due_on: string
  starts_at: string | null
  ends_at: string | null
  created_at: Date
  completed_at: string | null
  plan_id: number | null
  plan_day: string | null
  steps: { event: string; from: string; to: string; at: string; by: string | null; reason: string }[]
  checklist: readonly string[]
  costs: Job['costs']
  parts: ReturnType<typeof partsOf>
}

interface Writer {
  random: Random
  now: Date
  today: string
  /** Returns noon of a day in the company's time zone. */
  noon: (day: string) => number
  locations: readonly DemoLocation[]
  workers: readonly Worker[]
  departments: ReadonlyMap<string, number>
  /** Crew id by department, for departments with a crew. */
  crews: ReadonlyMap<string, number>
}

async function addOrders({ clock }: Demo, tx: Tx, company: CompanyId, demoCompany: DemoCompany): Promise<void> {
  const { rows: zones } = await sql<{ zone: string }>`
    SELECT z.zone FROM company c JOIN timezone z ON z.id = c.timezone_id WHERE c.id = ${company}`.execute(tx)
  const zone = zones[0]?.zone ?? 'UTC'
  const now = clock.now()
  const { rows: workers } = await sql<Worker>`
    SELECT p.id, trim(p.first_name || ' ' || p.last_name) AS name, d.name AS department, d.id AS department_id
    FROM person p JOIN department d ON d.company_id = p.company_id AND d.id = p.department_id
    WHERE p.company_id = ${company} AND p.role_id >= 3 AND p.is_active = 1 AND p.locked_at IS NULL ORDER BY p.email`.execute(
    tx,
  )
  const { rows: departments } = await sql<{ id: number; name: string }>`
    SELECT id, name FROM department WHERE company_id = ${company}`.execute(tx)
  const locations = await locationsOf(tx, company, demoCompany)
  if (locations.length === 0) return
  const noons = new Map<string, number>()
  const writer: Writer = {
    ...{ random: randomFrom(demoCompany.seed + 77), now, locations, workers, today: dateIn(zone, now) },
    noon: (day) => {
      const instant = noons.get(day) ?? instantAt(zone, day, '12:00').getTime()
      noons.set(day, instant)
      return instant
    },
    departments: new Map(departments.map(({ id, name }) => [name, id])),
    crews: await makeCrews(tx, company, workers),
  }
  await makeTemplates(tx, company, writer)
  const made = [...makeOrders(writer, demoCompany.utilities ? 4 : 2), ...(await makePlans(tx, company, writer))]
  await save(
    tx,
    company,
    made.toSorted((a, b) => a.created_at.getTime() - b.created_at.getTime()),
  )
}

/**
 * Creates a crew for each department that has sample jobs or plans and at least two people. If no department qualifies,
 * creates one crew for all.
 */
async function makeCrews(tx: Tx, company: CompanyId, workers: readonly Worker[]): Promise<Map<string, number>> {
  const crews = new Map<string, number>()
  const busy = new Set([...jobs, ...plans].map(({ department }) => department))
  const teams = [...Map.groupBy(workers, (worker) => worker.department)].filter(
    ([department, people]) => busy.has(department) && people.length > 1,
  )
  for (const [department, people] of teams.length > 0 ? teams : [['Town', workers] as const]) {
    const { id } = await tx
      .insertInto('crew')
      .values({ company_id: company, name: `${department} crew` })
      .returning('id')
      .executeTakeFirstOrThrow()
    const members = people.slice(0, 4).map((person) => ({ company_id: company, crew_id: id, person_id: person.id }))
    await tx.insertInto('crew_member').values(members).execute()
    crews.set(department, id)
  }
  return crews
}

/** Creates a template for each sample job that the crews do in each season. */
async function makeTemplates(tx: Tx, company: CompanyId, { departments, crews }: Writer): Promise<void> {
  for (const { title, description, kind, severity, minutes, department, checklist, costs } of jobs.filter(
    ({ months }) => !months,
  ))
    await tx
      .insertInto('work_order_template')
      .values({
        ...{ company_id: company, title, description, kind, severity, minutes, checklist: [...checklist] },
        parts: JSON.stringify(partsOf(costs)),
        department_id: departments.get(department) ?? null,
        crew_id: crews.get(department) ?? null,
      })
      .execute()
}

const partsOf = (costs: Job['costs']) =>
  costs.flatMap(([kind, text, quantity, unitCents]) => (kind === 'part' ? [{ text, quantity, unitCents }] : []))

/**
 * Finds house addresses for the orders. If the company has no address list, uses the sample locations of the demo
 * company.
 */
async function locationsOf(tx: Tx, company: CompanyId, demoCompany: DemoCompany): Promise<readonly DemoLocation[]> {
  const { rows } = await sql<DemoLocation>`
    SELECT a.house_number || ' ' || s.name AS text, a.id AS address_id, a.lat, a.lon, (a.at)[0] AS x, (a.at)[1] AS y
    FROM address a JOIN street s ON s.company_id = a.company_id AND s.id = a.street_id
    WHERE a.company_id = ${company} ORDER BY a.id LIMIT 400`.execute(tx)
  return rows.length > 0
    ? rows
    : demoCompany.locations.map((text) => ({ text, address_id: null, lat: null, lon: null, x: null, y: null }))
}

const onWorkday = (day: string): string => addDays(day, [1, 0, 0, 0, 0, 0, 2][weekday(day)] ?? 0)

/** Creates orders for each day of the last year. */
function makeOrders(writer: Writer, aDay: number): DemoWorkOrder[] {
  const { random, today } = writer
  const made: DemoWorkOrder[] = []
  for (let back = YEAR; back >= 0; back -= 1) {
    const day = addDays(today, -back)
    const month = Number(day.slice(5, 7))
    const fitting = jobs.filter(({ months }) => !months || months.includes(month))
    const many = weekday(day) % 6 === 0 ? random.int(0, 1) : random.int(aDay - 2, aDay + 2)
    for (let nth = 0; nth < many; nth += 1) {
      const job = random.pick(fitting)
      const wait = random.int(1, job.severity === 0 ? 5 : 18)
      // Leaves some of the latest orders without a schedule.
      const isTimed = back > 20 || random.chance(0.8)
      made.push(makeOrder(writer, job, { day, on: onWorkday(addDays(day, wait)), hour: random.int(8, 14), isTimed }))
    }
  }
  // Adds orders for the next days. Otherwise, the random orders could leave these days empty.
  for (const [nth, ahead] of [1, 2, 4].entries()) {
    const job = jobs[nth] as Job
    const on = onWorkday(addDays(today, ahead))
    made.push(makeOrder(writer, job, { day: addDays(today, -1), on, hour: 9, isTimed: true }))
  }
  return made
}

interface DemoSchedule {
  day: string
  on: string
  hour: number
  isTimed: boolean
  plan?: { id: number; day: string }
}

function makeOrder(
  writer: Writer,
  job: Omit<Job, 'months'>,
  { day, on, hour, isTimed, plan }: DemoSchedule,
): DemoWorkOrder {
  const { random, now } = writer
  const created = new Date(Math.min(Date.parse(`${day}${MORNING}`) + random.int(0, 8) * HOUR, now.getTime() - HOUR))
  const starts = new Date(writer.noon(on) + (hour - 12) * HOUR)
  const ends = new Date(starts.getTime() + job.minutes * 60_000)
  const team = writer.workers.filter(({ department }) => department === job.department)
  const worker = isTimed && team.length > 0 ? random.pick(team) : null
  const steps: DemoWorkOrder['steps'] = [
    { event: 'open', from: '', to: '0', at: created.toISOString(), by: null, reason: '' },
  ]
  const take = (event: string, from: string, to: string, at: Date, reason = '') =>
    steps.push({ event, from, to, at: at.toISOString(), by: worker?.name ?? null, reason })
  const fate =
    ends < now && isTimed
      ? random.weighted({ done: 0.93, begun: 0.02, late: 0.02, invalid: 0.02, again: 0.01 })
      : 'open'
  if (['done', 'begun', 'again'].includes(fate) || (starts <= now && isTimed && fate === 'open'))
    take('start', '0', '1', starts)
  if (fate === 'done' || fate === 'again') take('complete', '1', '2', ends)
  if (fate === 'again') take('reopen', '2', '3', new Date(ends.getTime() + HOUR), 'It came loose again.')
  if (fate === 'invalid') take('invalidate', '0', '4', starts, 'The crew could not find it.')
  const status = Number(steps.at(-1)?.to)
  return {
    ...{ title: job.title, description: job.description, kind: job.kind, severity: job.severity, status },
    ...{ location: random.pick(writer.locations), department_id: writer.departments.get(job.department) ?? null },
    crew_id: job.minutes > 90 || !worker ? (writer.crews.get(job.department) ?? null) : null,
    ...{ assigned_to: worker?.id ?? null, due_on: addDays(on, job.severity * 3), created_at: created },
    starts_at: isTimed ? starts.toISOString() : null,
    ends_at: isTimed ? ends.toISOString() : null,
    completed_at: status === 2 ? ends.toISOString() : null,
    ...{ plan_id: plan?.id ?? null, plan_day: plan?.day ?? null, steps, checklist: job.checklist },
    costs: status === 2 ? job.costs : [],
    parts: partsOf(job.costs),
  }
}

/** Creates the maintenance plans with their past and upcoming orders. */
async function makePlans(tx: Tx, company: CompanyId, writer: Writer): Promise<DemoWorkOrder[]> {
  const { today, random } = writer
  const made: DemoWorkOrder[] = []
  for (const plan of plans) {
    const startsOn = onWorkday(addDays(today, -YEAR + random.int(0, 20)))
    const rule = ruleOf({ unit: plan.unit, every: plan.every, weekdays: [], by: plan.by, until: '' }, startsOn)
    const days = daysOfRule(rule, startsOn, startsOn, 80)
    const until = addDays(today, plan.lead)
    const { id } = await tx
      .insertInto('work_plan')
      .values({
        ...{ company_id: company, title: plan.title, kind: plan.kind, severity: 1, checklist: [...plan.checklist] },
        ...{ rule, starts_on: startsOn, start_time: plan.time, minutes: plan.minutes, lead_days: plan.lead },
        department_id: writer.departments.get(plan.department) ?? null,
        crew_id: writer.crews.get(plan.department) ?? null,
        next_on: days.find((day) => day > until) ?? '9999-12-31',
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const job = {
      ...plan,
      description: '',
      severity: 1 as const,
      costs: [['labor', plan.title, plan.minutes, 4200] as const],
    }
    for (const day of days.filter((one) => one <= until)) {
      const opened = addDays(day, -plan.lead)
      const when = {
        day: opened,
        on: day,
        hour: Number(plan.time.slice(0, 2)),
        isTimed: plan.time !== '' || day < today,
      }
      made.push({ ...makeOrder(writer, job, { ...when, plan: { id, day } }), due_on: day })
    }
  }
  return made
}

async function save(tx: Tx, company: CompanyId, made: readonly DemoWorkOrder[]): Promise<void> {
  const last = new Map<number, number>()
  const rows = made.map(({ location, steps, checklist, costs, ...order }) => {
    const year = order.created_at.getUTCFullYear()
    last.set(year, (last.get(year) ?? 0) + 1)
    return {
      ...{ ...order, ...location, steps, checklist, number: orderNumber(year, last.get(year) ?? 0) },
      minutes: costs.reduce((sum, [kind, , quantity]) => sum + (kind === 'labor' ? quantity : 0), 0),
      cost_cents: costs.reduce((sum, [kind, , quantity, unit]) => sum + costOf(kind, quantity, unit), 0),
      costs: costs.map(([kind, text, quantity, unit]) => ({
        kind,
        text,
        quantity,
        unit,
        cents: costOf(kind, quantity, unit),
      })),
    }
  })
  for (const [year, lastNumber] of last)
    await tx.insertInto('work_order_number').values({ company_id: company, year, last: lastNumber }).execute()
  const { rows: saved } = await sql<{ id: number; number: string }>`
    INSERT INTO work_order (company_id, number, title, description, kind, status, severity, plan_id, plan_day, parts, location, address_id, lat,
      lon, at, department_id, assigned_to, crew_id, due_on, starts_at, ends_at, minutes, cost_cents, created_at, completed_at)
    SELECT ${company}::int, number, title, description, kind, status, severity, plan_id, plan_day, parts, text, address_id, lat, lon,
      CASE WHEN x.x IS NOT NULL THEN point(x.x, x.y) END, department_id, assigned_to, crew_id, due_on, starts_at, ends_at, minutes, cost_cents,
      created_at, completed_at
    FROM jsonb_to_recordset(${JSON.stringify(rows.map(({ steps: _s, checklist: _c, costs: _k, ...row }) => row))}::jsonb) AS x(
      number text, title text, description text, kind text, status int, severity int, plan_id bigint, plan_day date, parts jsonb, text text,
      address_id bigint, lat float8, lon float8, x float8, y float8, department_id bigint, assigned_to bigint, crew_id bigint, due_on date,
      starts_at timestamptz, ends_at timestamptz, minutes int, cost_cents bigint, created_at timestamptz, completed_at timestamptz)
    RETURNING id, number`.execute(tx)
  const ids = new Map(saved.map(({ id, number }) => [number, id]))
  const lines = <T>(of: (row: (typeof rows)[number]) => readonly T[]) =>
    JSON.stringify(
      rows.flatMap((row) => of(row).map((line, nth) => ({ ...line, id: ids.get(row.number), no: nth + 1 }))),
    )
  await sql`
    INSERT INTO status_history (company_id, machine, subject_id, seq, from_state, to_state, event, at, actor_kind, actor_name, reason)
    SELECT ${company}::int, ${orderStates.name}, id, no, "from", "to", event, at,
      CASE WHEN by IS NULL THEN 'system' ELSE 'municipality' END, coalesce(by, 'Mainstreet'), reason
    FROM jsonb_to_recordset(${lines(({ steps }) => steps)}::jsonb) AS x(id bigint, no int, "from" text, "to" text, event text,
      at timestamptz, by text, reason text)`.execute(tx)
  await sql`
    INSERT INTO work_order_task (company_id, order_id, no, text, done_at, done_by)
    SELECT ${company}::int, o.id, x.no, x.text, o.completed_at, CASE WHEN o.completed_at IS NULL THEN '' ELSE 'Crew' END
    FROM jsonb_to_recordset(${lines(({ checklist }) => checklist.map((text) => ({ text })))}::jsonb) AS x(id bigint, no int, text text)
    JOIN work_order o ON o.company_id = ${company} AND o.id = x.id`.execute(tx)
  await sql`
    INSERT INTO work_order_cost (company_id, order_id, no, kind, text, quantity, unit_cents, cents, at, by_name)
    SELECT ${company}::int, o.id, x.no, x.kind, x.text, x.quantity, x.unit, x.cents, o.completed_at, 'Crew'
    FROM jsonb_to_recordset(${lines(({ costs }) => costs)}::jsonb) AS x(id bigint, no int, kind text, text text, quantity int,
      unit bigint, cents bigint)
    JOIN work_order o ON o.company_id = ${company} AND o.id = x.id`.execute(tx)
  await sql`
    WITH item AS (
      INSERT INTO scheduled_item (company_id, event_type_id, title, description, starts_at, ends_at, status, source_kind, source_id,
        assigned_to, department_id, crew_id)
      SELECT company_id, 3, number || ' ' || title, location, starts_at, ends_at,
        CASE status WHEN 1 THEN 'in_progress' WHEN 2 THEN 'completed' ELSE 'not_started' END, 'work_order', id, assigned_to, department_id, crew_id
      FROM work_order WHERE company_id = ${company} AND starts_at IS NOT NULL AND status <> 4
      RETURNING id, source_id)
    UPDATE work_order o SET item_id = item.id FROM item WHERE o.company_id = ${company} AND o.id = item.source_id`.execute(
    tx,
  )
}

export const demo: DemoPart = {
  company: (loading, demoCompany, { company }) =>
    tenancyOn(loading.db.app)(company, (tx) => addOrders(loading, tx, company, demoCompany)),
}
