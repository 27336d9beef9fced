import { sql } from 'kysely'
import sharp from 'sharp'
import { firstNames, lastNames } from '../../database/names.ts'
import { type Random, randomFrom } from '../../database/random.ts'
import { loadCompanyDetails, housesOf, type Demo, type DemoPart } from '../../server/demo.ts'
import { type CompanyId, tenancyOn, type Tx } from '../../server/tenancy.ts'
import { addDays, dateIn, instantAt, midnightIn, weekday } from '../../shared/dates.ts'
import { JPEG } from '../../shared/file-types.ts'
import { requestCase } from './contract.ts'
import { answers, type DemoCategory, demoCompanies } from './demo-words.ts'
import { dueAt, idOf, type RequestSettings, usualSettings } from './rules.ts'
import { FIELDS_KIND } from './server/category-fields.ts'
import { recountRequests } from './server/request-sums.ts'
import { requestStates } from './states.ts'

const [HOUR, DAY] = [3_600_000, 86_400_000]
const DAYS = 365

interface DemoHistoryRow {
  event: string
  from: string
  to: string
  at: Date
  staff: boolean
  reason?: string
}
interface DemoMessage {
  at: Date
  staff: boolean
  text: string
}
type Status = 0 | 1 | 2 | 3 | 4 | 5

interface DemoScenario {
  status: Status
  steps: DemoHistoryRow[]
  said: DemoMessage[]
  verdict: { at: Date; is_fixed: 0 | 1 } | null
}

const WINTER: ReadonlySet<string> = new Set(['12', '01', '02', '03'])

/** Creates the history of a request that arrived at `at`, up to now. */
function scenarioOf({ told: _texts, done, days }: DemoCategory, at: Date, now: Date, random: Random): DemoScenario {
  const scenario: DemoScenario = { status: 0, steps: [], said: [], verdict: null }
  const after = (hours: number) => new Date((scenario.steps.at(-1)?.at ?? at).getTime() + hours * HOUR)
  /** Adds a transition unless its time is in the future. */
  const step = (event: string, to: Status, hours: number, staff: boolean, reason?: string): boolean => {
    const when = after(hours)
    if (when >= now) return false
    scenario.steps.push({
      event,
      from: String(scenario.status),
      to: String(to),
      at: when,
      staff,
      ...(reason && { reason }),
    })
    scenario.status = to
    return true
  }
  const kind = random.weighted({ usual: 90, invalid: 4, cancelled: 4, stuck: 2 })
  if (kind === 'cancelled') step('cancel', 5, random.int(1, 20), false)
  else if (kind === 'invalid') step('invalidate', 4, random.int(3, 40), true, 'Not a road of the town')
  else if (step('start', 1, random.int(2, 40), true) && kind === 'usual') {
    if (!step('complete', 2, random.int(4, days * 30), true)) return scenario
    scenario.said.push({ at: after(0), staff: true, text: random.pick(done) })
    if (random.chance(0.06) && step('reopen', 3, random.int(5, 90), false)) {
      scenario.said.push({ at: after(0), staff: false, text: 'It is not mended. Please look again.' })
      scenario.verdict = { at: after(0), is_fixed: 0 }
      if (step('start', 1, random.int(3, 30), true)) step('complete', 2, random.int(10, 60), true)
    } else if (random.chance(0.3) && after(30) < now) scenario.verdict = { at: after(30), is_fixed: 1 }
  }
  return scenario
}

