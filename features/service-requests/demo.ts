import { sql } from 'kysely'
import sharp from 'sharp'
import { randomFrom } from '../../database/random.ts'
import { loadCompanyDetails, demoAddresses, type Demo, type DemoPart } from '../../server/demo.ts'
import { type CompanyId, tenancyOn, type Tx } from '../../server/tenancy.ts'
import { storeOfficeDays } from '../../server/working-time.ts'
import { dateIn } from '../../shared/dates.ts'
import { JPEG } from '../../shared/file-types.ts'
import { type OfficeDays, USUAL_OFFICE_DAYS } from '../../shared/working-time.ts'
import { requestCase } from './contract.ts'
import { makeRequests } from './demo-requests.ts'
import { savedReplies, type DemoCategory, demoCompanies } from './demo-texts.ts'
import { type RequestSettings, usualSettings } from './rules.ts'
import { FIELDS_KIND } from './server/category-fields.ts'
import { recountRequests } from './server/request-sums.ts'
import { requestStates } from './states.ts'

const DAY = 86_400_000
const DAYS = 365

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
  const officeDays = { ...USUAL_OFFICE_DAYS, holidays }
  await saveSettings(tx, company, { ...usualSettings, reopenDays: rules.reopenDays }, officeDays)
  const categories = await saveCategories(tx, company, rules.categories, now)
  const locations = await demoAddresses(tx, company, 600)
  const staff = await staffOf(tx, company)
  const resident = await residentOf(tx, company)
  const workingTime = { ...officeDays, ...companyRecord }
  const source = { rules, workingTime, categories, locations, staff, resident, now }
  const requests = makeRequests(source, random)
  await saveEntries(tx, company, requests.entries)
  await saveRows(tx, company, requests.rows, now)
  await recountRequests(tx, company)
  await saveHistory(tx, company, requests.history)
  await sql`
    INSERT INTO request_feedback (company_id, request_id, completed_at, at, is_fixed)
    SELECT ${company}::int, id, done, at, is_fixed
    FROM jsonb_to_recordset(${JSON.stringify(requests.feedback)}::jsonb) AS x(id bigint, done timestamptz, at timestamptz, is_fixed int)`.execute(
    tx,
  )
  await tx
    .insertInto('request_number')
    .values([...requests.lastNumbers].map(([of, last_no]) => ({ company_id: company, year: of, last_no })))
    .execute()
  await sql`
    INSERT INTO request_follower (company_id, request_id, email, since, verified_at)
    SELECT r.company_id, r.id, 'follower' || n || '@mail.example', r.created_at, r.created_at
    FROM service_request r, generate_series(1, 3) n
    WHERE r.company_id = ${company} AND r.status IN (0, 1, 3) AND r.id % 4 >= n`.execute(tx)
  // Makes the requester of a duplicate follow the other request, as a merge does.
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

async function saveSettings(
  tx: Tx,
  company: CompanyId,
  settings: RequestSettings,
  officeDays: OfficeDays,
): Promise<void> {
  await tx
    .insertInto('request_settings')
    .values({
      company_id: company,
      for_guests: 1,
      has_map: 1,
      reopen_days: settings.reopenDays,
    })
    .execute()
  await storeOfficeDays(tx, company, officeDays)
  await tx
    .insertInto('saved_reply')
    .values(savedReplies.map((reply) => ({ ...reply, company_id: company, subject_kind: requestCase.kind })))
    .execute()
}

