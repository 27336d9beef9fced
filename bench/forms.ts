import type pg from 'pg'
import { zipSubmissions } from '../features/forms/contract-documents.ts'
import { submissions } from '../features/forms/list.ts'
import { blankField, oneStep } from '../shared/fields/blank.ts'
import { copied, downloadsOf } from './csv.ts'
import { inTurns, p95, rateRow, type Row, timeRow, watchMemory } from './measure.ts'
import { type BenchPortal, openPortal, type BenchEnvironment, plain } from './environment.ts'
import { DEMO_PASSWORD } from '../features/identity/demo.ts'

const SUBMISSIONS = 100_000
/** Number of submissions of one form in the zip. */
const ZIPPED = 3000

/**
 * Times the calls of a company with 100,000 submissions. Compares the p95 of its staff queue with plain SQL statements.
 * Compares its CSV, which has a column for each field, with COPY. Also times 3,000 submissions as PDFs in one zip file.
 */
export async function forms(environment: BenchEnvironment): Promise<Row[]> {
  const database = await environment.database()
  const { owner } = database
  const { rows: companies } = await owner.query<{ id: number }>(`SELECT id FROM company WHERE subdomain = 'maplegrove'`)
  const company = companies[0]?.id ?? 0
  await fill(owner, company)
  const portal = await openPortal(database, environment.folder)
  const [client, all] = [await plain(database), await plain(database, 'platform')]
  const headers = await manager(portal, company)
  const rows = [await queue(portal, client, headers, company), ...(await files(portal, all, headers, company))]
  await client.end()
  await all.end()
  await portal.close()
  await database.drop()
  return rows
}

const definition = oneStep(
  { ...blankField('text', 'event'), label: 'What is celebrated?' },
  { ...blankField('date', 'day'), label: 'Day' },
  { ...blankField('number', 'guests'), label: 'Guests' },
  { ...blankField('choice', 'music'), label: 'Music' },
  { ...blankField('email', 'mail'), label: 'Whom to write to' },
)

async function fill(owner: pg.Pool, company: number): Promise<void> {
  await owner.query(
    `INSERT INTO field_set (company_id, id, kind, name, draft, latest_version, created_at, updated_at)
     SELECT $1, n, 'form', 'Form ' || n, $2, 1, now(), now() FROM generate_series(1, 2) n`,
    [company, definition],
  )
  await owner.query(
    `INSERT INTO field_set_version (company_id, field_set_id, version, definition, published_at, published_by)
     SELECT company_id, id, 1, draft, now(), 'Mainstreet' FROM field_set WHERE company_id = $1 AND kind = 'form'`,
    [company],
  )
  await owner.query(
    `INSERT INTO form_type (company_id, id, status, title, slug, category, description, seen_by, fee_kind, field_set_id, created_at, changed_at)
     SELECT $1, n, 'published', 'Form ' || n, 'form-' || n, 'permits', '', 'residents', 'none', n, now(), now() FROM generate_series(1, 2) n`,
    [company],
  )
  await owner.query(
    `INSERT INTO form_submission (company_id, id, type_id, title, field_set_id, version, answers, answer_text, status, name, email, phone,
       rounds, created_at, submitted_at, updated_at)
     SELECT $1, 20260000000 + n, type, 'Form ' || type, type, 1,
       jsonb_build_object('event', 'Street ' || n, 'day', '2026-07-04', 'guests', n % 90, 'music', CASE n % 2 WHEN 0 THEN 'yes' ELSE 'no' END, 'mail', 'p' || n || '@example.org'),
       'What is celebrated?: Street ' || n, CASE WHEN n % 40 = 0 THEN 1 WHEN n % 10 = 0 THEN 2 ELSE 3 END,
       (ARRAY['Ada', 'Ben', 'Cleo', 'Dora'])[1 + n % 4] || ' ' || (ARRAY['Quill', 'Rivera', 'Stone', 'Tanaka', 'Ueda'])[1 + n % 5] || ' ' || n, 'p' || n || '@example.org', '', 1, at, at, at
     FROM generate_series(1, $2::int) n, LATERAL (SELECT now() - n * interval '5 minutes' AS at, CASE WHEN n % ($2 / $3) = 0 THEN 2 ELSE 1 END AS type) x`,
    [company, SUBMISSIONS, ZIPPED],
  )
  await owner.query('VACUUM (ANALYZE) form_submission')
}

