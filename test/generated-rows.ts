import type pg from 'pg'
import { dropIndexes } from '../bench/rows.ts'
import { firstNames, lastNames } from '../database/names.ts'

/**
 * Generates rows directly in the database, to test query plans over large tables. Column values are derived from the
 * catalog, so a new table needs no change here. `VALUES` has more realistic values. In SQL, `n` counts a table's rows
 * from 1, `town` is the row's company, and `at` is its time. The times increase with `n`, over two years. Row n refers
 * to row n of each referenced table, so that joins find rows.
 */

/** First id of generated rows. It is higher than the ids of all existing rows. */
const FIRST_ID = 10_000_000

/** Tables that never have a million rows, with the number of rows to generate. */
const FEW: Readonly<Record<string, number>> = {
  department: 2000,
  form_template: 10_000,
  import_preset: 100,
  platform_department: 20,
  platform_person: 300,
  // Each company has several request categories. The number is a multiple of 1,500, because companies repeat after
  // 1,500 rows. So a request and its category belong to the same company.
  request_category: 10_500,
  // These tables are filled when companies are set up, or by the product itself.
  company: 0,
  event_type: 0,
  ledger_account: 0,
  order_status: 0,
  payment_settings: 0,
  timezone: 0,
}

const one = (...values: string[]) => `(ARRAY['${values.join("', '")}'])[1 + n % ${values.length}]`
const first = `first_names[1 + n / 7 % cardinality(first_names)]`
const last = `last_names[1 + n / 5 % cardinality(last_names)]`
const street = `n % 900 || ' ' || ${last} || ' Street'`
const CENTS = `1 + (n::bigint * 7919 % 20011)::int`
const phone = `'717' || lpad((n % 10000000)::text, 7, '0')`
const sent = { created_at: 'at', sent_at: 'at' }
/** Returns SQL for a value that only few rows have, so that tests can search for a rare value. */
const rarely = (what: string, usually: string) => `CASE WHEN n % 500 = 0 THEN ${what} ELSE ${usually} END`