async function addRequests({ clock, files }: Demo, tx: Tx, company: CompanyId, seed: number): Promise<void> {
  const companyRecord = await loadCompanyDetails(tx, company)
  const rules = demoCompanies[companyRecord.subdomain]
  if (!rules) return
  const random = randomFrom(seed)
  const now = clock.now()
  const today = dateIn(companyRecord.timeZone, now)
  const year = Number(today.slice(0, 4))
  const holidays = [year - 1, year, year + 1].flatMap((each) => [
    { on: `${each}-01-01`, name: 'New Year’s Day' },
    { on: `${each}-07-04`, name: 'Independence Day' },
    { on: `${each}-12-25`, name: 'Christmas Day' },
  ])
  const settings: RequestSettings = { ...usualSettings, reopenDays: rules.reopenDays, holidays }
  await saveSettings(tx, company, settings)
  const categories = await saveCategories(tx, company, rules.categories, now)
  const places = await housesOf(tx, company, 600)
  const staff = await staffOf(tx, company)
  const resident = await residentOf(tx, company)
  const weights = Object.fromEntries(rules.categories.map(({ weight }, n) => [n, weight]))
  const dues = new Map<string, Date>()
  const due = (date: string, days: number) => {
    const key = `${date}/${days}`
    const dueTime =
      dues.get(key) ?? dueAt({ ...settings, ...companyRecord }, instantAt(companyRecord.timeZone, date, '09:00'), days)
    dues.set(key, dueTime)
    return dueTime
  }
  // Oldest first, so that the numbers follow the calendar.
  const numbers = new Map<number, number>()
  const rows = []
  const entries = []
  const history = []
  const verdicts = []
  // Latest request by category, for later duplicates to refer to.
  const newest = new Map<number, number>()
  for (let back = DAYS; back >= 0; back -= 1) {
    const date = addDays(today, -back)
    const midnight = midnightIn(companyRecord.timeZone, date)
    const isWeekend = [0, 6].includes(weekday(date))
    const count = Math.round((rules.requests / DAYS) * (isWeekend ? 0.6 : 1.15) * (0.7 + random.next() * 0.6))
    const hours = Array.from({ length: count }, () => 6 + random.next() * 16).toSorted((a, b) => a - b)
    for (const hour of hours) {
      const at = new Date(midnight.getTime() + Math.round(hour * HOUR))
      if (at >= now) continue
      const which = Number(random.weighted(weights))
      const all = rules.categories[which] as DemoCategory
      const category = { ...all, ...(WINTER.has(date.slice(5, 7)) && all.winter) }
      const of = Number(date.slice(0, 4))
      const no = (numbers.get(of) ?? 0) + 1
      numbers.set(of, no)
      const id = idOf(of, no)
      const isOurs = resident !== null && back < 200 && no % 97 === 0
      const first = random.pick(firstNames)
      const last = random.pick(lastNames)
      const name = isOurs ? resident.name : `${first} ${last}`
      const scenario = scenarioOf(category, at, now, random)
      const worker = random.pick(staff)
      const closed = scenario.steps.findLast(({ to }) => to === '2' || to === '4' || to === '5')
      const isClosed = scenario.status === 2 || scenario.status === 4 || scenario.status === 5
      const isAssigned = scenario.status === 1 || scenario.status === 3 || scenario.status === 2
      const lastAt = scenario.steps.at(-1)?.at ?? at
      // Some invalid requests are duplicates and some are spam. A few requests are split.
      const invalid = scenario.status === 4
      const merged = invalid && id % 3 === 1 ? (newest.get(which) ?? null) : null
      const spam = invalid && id % 3 === 0
      const split = !invalid && no % 211 === 0 ? id - 1 : null
      if (!invalid) newest.set(which, id)
      rows.push({
        ...random.pick(places),
        ...{ merged, spam, split },
        id,
        at,
        lastAt,
        status: scenario.status,
        closed: isClosed ? (closed?.at ?? null) : null,
        reopen: scenario.status === 2 && closed ? new Date(closed.at.getTime() + rules.reopenDays * DAY) : null,
        category: categories[which]?.id,
        title: category.name,
        text: random.pick(category.told),
        name,
        email: isOurs ? resident.email : `${first}.${last}@mail.example`.toLowerCase().replaceAll(' ', ''),
        person: isOurs ? resident.id : null,
        // A request after closing time counts from the next day.
        due: due(hour >= Number(companyRecord.closes.slice(0, 2)) ? addDays(date, 1) : date, category.days),
        assigned: isAssigned ? worker.id : null,
        department: isAssigned ? null : (categories[which]?.department ?? null),
      })
      history.push({
        id,
        seq: 1,
        from: '',
        to: '0',
        event: 'ask',
        at,
        kind: isOurs ? 'citizen' : 'guest',
        actor: isOurs ? resident.id : null,
        by: name,
        reason: '',
      })
      for (const [n, { staff: byStaff, reason = '', ...step }] of scenario.steps.entries())
        history.push({
          ...step,
          ...(step.event === 'invalidate' && merged !== null && { event: 'merge' }),
          ...(step.event === 'invalidate' && spam && { event: 'spam' }),
          id,
          seq: n + 2,
          kind: byStaff ? 'municipality' : isOurs ? 'citizen' : 'guest',
          actor: byStaff ? worker.id : isOurs ? resident.id : null,
          by: byStaff ? worker.name : name,
          reason: merged !== null || spam ? '' : reason,
        })
      for (const { staff: byStaff, ...said } of scenario.said)
        entries.push({
          ...said,
          id,
          kind: byStaff ? 'reply' : 'message',
          author: byStaff ? 'municipality' : 'person',
          author_id: byStaff ? worker.id : null,
          name: byStaff ? worker.name : name,
        })
      if (scenario.verdict && closed) verdicts.push({ id, done: closed.at, ...scenario.verdict })
    }
  }
  await saveEntries(tx, company, entries)
  await saveRows(tx, company, rows, now)
  await recountRequests(tx, company)
  await saveHistory(tx, company, history)
  await sql`
    INSERT INTO request_feedback (company_id, request_id, completed_at, at, is_fixed)
    SELECT ${company}::int, id, done, at, is_fixed
    FROM jsonb_to_recordset(${JSON.stringify(verdicts)}::jsonb) AS x(id bigint, done timestamptz, at timestamptz, is_fixed int)`.execute(
    tx,
  )
  await tx
    .insertInto('request_number')
    .values([...numbers].map(([of, last_no]) => ({ company_id: company, year: of, last_no })))
    .execute()
  await sql`
    INSERT INTO request_follower (company_id, request_id, email, since, verified_at)
    SELECT r.company_id, r.id, 'follower' || n || '@mail.example', r.created_at, r.created_at
    FROM service_request r, generate_series(1, 3) n
    WHERE r.company_id = ${company} AND r.status IN (0, 1, 3) AND r.id % 4 >= n`.execute(tx)
  // Adds the requester of a duplicate as a follower, as a merge does.
  await sql`
    INSERT INTO request_follower (company_id, request_id, email, person_id, since, verified_at, came_from)
    SELECT DISTINCT ON (r.merged_into, lower(r.email)) r.company_id, r.merged_into, r.email, r.person_id, r.updated_at, r.updated_at, r.id
    FROM service_request r JOIN service_request other ON other.company_id = r.company_id AND other.id = r.merged_into
    WHERE r.company_id = ${company} AND r.email <> '' AND lower(r.email) <> lower(other.email)
    ORDER BY r.merged_into, lower(r.email), r.id
    ON CONFLICT DO NOTHING`.execute(tx)
  await giveToAdministrator(tx, company)
  await savePhoto(tx, company, files, now)
}