async function manager(portal: BenchPortal, companyId: number): Promise<Record<string, string>> {
  const body = { companyId, email: 'manager@maplegrove.example', password: DEMO_PASSWORD }
  const { token } = await portal.post<{ token: string }>('login', body)
  return { authorization: `Bearer ${token}` }
}

/**
 * Times the usual queries of staff: open submissions, submissions of one form, submissions of one person, and a later
 * page.
 */
async function queue(portal: BenchPortal, client: pg.Client, headers: Record<string, string>, company: number) {
  const { path } = submissions.call
  const requestPage = (question: object) => portal.post<{ next: string | null }>(path, question, headers)
  const { next } = await requestPage({ filters: {} })
  const of = `company_id = ${company} AND status <> 10 AND submitted_at IS NOT NULL`
  const questions = [
    [{ filters: { status: 'open' } }, 'AND status IN (0, 1, 11)'],
    [{ filters: { typeId: 2 } }, 'AND type_id = 2'],
    [{ filters: {}, search: 'Rivera 4321' }, `AND search_text LIKE '%rivera%' AND search_text LIKE '%4321%'`],
    [{ filters: {}, cursor: next, totals: false }, `AND submitted_at < now() - interval '1 hour'`],
  ] as const
  const columns = ['id', 'number', 'submitted_at', 'title', 'name', 'email', 'phone', 'status', 'rounds', 'assigned_to']
  const page = `SELECT ${columns.map((name) => `r.${name}`).join(', ')}, r.fee_cents, r.paid_cents, r.updated_at, r.decided_at, r.decided_by,
    trim(p.first_name || ' ' || p.last_name) FROM found_form_submission r
    LEFT JOIN person p ON p.company_id = r.company_id AND p.id = r.assigned_to`
  const questionAt = (iteration: number) => questions[iteration % questions.length] ?? questions[0]
  const times = await inTurns(
    200,
    (iteration) => requestPage(questionAt(iteration)[0]),
    async (iteration) => {
      const [question, narrow] = questionAt(iteration)
      const where = `r.${of.replaceAll(' AND ', ' AND r.')}`
      await client.query(`BEGIN; SET LOCAL app.company_id = '${company}'`)
      await client.query(`${page} WHERE ${where} ${narrow} ORDER BY r.submitted_at DESC, r.id DESC LIMIT 11`)
      if (!('cursor' in question))
        await client.query(
          `SELECT count(*), sum(fee_cents), sum(paid_cents) FROM found_form_submission WHERE ${of} ${narrow}`,
        )
      await client.query('COMMIT')
    },
    p95,
  )
  return timeRow('queue of 100,000 submissions: open, of a form, of a person, the next page (p95)', times, 2)
}

async function files(portal: BenchPortal, client: pg.Client, headers: Record<string, string>, company: number) {
  const { take, grown } = await downloadsOf(portal, headers)
  const columns = ['event', 'day', 'guests', 'music', 'mail'].map((name) => `answers->>'${name}'`).join(', ')
  const question = `SELECT number, submitted_at, title, name, email, phone, status, rounds, assigned_to, fee_cents, paid_cents, updated_at,
    decided_at, decided_by, ${columns} FROM form_submission WHERE company_id = ${company} AND type_id = 1 ORDER BY submitted_at DESC, id DESC`
  const csv = await inTurns(
    5,
    () => take(submissions.csv?.call.path ?? '', { filters: { typeId: 1 } }),
    () => copied(client, question),
  )
  const grownByCsv = grown()
  const { rows } = await client.query<{ id: number }>(
    'SELECT id::float8 AS id FROM form_submission WHERE company_id = $1 AND type_id = 1 LIMIT $2',
    [company, ZIPPED / 3],
  )
  const memory = watchMemory()
  await take(zipSubmissions.path, { of: { ids: rows.map(({ id }) => id) } })
  memory.mark()
  const from = performance.now()
  await take(zipSubmissions.path, { of: { typeId: 2 } })
  const seconds = (performance.now() - from) / 1000
  const each = `${((seconds * 1000) / ZIPPED).toFixed(1)} ms each`
  return [
    rateRow(
      `CSV of ${(SUBMISSIONS - ZIPPED).toLocaleString('en-US')} submissions, rows (memory grew by ${grownByCsv} MB)`,
      SUBMISSIONS - ZIPPED,
      csv,
      0.7,
    ),
    {
      what: `3,000 submissions as PDFs in one zip (${memory.stop()}: of 1,000 before, then of these)`,
      ours: `${seconds.toFixed(0)} s`,
      baseline: each,
      ratio: 1,
      goal: null,
    },
  ]
}