async function saveCategories(tx: Tx, company: CompanyId, inputs: readonly DemoCategory[], now: Date) {
  const departments = await tx
    .selectFrom('department')
    .select(['id', 'name'])
    .where('company_id', '=', company)
    .execute()
  const began = new Date(now.getTime() - (DAYS + 30) * DAY)
  const withQuestions = inputs.filter(({ questions }) => questions)
  const sets = await tx
    .insertInto('field_set')
    .values(
      withQuestions.map(({ name, questions }) => ({
        company_id: company,
        kind: FIELDS_KIND,
        name,
        draft: JSON.stringify(questions),
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
      withQuestions.map(({ name, questions }) => ({
        company_id: company,
        field_set_id: setOf(name) ?? 0,
        version: 1,
        definition: JSON.stringify(questions),
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

/** Assigns some requests to the demo administrator. Two are unread, so that the chat badge shows a number. */
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
    SELECT ${company}::int, ${requestCase.kind}, id, ${requestCase.audience}, person, last_message_id
    FROM given JOIN taken USING (id) WHERE n > 2`.execute(tx)

/** Finds the demo resident, who gets some of the requests. */
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

/** Saves the requests. Runs after the messages are saved, so that each row is written once with its final values. */
const saveRows = (tx: Tx, company: CompanyId, rows: readonly object[], now: Date) =>
  sql`
    INSERT INTO service_request (company_id, id, created_at, updated_at, status, closed_at, reopen_until, category_id, title, description,
      location, address_id, lat, lon, at, name, email, person_id, due_at, escalated_at, assigned_to, department_id, last_message_id, last_from,
      first_reply_at, merged_into, is_spam, split_from)
    SELECT ${company}::int, x.id, x.at, greatest(x."lastAt", s.at), status, closed, reopen, category, title, x.text, coalesce(location, ''),
      address_id, lat, lon, CASE WHEN x.x IS NOT NULL THEN point(x.x, x.y) END, x.name, x.email, person, due,
      CASE WHEN due < ${now}::timestamptz AND closed IS NULL THEN due + interval '35 minutes' END, assigned, department,
      coalesce(s.id, 0), CASE s.kind WHEN 'reply' THEN 'staff' ELSE 'person' END, s.first_reply_at,
      x.merged, x.spam, x.split
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS x(id bigint, at timestamptz, "lastAt" timestamptz, status int,
      closed timestamptz, reopen timestamptz, category bigint, title text, text text, location text, address_id bigint, lat float8, lon float8,
      x float8, y float8, name text, email text, person bigint, due timestamptz, assigned bigint, department bigint, merged bigint,
      spam boolean, split bigint)
    LEFT JOIN (SELECT subject_id, max(e.id) AS id, max(e.at) AS at, (array_agg(e.kind ORDER BY e.id DESC))[1] AS kind,
        min(e.at) FILTER (WHERE e.kind = 'reply') AS first_reply_at
      FROM case_entry e WHERE e.company_id = ${company} AND e.subject_kind = ${requestCase.kind} GROUP BY subject_id) s
      ON s.subject_id = x.id`.execute(tx)

const saveHistory = (tx: Tx, company: CompanyId, history: readonly object[]) =>
  sql`
    INSERT INTO status_history (company_id, machine, subject_id, seq, from_state, to_state, event, at, actor_kind, actor_id, actor_name, reason)
    SELECT ${company}::int, ${requestStates.name}, id, seq, "from", "to", event, at, kind, actor, by, reason
    FROM jsonb_to_recordset(${JSON.stringify(history)}::jsonb) AS x(id bigint, seq int, "from" text, "to" text, event text,
      at timestamptz, kind text, actor bigint, by text, reason text)`.execute(tx)

/** Sample photo that shows a patch of new asphalt. */
const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="720" height="480">
  <rect width="720" height="480" fill="#7b7d80"/><rect y="226" width="720" height="10" fill="#e7d37a"/>
  <path d="M220 300 q40 -50 150 -40 t160 60 q10 70 -110 80 t-190 -30 z" fill="#2b2c2e"/></svg>`

/** Adds the sample photo to the staff reply on the demo resident's latest completed request. */
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
  company: async (demoOf, demoCompany, { company }) =>
    tenancyOn(demoOf.db.app)(company, (tx) => addRequests(demoOf, tx, company, demoCompany.seed + 61)),
}