async function saveSettings(tx: Tx, company: CompanyId, settings: RequestSettings): Promise<void> {
  await tx
    .insertInto('request_settings')
    .values({
      company_id: company,
      for_guests: 1,
      has_map: 1,
      reopen_days: settings.reopenDays,
      work_days: JSON.stringify(settings.workDays),
      holidays: JSON.stringify(settings.holidays),
    })
    .execute()
  await tx
    .insertInto('canned_answer')
    .values(answers.map((answer) => ({ ...answer, company_id: company, subject_kind: requestCase.kind })))
    .execute()
}

async function saveCategories(tx: Tx, company: CompanyId, inputs: readonly DemoCategory[], now: Date) {
  const departments = await tx
    .selectFrom('department')
    .select(['id', 'name'])
    .where('company_id', '=', company)
    .execute()
  const began = new Date(now.getTime() - (DAYS + 30) * DAY)
  const withQuestions = inputs.filter(({ asks }) => asks)
  const sets = await tx
    .insertInto('field_set')
    .values(
      withQuestions.map(({ name, asks }) => ({
        company_id: company,
        kind: FIELDS_KIND,
        name,
        draft: JSON.stringify(asks),
        latest_version: 1,
        created_at: began,
        updated_at: began,
      })),
    )
    .returning(['id', 'name'])
    .execute()
  const setOf = (name: string) => sets.find((set) => set.name === name)?.id ?? null
  await tx
    .insertInto('field_set_version')
    .values(
      withQuestions.map(({ name, asks }) => ({
        company_id: company,
        field_set_id: setOf(name) ?? 0,
        version: 1,
        definition: JSON.stringify(asks),
        published_at: began,
        published_by: 'Mainstreet',
      })),
    )
    .execute()
  const made = await tx
    .insertInto('request_category')
    .values(
      inputs.map(({ name, hint = '', department, days, isPrivate = false }, n) => ({
        company_id: company,
        name,
        hint,
        sort_no: (n + 1) * 10,
        department_id: departments.find((one) => one.name === department)?.id ?? null,
        target_days: days,
        for_guests: isPrivate ? (0 as const) : (1 as const),
        on_map: isPrivate ? (0 as const) : (1 as const),
        field_set_id: setOf(name),
      })),
    )
    .returning(['id', 'name', 'department_id as department'])
    .execute()
  return inputs.map(({ name }) => made.find((one) => one.name === name))
}