const VALUES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  attachment: {
    company_id: `CASE WHEN n <= 10000 THEN 0 ELSE town END`,
    kind: `'form'`,
    subject_kind: `CASE WHEN n <= 10000 THEN 'form' ELSE 'other' END`,
    nth: '1',
    state: `'clean'`,
  },
  audit_event: {
    action: one(
      'sign_in.accepted',
      'report.read',
      'access.refused',
      'bill.paid',
      'sign_out',
      'settings.changed',
      'sign_in.refused',
    ),
    actor_id: `${FIRST_ID} + n / 9`,
    subject_kind: `'person'`,
    subject: `(${FIRST_ID} + n / 9)::text`,
    detail: `'{"how": "password"}'`,
  },
  case_entry: { subject_kind: `'support_request'` },
  company_config_version: { section: one('hours', 'contacts', 'payments', 'colors') },
  // Gives most drawers of the largest company to other companies. Staff open one drawer a day, so no company has
  // 200,000 drawers.
  drawer: { company_id: 'CASE WHEN n % 5 = 0 AND n % 80 > 0 THEN 1001 + n % 1500 ELSE town END' },
  form_template: {
    title: `'Form ' || md5(n::text)`,
    category: one('Permits', 'Taxes', 'Other'),
    is_active: rarely('0', '1'),
    current_version: '1',
  },
  form_template_assignment: { template_id: `${FIRST_ID + 1} + n % 10000` },
  hydrant_flow_test: { outlets: `'[]'` },
  import_preset: { headers: `'[]'`, mapping: `'{"columns": [], "values": {}}'` },
  // Makes account numbers independent of age, because more recent enrollments do not have higher numbers.
  autopay: { reference: `'A' || n::bigint * 7919 % 1000003` },
  // One third of a company's residents have no linked account.
  linked_account: { person_id: `CASE WHEN n / 5 % 3 = 0 THEN 1 ELSE ${FIRST_ID} + n END` },
  ledger_transfer: { debit_account: `'gateway_clearing'`, credit_account: one('payable_municipality', 'fee_revenue') },
  email_outbox: sent,
  parcel: {
    parcel_number: `n % 90 || '-' || n`,
    address: street,
    owner_name: `${first} || ' ' || ${last}`,
    land_use: one('Residential', 'Commercial', 'Farm'),
  },
  // A company has a few rows for each day, as in reality.
  payment_day: {
    moved_on: 'at::date',
    movement_type: `'capture'`,
    method: '1 + n % 2',
    location: '1',
    absorbs: 'false',
    program: `'convenience'`,
    mode: `'single'`,
    provider: `'sandbox'`,
  },
  payment_order: {
    status: rarely('5', '1'),
    type: `'Utility'`,
    payer_name: `${first} || ' ' || ${last}`,
    payer_email: `'payer' || n || '@example.com'`,
    location: `(ARRAY[1, 3, 4, 6])[1 + n % 4]`,
    method: `1 + n % 2`,
    fee_cents: '195',
    total_cents: `${CENTS} + 195`,
    paid_at: 'at',
    search_text: `lower('P' || ${FIRST_ID} + n || ' A' || n || ' ' || ${first} || ' ' || ${last} || ' payer' || n || '@example.com')`,
    net_bill_cents: CENTS,
    net_fee_cents: '195',
  },
  // Every fifth row belongs to the largest company. The status changes only after five rows, so that this company has
  // refunds with each status.
  payment_refund: { status: `(ARRAY['waiting', 'sending', 'done', 'declined', 'failed'])[1 + n / 5 % 5]` },
  // Outages are short, so few fees are waiting to be charged.
  payment_outage: { provider: `'sandbox'`, since: `at - interval '30 minutes'`, until: 'at' },
  payment_fee: { status: rarely(`'waiting'`, `'charged'`) },
  deferred_payment: {
    status: `(ARRAY['noted', 'kept', 'failed', 'withdrawn', 'reminded'])[1 + n / 5 % 5]`,
    action: `'remind'`,
    method_id: 'NULL',
  },
  person: {
    email: `'p' || n || '@example.org'`,
    role_id: `CASE WHEN n % 2000 = 0 THEN 4 ELSE 1 END`,
    first_name: first,
    last_name: last,
    service_address: street,
    mobile_no: phone,
  },
  platform_audit_event: {
    action: one('company.changed', 'company.made', 'look_up'),
    subject_kind: `'company'`,
    subject: 'town::text',
  },
  platform_email: sent,
  platform_person: { email: `'ours' || n || '@example.com'`, role_id: '901', first_name: first, last_name: last },
  provider_event: {
    applied_at: `CASE WHEN n % 2000 > 0 THEN at END`,
    last_error: `'It is unknown.'`,
    body: `'{"type": "refund", "objectId": "re_1", "account": "acct_1"}'`,
  },
  move_request: {
    kind: '1 + n % 3',
    status: `(ARRAY['Completed', 'Pending', 'Completed', 'Withdrawn'])[1 + n % 4]`,
    closed_at: `CASE WHEN n % 4 <> 1 THEN at END`,
    owner_answer: `'none'`,
    owner_answered_at: 'NULL',
    leaves_premise: `CASE WHEN n % 3 > 0 THEN ${street} ELSE '' END`,
    leaves_on: `CASE WHEN n % 3 > 0 THEN at::date END`,
    enters_premise: `CASE WHEN n % 3 <> 1 THEN ${street} ELSE '' END`,
    enters_on: `CASE WHEN n % 3 <> 1 THEN at::date END`,
  },
  alert: {
    content: `jsonb_build_object('en', jsonb_build_object('headline', 'Alert ' || n, 'description', '', 'instruction', ''))`,
    area: `'{"kind": "everyone"}'`,
    about_id: 'NULL',
    kind: `'alert'`,
  },
  rental_reservation: {
    status: `(ARRAY['completed', 'confirmed', 'completed', 'cancelled'])[1 + n % 4]`,
    held_until: 'NULL',
    starts_at: 'at',
    ends_at: `at + interval '2 hours'`,
    withheld_cents: '0',
    refund_cents: `CASE WHEN n % 200 = 0 THEN 500 ELSE 0 END`,
    is_notified: 'true',
  },
  rental_round: {
    status: `'confirmed'`,
    season_from: 'at::date',
    season_until: 'at::date + 60',
    opens_at: 'at',
    closes_at: `at + interval '20 days'`,
    max_choices: '3',
    max_hours: '6',
    pay_days: '14',
    groups: `'[]'`,
    seed_sealed: 'NULL',
    seed_hash: `''`,
  },
  rental_application: {
    status: `(ARRAY['allocated', 'not_allocated', 'withdrawn'])[1 + n % 3]`,
    group_no: '0',
    guests: '10',
  },
  // Names and confirmation dates must not follow the order of the change dates.
  registration: {
    name: `md5(n::text)`,
    owner_name: `${first} || ' ' || ${last}`,
    location: `md5('at' || n)`,
    status: `'registered'`,
    confirm_by: `date '2026-06-01' + (n::bigint * 7919 % 365)::int`,
    inspect_by: `date '2026-06-01' + (n::bigint * 7901 % 365)::int`,
    changed_at: 'at',
  },
  service_request: { category_id: `${FIRST_ID + 1} + (n - 1) % 10500` },
  scheduled_item: {
    event_type_id: '1 + n % 4',
    title: `'Item ' || n`,
    starts_at: `at + interval '1 year'`,
    ends_at: `at + interval '1 year 1 hour'`,
  },
  support_request: {
    status: `CASE WHEN n % 40 > 0 THEN 2 ELSE n / 40 % 4 END`,
    closed_at: `CASE WHEN n % 40 > 0 THEN at END`,
    name: `${first} || ' ' || ${last}`,
    email: `'p' || n || '@example.org'`,
    message: `'The page shows the wrong amount, number ' || n`,
    assigned_to: `CASE WHEN n % 50 > 0 THEN ${FIRST_ID} + n % 7 END`,
  },
  utility_account: {
    account_number: `'A' || n`,
    customer_name: `${first} || ' ' || ${last}`,
    customer_email: `'p' || n || '@example.org'`,
    phone_no: phone,
    service_address: street,
  },
}

