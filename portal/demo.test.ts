import type pg from 'pg'
import { describe, expect, it } from 'vitest'
import { loadDemoOnce } from '../server/demo.ts'
import { filesOnDisk } from '../server/files.ts'
import { openLog } from '../server/log.ts'
import { openSecrets } from '../server/secrets.ts'
import { TEST_SECRET_KEY } from '../test/databases.ts'
import { testClock, testDatabase, testFolder, testPortal } from '../test/harness.ts'
import { loadDemo } from './demo.ts'
import { nightly } from '../test/nightly.ts'

const portal = await testPortal({ demo: true })
const rows = async (query: string) => (await portal.owner.query(query)).rows

describe('the demo', () => {
  it('contains the companies and thousands of payments', async () => {
    const companies = await rows(`
      SELECT c.subdomain, c.is_online, (SELECT count(*)::int FROM payment_order o WHERE o.company_id = c.id) AS payments,
        (SELECT count(*)::int FROM utility_account a WHERE a.company_id = c.id) AS accounts FROM company c ORDER BY c.id`)
    expect(companies).toMatchObject([
      { subdomain: 'maplegrove', is_online: 1, accounts: 440 },
      { subdomain: 'harborcity', is_online: 1, accounts: 180 },
      { subdomain: 'oldmill', is_online: 0, accounts: 0 },
    ])
    expect(companies[0].payments).toBeGreaterThan(5000)
  })

  it('contains notes for first responders that this portal can decrypt', async () => {
    const notes = await rows(`
      SELECT n.text_sealed, n.location, (SELECT count(*)::int FROM premise_note_access l WHERE l.company_id = n.company_id AND l.note_id = n.id) AS views
      FROM premise_note n JOIN company c ON c.id = n.company_id WHERE c.subdomain = 'maplegrove' ORDER BY n.id`)
    expect([notes.length, notes.filter(({ location }) => location === '')]).toEqual([9, []])
    expect(openSecrets(TEST_SECRET_KEY).open(notes[1].text_sealed)).toContain('Gate code')
    expect(notes[1].views).toBe(5)
  })

  it('lets a guest find an unpaid bill', async () => {
    const { status, body } = await portal.post('maplegrove.localhost', 'find/guest/bill', {
      accountNumber: '100001',
      zip: '17011',
    })
    expect(status).toBe(200)
    const checkout = await portal.post('maplegrove.localhost', 'return/guest/checkout', { token: body.token })
    expect(checkout.body).toMatchObject({
      payableCents: 14_931,
      payables: [{ pendingCents: 0, title: 'Utility bill' }],
    })
  })

  it('contains a ledger that matches orders, remittances and balances', async () => {
    const sums = await rows(`
      SELECT c.id,
        (SELECT coalesce(sum(CASE kind WHEN 'credit' THEN amount_cents ELSE -amount_cents END), 0)::bigint
           FROM (SELECT company_id, kind, amount_cents FROM remittance UNION ALL SELECT company_id, kind, amount_cents FROM general_settlement
             UNION ALL SELECT company_id, kind, amount_cents FROM parking_receipt UNION ALL SELECT company_id, kind, amount_cents FROM form_settlement
             UNION ALL SELECT company_id, kind, amount_cents FROM rental_settlement) AS told
           WHERE company_id = c.id) AS remitted,
        (SELECT coalesce(sum(CASE WHEN credit_account = 'payable_municipality' THEN amount_cents WHEN debit_account = 'payable_municipality' THEN -amount_cents ELSE 0 END), 0)::bigint
           FROM ledger_transfer WHERE company_id = c.id) AS payable,
        (SELECT coalesce(sum(amount_cents * ((debit_account IN ('gateway_clearing', 'dispute_reserve', 'office_cash', 'bank'))::int - (credit_account IN ('gateway_clearing', 'dispute_reserve', 'office_cash', 'bank'))::int)), 0)::bigint
           FROM ledger_transfer WHERE company_id = c.id AND order_id IS NOT NULL) AS cash,
        (SELECT coalesce(sum(o.total_cents - o.refunded_cents - coalesce(f.amount_cents, 0)), 0)::bigint FROM payment_order o
           -- A fee that is a charge of its own and was never made.
           LEFT JOIN payment_fee f ON f.company_id = o.company_id AND f.id = o.id AND f.status <> 'charged'
           WHERE o.company_id = c.id AND o.status IN (1, 3)) AS held
      FROM company c`)
    for (const sum of sums) {
      expect(sum.remitted).toBe(sum.payable)
      expect(sum.cash).toBe(sum.held)
    }
    const fees = await rows(`
      SELECT o.id FROM payment_order o JOIN ledger_transfer t ON t.company_id = o.company_id AND t.order_id = o.id
      WHERE o.status = 3 GROUP BY o.company_id, o.id
      HAVING sum(CASE WHEN t.credit_account = 'fee_revenue' THEN t.amount_cents WHEN t.debit_account = 'fee_revenue' THEN -t.amount_cents ELSE 0 END) <> 0`)
    expect(fees).toEqual([])
  })

  it('contains only valid histories that end in the order’s status', async () => {
    const violations = await rows(`
      WITH h AS (SELECT * FROM status_history WHERE machine = 'order')
      SELECT o.id FROM payment_order o
      LEFT JOIN h ON h.company_id = o.company_id AND h.subject_id = o.id
      LEFT JOIN h n ON n.company_id = h.company_id AND n.subject_id = h.subject_id AND n.seq = h.seq + 1
      WHERE h.seq IS NULL OR (n.seq IS NULL AND h.to_state <> o.status::text) OR n.from_state <> h.to_state OR n.at < h.at OR (h.seq = 1 AND h.from_state <> '')`)
    expect(violations).toEqual([])
    expect(await rows(`SELECT id FROM payment_attempt WHERE provider = 'sandbox'`)).toEqual([])
  })

  it('contains declined, refunded, returned and pending payments', async () => {
    const [counts] = await rows(`
      SELECT count(*) FILTER (WHERE status = 3)::int AS refunded, count(*) FILTER (WHERE return_code IN ('R01', 'R10'))::int AS returned,
        count(*) FILTER (WHERE status = 2 AND return_code IS NULL)::int AS declined, count(*) FILTER (WHERE status = 0)::int AS pending,
        count(DISTINCT location)::int AS locations, count(*) FILTER (WHERE created_at > now())::int AS future FROM payment_order WHERE company_id = 101`)
    expect(counts.locations).toBe(6)
    expect(counts.future).toBe(0)
    for (const kind of ['refunded', 'returned', 'declined', 'pending']) expect(counts[kind], kind).toBeGreaterThan(2)
  })

  it('contains the coordinates, parcel and ward of every utility account', async () => {
    const [counts] = await rows(`
      SELECT count(*)::int AS accounts, count(p.id)::int AS parcels, count(w.zone_id)::int AS in_a_ward
      FROM utility_account u
      JOIN street s ON s.company_id = u.company_id AND u.service_address LIKE '% ' || s.name
      JOIN address a ON a.company_id = u.company_id AND a.street_id = s.id AND a.unit = '' AND a.house_number || ' ' || s.name = u.service_address
      LEFT JOIN parcel p ON p.company_id = u.company_id AND p.address = u.service_address
      LEFT JOIN zone_ring w ON w.company_id = u.company_id AND w.shape @> a.at
        AND w.zone_id IN (SELECT id FROM zone WHERE company_id = u.company_id AND kind = 'Ward')`)
    expect(counts).toEqual({ accounts: 620, parcels: 620, in_a_ward: 620 })
  })

  it('analyzes its tables, so that the first query is fast', async () => {
    const unknown = await rows(`
      SELECT c.relname FROM pg_class c WHERE c.relname IN ('utility_account', 'address', 'payment_order', 'audit_event') AND c.reltuples < 100`)
    expect(unknown).toEqual([])
  })

  it('contains read and unread chats of each company’s administrator', async () => {
    for (const subdomain of ['maplegrove', 'harborcity']) {
      const token = await portal.signIn(`${subdomain}.localhost`, `admin@${subdomain}.example`)
      const { body } = await portal.post(`${subdomain}.localhost`, 'muni/return/chats', {}, { token })
      const unread = body.chats.filter((one: { unread: number }) => one.unread > 0)
      expect(unread.length, subdomain).toBeGreaterThan(0)
      expect(unread.length, subdomain).toBeLessThan(body.chats.length)
    }
  })

  it('contains items of every type in the next two weeks', async () => {
    const token = await portal.signIn('maplegrove.localhost', 'staff@maplegrove.example')
    const { body } = await portal.post(
      'maplegrove.localhost',
      'muni/return/municipality/scheduled/items',
      { selectedOption: 'upcoming' },
      { token },
    )
    expect(new Set(body.data.map((item: { type: string }) => item.type)).size).toBe(4)
    expect(new Set(body.data.map((item: { status: string | null }) => item.status)).size).toBeGreaterThan(1)
  })

  it('contains staff of every status and two months of sign-ins', async () => {
    const [staff] = await rows(`
      SELECT count(*)::int AS people, count(*) FILTER (WHERE is_active = 0)::int AS inactive, count(locked_at)::int AS locked,
        count(*) FILTER (WHERE password_hash IS NULL)::int AS invited, count(DISTINCT department_id)::int AS departments,
        count(*) FILTER (WHERE privileges <> '{}')::int AS changed FROM person WHERE company_id = 101 AND role_id >= 3`)
    expect(staff).toEqual({ people: 15, inactive: 1, locked: 1, invited: 1, departments: 5, changed: 1 })
    const [signIns] = await rows(`
      SELECT count(*)::int AS all, count(DISTINCT detail ->> 'reason')::int AS reasons,
        count(*) FILTER (WHERE at > now())::int AS future FROM audit_event WHERE company_id = 101 AND action LIKE 'sign_in.%'`)
    expect(signIns.all).toBeGreaterThan(300)
    expect(signIns.reasons).toBeGreaterThan(1)
    expect(signIns.future).toBe(0)
  })

  it('contains support requests of all companies with consistent histories', async () => {
    const [counts] = await rows(`
      SELECT count(*)::int AS all, count(DISTINCT company_id)::int AS companies, count(DISTINCT status)::int AS states,
        count(*) FILTER (WHERE assigned_to IS NULL AND status = 0)::int AS free, count(first_reply_at)::int AS replied,
        count(*) FILTER (WHERE greatest(updated_at, created_at, closed_at) > now())::int AS future,
        count(*) FILTER (WHERE status IN (0, 1, 3) AND assigned_to IN (SELECT id FROM platform_person WHERE is_active = 0))::int AS left_behind
      FROM support_request`)
    expect(counts).toMatchObject({ companies: 3, states: 5, future: 0 })
    expect(counts.all).toBeGreaterThanOrEqual(40)
    for (const kind of ['free', 'replied', 'left_behind']) expect(counts[kind], kind).toBeGreaterThan(0)
    const violations = await rows(`
      SELECT r.id FROM support_request r
      LEFT JOIN LATERAL (SELECT to_state FROM status_history h
        WHERE h.company_id = r.company_id AND h.machine = 'support_request' AND h.subject_id = r.id ORDER BY h.seq DESC LIMIT 1) h ON true
      WHERE h.to_state IS DISTINCT FROM r.status::text
        OR r.last_message_id <> coalesce((SELECT max(e.id) FROM case_entry e WHERE e.company_id = r.company_id AND e.subject_kind = 'support_request' AND e.subject_id = r.id AND e.kind <> 'assignment'), 0)`)
    expect(violations).toEqual([])
  })

  it.each([
    ['admin.localhost', 'super@mainstreet.example'],
    ['admin.localhost', 'support@mainstreet.example'],
    ['admin.localhost', 'callcenter@mainstreet.example'],
    ['maplegrove.localhost', 'admin@maplegrove.example'],
    ['maplegrove.localhost', 'manager@maplegrove.example'],
    ['maplegrove.localhost', 'resident@maplegrove.example'],
    ['maplegrove.localhost', 'newcomer@maplegrove.example'],
    ['harborcity.localhost', 'admin@harborcity.example'],
    ['harborcity.localhost', 'resident@harborcity.example'],
  ])('signs in at %s: %s', async (host, email) => {
    expect(await portal.signIn(host, email)).toMatch(/^[\w-]{43}$/)
  })

  it('has no entry in the future', async () => {
    // Names of the timestamp columns that may contain future times.
    const ahead =
      /expires|until|due|after|starts|ends|lease|next_check_at|rests|planned|next|hearing|closes|send_at|confirm_by|buffer_from|from_at|try_at/
    const columns = await rows(`
      SELECT c.table_name AS of, c.column_name AS name FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
      WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE' AND c.data_type LIKE 'timestamp%'
        AND c.column_default IS NULL AND c.table_name NOT IN ('schema_migration', 'demo_load')`)
    const looked = columns.filter(({ name }) => !ahead.test(name))
    expect(looked.length).toBeGreaterThan(200)
    const now = portal.clock.now().toISOString()
    const late = await rows(
      looked
        .map(
          ({ of, name }) =>
            `SELECT '${of}.${name}' AS what, count(*)::int AS n FROM "${of}" WHERE "${name}" > '${now}'::timestamptz`,
        )
        .join(' UNION ALL '),
    )
    expect(late.filter(({ n }) => n > 0)).toEqual([])
  })

  it('contains a year of daily figures that match the companies’ data', () => expectFigures(portal.owner))

  // Runs only at night, because a second load of the demo takes as long as the first.
  nightly(
    'is loaded anew where a load was interrupted',
    async () => {
      const database = await testDatabase({ demo: true })
      await database.owner.query('UPDATE demo_load SET finished_at = NULL')
      const clock = testClock()
      const printedLines: string[] = []
      const parts = {
        clock,
        log: openLog({ logLevel: 'silent' }).log,
        files: filesOnDisk(testFolder(), clock),
        secrets: openSecrets(TEST_SECRET_KEY),
      }
      expect(
        await loadDemoOnce(
          { ownerUrl: database.url, pools: database.pools },
          { ...parts, report: (line) => void printedLines.push(line) },
          loadDemo,
        ),
      ).toBe(true)
      expect(printedLines).toContain('  Maple Grove, with 440 utility accounts')
      await expectFigures(database.owner)
    },
    180_000,
  )
})

async function expectFigures(owner: pg.Pool): Promise<void> {
  const { rows: sums } = await owner.query(`
    SELECT measure, sum(count)::int AS count, sum(cents)::bigint AS cents, (SELECT sum(count)::int FROM platform_daily_figure p WHERE p.measure = d.measure) AS all_count,
      (SELECT sum(cents)::bigint FROM platform_daily_figure p WHERE p.measure = d.measure) AS all_cents
    FROM daily_figure d GROUP BY 1`)
  expect(sums.map(({ measure }) => measure).toSorted()).toEqual([
    'failures',
    'payments',
    'requests',
    'requests_closed',
    'requests_received',
    'residents',
    'sign_ins',
    'sign_ups',
    'utility_accounts',
  ])
  for (const { count, cents, all_count, all_cents } of sums) expect([all_count, all_cents]).toEqual([count, cents])
  const { rows: days } = await owner.query(
    `SELECT count(DISTINCT day)::int AS n FROM platform_daily_figure WHERE measure = 'payments'`,
  )
  expect(days[0].n).toBeGreaterThan(300)
}