async function staffOf(tx: Tx, company: CompanyId): Promise<{ id: number; name: string }[]> {
  const { rows } = await sql<{ id: number; name: string }>`
    SELECT id, trim(first_name || ' ' || last_name) AS name FROM person
    WHERE company_id = ${company} AND role_id >= 3 AND is_active = 1 ORDER BY role_id, id LIMIT 6`.execute(tx)
  return rows
}

/** Assigns some requests to the demo administrator, with two unread ones for the chat badge. */
const giveToAdministrator = (tx: Tx, company: CompanyId) =>
  sql`
    WITH given AS (
      SELECT r.id, p.id AS person, row_number() OVER (ORDER BY r.status DESC, r.updated_at DESC, r.id DESC) AS n
      FROM service_request r JOIN person p ON p.company_id = r.company_id AND p.email LIKE 'admin@%'
      WHERE r.company_id = ${company} AND r.status IN (1, 3) ORDER BY n LIMIT 6),
    taken AS (
      UPDATE service_request r SET assigned_to = given.person FROM given
      WHERE r.company_id = ${company} AND r.id = given.id RETURNING r.id, r.last_message_id)
    INSERT INTO case_reader (company_id, subject_kind, subject_id, reader_kind, reader_id, seen_id)
    SELECT ${company}::int, ${requestCase.kind}, id, ${requestCase.desk}, person, last_message_id
    FROM given JOIN taken USING (id) WHERE n > 2`.execute(tx)

/** Resident of the demo accounts, who needs some requests. */
async function residentOf(tx: Tx, company: CompanyId) {
  const { rows } = await sql<{ id: number; name: string; email: string }>`
    SELECT id, trim(first_name || ' ' || last_name) AS name, email FROM person
    WHERE company_id = ${company} AND email LIKE 'resident@%'`.execute(tx)
  return rows[0] ?? null
}

const saveEntries = (tx: Tx, company: CompanyId, entries: readonly object[]) =>
  sql`
    INSERT INTO case_entry (company_id, subject_kind, subject_id, at, kind, visibility, author_kind, author_id, author_name, text)
    SELECT ${company}::int, ${requestCase.kind}, id, at, kind, 'everyone', author, author_id, name, text
    FROM jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) AS x(id bigint, at timestamptz, kind text, author text, author_id bigint,
      name text, text text) ORDER BY at`.execute(tx)