interface Column {
  name: string
  type: string
  /** Values that a CHECK constraint allows, as an SQL array. */
  allowed: string | null
  isReference: boolean
}

/** Query for the columns of a table that must have a value. */
const COLUMNS = `
  SELECT a.attname::text AS name, format_type(a.atttypid, NULL) AS type,
    (SELECT (regexp_match(pg_get_constraintdef(k.oid), 'ANY \\((ARRAY\\[.+\\])\\)'))[1] FROM pg_constraint k
     WHERE k.contype = 'c' AND k.conrelid = a.attrelid AND k.conkey = ARRAY[a.attnum] LIMIT 1) AS allowed,
    EXISTS (SELECT FROM pg_constraint k WHERE k.contype = 'f' AND k.conrelid = a.attrelid AND a.attnum = ANY (k.conkey)) AS "isReference"
  FROM pg_attribute a WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
    AND (a.attname = ANY ($2) OR a.attnotnull AND (a.attname = 'id' OR NOT a.atthasdef))`

/** Writes rows without foreign key checks, because each check would look up the referenced row. */
export async function writeUnchecked(owner: pg.Pool, work: (client: pg.PoolClient) => Promise<unknown>): Promise<void> {
  const client = await owner.connect()
  try {
    await client.query('SET session_replication_role = replica')
    await work(client)
  } finally {
    await client.query('RESET session_replication_role')
    client.release()
  }
}

/** Fills tables in a database that belongs to one test. Afterward, the database enforces only unique constraints. */
export async function generateRows(
  owner: pg.Pool,
  tables: readonly string[],
  rows: number,
  bigCompany: number,
  now: Date,
) {
  const filled: string[] = []
  const client = await owner.connect()
  try {
    await client.query(
      `SET session_replication_role = replica; SET maintenance_work_mem = '512MB'; SET synchronous_commit = off`,
    )
    for (const table of tables) {
      const count = Math.min(rows, FEW[table] ?? rows)
      if (count === 0) continue
      const overrides = VALUES[table] ?? {}
      const { rows: columns } = await client.query<Column>(COLUMNS, [table, Object.keys(overrides)])
      const names = columns.map(({ name }) => `"${name}"`)
      const values = columns.map((column) => overrides[column.name] ?? valueOf(column))
      await dropChecks(client, table)
      const indexes = await dropIndexes(client, [table])
      await client.query(
        `INSERT INTO ${table} (${names.join(', ')}) OVERRIDING SYSTEM VALUE
         SELECT ${values.join(', ')} FROM (
           SELECT n, CASE WHEN n % 5 = 0 THEN $2::int ELSE 1001 + (n::bigint * 7919 % 1500)::int END AS town,
             $3::timestamptz - (($1 - n)::float8 / $1) * interval '730 days' AS at, $4::text[] AS first_names, $5::text[] AS last_names
           FROM generate_series(1, $1::int) AS n) AS made ON CONFLICT DO NOTHING`,
        [count, bigCompany, now, [...firstNames], [...lastNames]],
      )
      for (const index of indexes) await client.query(index)
      // Disables autovacuum, because it would replace the statistics that are set here.
      await client.query(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`)
      await client.query(`VACUUM (ANALYZE) ${table}`)
      if (count === rows) filled.push(table)
    }
    return filled
  } finally {
    await client.query('RESET ALL')
    client.release()
  }
}

function valueOf({ name, type, allowed, isReference }: Column): string {
  if (name === 'company_id') return 'town'
  if (name === 'id' && type === 'uuid') return 'gen_random_uuid()'
  if (name === 'id') return `${FIRST_ID} + n`
  if (allowed) return `(${allowed})[1 + n % cardinality(${allowed})]`
  if (isReference || name.endsWith('_id')) return `${FIRST_ID} + n`
  // Amounts must not increase with the time of the row.
  if (name.endsWith('_cents')) return CENTS
  const samples: Readonly<Record<string, string>> = {
    bigint: 'n',
    boolean: 'n % 2 = 0',
    bytea: 'uuid_send(gen_random_uuid())',
    date: 'at::date',
    'double precision': 'n % 1000',
    integer: 'n',
    jsonb: `'{}'`,
    point: 'point(n % 1000, n / 1000)',
    text: `'${name} ' || n`,
    'timestamp with time zone': 'at',
    uuid: 'gen_random_uuid()',
  }
  const value = samples[type]
  if (!value) throw new Error(`test/generated-rows.ts does not know what a ${type} such as ${name} may be.`)
  return value
}

async function dropChecks(client: pg.PoolClient, table: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT conname::text AS name FROM pg_constraint WHERE contype = 'c' AND conrelid = $1::regclass`,
    [table],
  )
  for (const { name } of rows) await client.query(`ALTER TABLE ${table} DROP CONSTRAINT "${name}"`)
}

/**
 * Makes the planner assume that these tables have `rows` rows. The planner multiplies a table's real number of pages by
 * the recorded number of rows per page.
 */
export async function believeIn(owner: pg.Pool, tables: readonly string[], rows: number): Promise<void> {
  await owner.query(
    `UPDATE pg_class c SET reltuples = c.reltuples * $2::float4 / greatest(t.reltuples, 1)
     FROM pg_class t LEFT JOIN pg_index i ON i.indrelid = t.oid
     WHERE t.oid = ANY ($1::regclass[]) AND c.oid IN (t.oid, i.indexrelid)`,
    [tables, rows],
  )
}