/** Runs after the messages are saved, so that each row is written once with its final values. */
const saveRows = (tx: Tx, company: CompanyId, rows: readonly object[], now: Date) =>
  sql`
    INSERT INTO service_request (company_id, id, created_at, updated_at, status, closed_at, reopen_until, category_id, title, description,
      location, address_id, lat, lon, at, name, email, person_id, due_at, escalated_at, assigned_to, department_id, last_message_id, last_from,
      first_answered_at, merged_into, is_spam, split_from)
    SELECT ${company}::int, x.id, x.at, greatest(x."lastAt", s.at), status, closed, reopen, category, title, x.text, coalesce(place, ''),
      address_id, lat, lon, CASE WHEN x.x IS NOT NULL THEN point(x.x, x.y) END, x.name, x.email, person, due,
      CASE WHEN due < ${now}::timestamptz AND closed IS NULL THEN due + interval '35 minutes' END, assigned, department,
      coalesce(s.id, 0), CASE s.kind WHEN 'reply' THEN 'staff' ELSE 'person' END, s.answered,
      x.merged, x.spam, x.split
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS x(id bigint, at timestamptz, "lastAt" timestamptz, status int,
      closed timestamptz, reopen timestamptz, category bigint, title text, text text, place text, address_id bigint, lat float8, lon float8,
      x float8, y float8, name text, email text, person bigint, due timestamptz, assigned bigint, department bigint, merged bigint,
      spam boolean, split bigint)
    LEFT JOIN (SELECT subject_id, max(e.id) AS id, max(e.at) AS at, (array_agg(e.kind ORDER BY e.id DESC))[1] AS kind,
        min(e.at) FILTER (WHERE e.kind = 'reply') AS answered
      FROM case_entry e WHERE e.company_id = ${company} AND e.subject_kind = ${requestCase.kind} GROUP BY subject_id) s
      ON s.subject_id = x.id`.execute(tx)

const saveHistory = (tx: Tx, company: CompanyId, history: readonly object[]) =>
  sql`
    INSERT INTO status_history (company_id, machine, subject_id, seq, from_state, to_state, event, at, actor_kind, actor_id, actor_name, reason)
    SELECT ${company}::int, ${requestStates.name}, id, seq, "from", "to", event, at, kind, actor, by, reason
    FROM jsonb_to_recordset(${JSON.stringify(history)}::jsonb) AS x(id bigint, seq int, "from" text, "to" text, event text,
      at timestamptz, kind text, actor bigint, by text, reason text)`.execute(tx)

/** Sample photo: a patch of new asphalt. */
const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="720" height="480">
  <rect width="720" height="480" fill="#7b7d80"/><rect y="226" width="720" height="10" fill="#e7d37a"/>
  <path d="M220 300 q40 -50 150 -40 t160 60 q10 70 -110 80 t-190 -30 z" fill="#2b2c2e"/></svg>`

/** Adds the sample photo to the reply on the resident's newest completed request. */
async function savePhoto(tx: Tx, company: CompanyId, files: Demo['files'], now: Date): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    SELECT e.id FROM service_request r JOIN case_entry e ON e.company_id = r.company_id AND e.subject_kind = ${requestCase.kind}
      AND e.subject_id = r.id AND e.kind = 'reply'
    WHERE r.company_id = ${company} AND r.person_id IS NOT NULL AND r.status = 2 ORDER BY r.id DESC LIMIT 1`.execute(tx)
  const [entry] = rows
  if (!entry) return
  const photo = await sharp(Buffer.from(drawing)).jpeg({ quality: 70 }).toBuffer()
  const preview = await sharp(photo).resize(240).jpeg({ quality: 70 }).toBuffer()
  const { path, bytes, sha256 } = await files.write(company, photo)
  await tx
    .insertInto('attachment')
    .values({
      company_id: company,
      kind: requestCase.files.kind,
      subject_kind: requestCase.files.subject,
      subject_id: entry.id,
      nth: 1,
      state: 'clean',
      name: 'after.jpg',
      content_type: JPEG,
      bytes,
      sha256,
      path,
      preview,
      created_at: now,
      created_by_kind: 'municipality',
      scanned_at: now,
    })
    .execute()
}

export const demo: DemoPart = {
  town: async (demoOf, demoCompany, { company }) =>
    tenancyOn(demoOf.db.app)(company, (tx) => addRequests(demoOf, tx, company, demoCompany.seed + 61)),
}
