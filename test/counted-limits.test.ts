import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { mapleGrove } from '../database/towns/maple-grove.ts'
import { provideInstead } from '../features/payments/server/providers/providers.ts'
import { liftLimits } from './databases.ts'
import { testPortal } from './harness.ts'
import { ProviderModel } from './provider-model.ts'
import { openAccounts, openTestCompany, sendBills } from './company.ts'

/** These tests prove that limits on the number of rows hold even if many parallel calls add rows. */

const HOST = 'maplegrove.localhost'
const PARALLEL = 14
/** Number of rows that may still be added when the parallel calls start. */
const LEFT = 3
const portal = await testPortal()
const provider = new ProviderModel()
provideInstead(portal.config, provider)
const tokens: Record<string, string> = {}
let company = 0
let person = 0
let order = 0
let accounts: number[] = []

const rowsOf = async (text: string, ...values: unknown[]) => (await portal.owner.query(text, values)).rows
const callAs = (path: string, body: object, role = 'admin') =>
  portal.post(HOST, path, body, { token: tokens[role] ?? '', headers: { 'idempotency-key': randomUUID() } })

beforeAll(async () => {
  company = await openTestCompany(portal, mapleGrove)
  await openAccounts(portal)
  await liftLimits(portal.owner)
  for (const role of ['admin', 'resident']) tokens[role] = await portal.signIn(HOST, `${role}@maplegrove.example`)
  person = (await rowsOf(`SELECT id FROM person WHERE email = 'resident@maplegrove.example'`))[0].id
  await sendBills(
    portal,
    Array.from({ length: 80 }, (_, n) => ({ account: `4${String(n).padStart(3, '0')}`, bill: `B${n}` })),
  )
  await rowsOf(
    `INSERT INTO alert_service (company_id, type, name) VALUES ($1, 1, 'Emergencies') ON CONFLICT DO NOTHING`,
    company,
  )
  accounts = (await rowsOf(`SELECT id FROM utility_account WHERE account_number LIKE '4___' ORDER BY id`)).map(
    ({ id }) => Number(id),
  )
  const location = { text: '', addressId: null, lat: null, lon: null, metres: null }
  const work = {
    title: 'Fill',
    description: '',
    kind: 'repair',
    severity: 1,
    location,
    assetName: '',
    dueOn: '2026-12-25',
  }
  order = (await callAs('muni/open/work/order', { ...work, departmentId: null, assignedTo: null })).body.orderId
})

interface Limited {
  what: string
  /** Source file with the code that compares the count with the limit. */
  file: string
  max: number
  /** SQL that counts the rows to which the limit applies. */
  count: string
  /** SQL that adds rows until only `LEFT` more may be added. Parameters: `$1` company, `$2` number, `$3` person. */
  fill: string
  add: (n: number) => ReturnType<typeof callAs>
}

const portalForm = { url: 'https://other.example/open311', jurisdictionId: '', active: false, followsStatus: false }
const sourceForm = { url: 'https://alerts.example/cap', codes: '', zoneIds: [], events: '', minSeverity: 'Minor' }
const limited: readonly Limited[] = [
  {
    what: 'API keys',
    file: 'features/api-keys/server/keys.ts',
    max: 20,
    count: 'SELECT count(*) FROM api_key WHERE company_id = $1 AND revoked_at IS NULL',
    fill: `INSERT INTO api_key (company_id, name, ending, key_hash, made_at, made_by, use)
           SELECT $1, 'k' || n, 'abcd', sha256(n::text::bytea), now(), 'x', 'billing' FROM generate_series(1, $2) n WHERE $3 > 0`,
    add: (n) => callAs('muni/make/api/key', { name: `Key ${n}`, use: 'billing' }),
  },
  {
    what: 'portals of Open311',
    file: 'features/open311/server/portals.ts',
    max: 20,
    count: 'SELECT count(*) FROM open311_portal WHERE company_id = $1 AND removed_at IS NULL',
    fill: `INSERT INTO open311_portal (company_id, name, url, is_active, follows_status, sends_contact, updates_until, next_check_at)
           SELECT $1, 'p' || n, 'https://other.example', false, false, false, now(), now() FROM generate_series(1, $2) n WHERE $3 > 0`,
    add: (n) =>
      callAs('muni/save/other/portal', {
        ...portalForm,
        ...{ portalId: null, apiKey: '', name: `Portal ${n}`, sendsContact: false, routes: [] },
      }),
  },
  {
    what: 'sources of alerts',
    file: 'features/alerts/cap/sources.ts',
    max: 10,
    count: 'SELECT count(*) FROM alert_source WHERE company_id = $1',
    fill: `INSERT INTO alert_source (company_id, name, url, min_severity, service_id, is_active)
           SELECT $1, 's' || n, 'https://alerts.example', 'Minor', (SELECT min(id) FROM alert_service WHERE company_id = $1), false
           FROM generate_series(1, $2) n WHERE $3 > 0`,
    add: async (n) => {
      const [{ id }] = await rowsOf('SELECT min(id) AS id FROM alert_service WHERE company_id = $1', company)
      const form = { ...sourceForm, name: `Source ${n}`, serviceId: String(id), byItself: false, isActive: false }
      return callAs('muni/save/alert/source', { sourceId: null, form })
    },
  },
  {
    what: 'answers of one kind of case',
    file: 'server/cases/saved-replies.ts',
    max: 200,
    count: `SELECT count(*) FROM saved_reply WHERE company_id = $1 AND subject_kind = 'request'`,
    fill: `INSERT INTO saved_reply (company_id, subject_kind, title, text)
           SELECT $1, 'request', 'a' || n, 'x' FROM generate_series(1, $2) n WHERE $3 > 0`,
    add: (n) =>
      callAs('muni/save/requests/saved/reply', { savedReplyId: null, title: `Answer ${n}`, text: 'Thank you.' }),
  },
  {
    what: 'settings of the screens of a person',
    file: 'server/person-settings.ts',
    max: 300,
    count: 'SELECT count(*) FROM person_setting WHERE company_id = $1',
    fill: `INSERT INTO person_setting (company_id, person_id, name, value, changed_at)
           SELECT $1, id, 's' || n, 'true', now() FROM person, generate_series(1, $2) n
           WHERE email = 'admin@maplegrove.example' AND $3 > 0`,
    add: (n) => callAs('save/person/setting', { name: `new${n}`, value: true }),
  },
  {
    what: 'saved views of a list',
    file: 'server/saved-views.ts',
    max: 30,
    count: 'SELECT count(*) FROM saved_view WHERE company_id = $1',
    fill: `INSERT INTO saved_view (company_id, person_id, list, name, query, created_at)
           SELECT $1, id, 'muni/return/forms', 'v' || n, '', now() FROM person, generate_series(1, $2) n
           WHERE email = 'admin@maplegrove.example' AND $3 > 0`,
    add: (n) => callAs('save/view', { list: 'muni/return/forms', name: `View ${n}`, query: 'a=1' }),
  },
  {
    what: 'linked accounts of a resident',
    file: 'features/utility-portal/server/link-account.ts',
    max: 60,
    count: 'SELECT count(*) FROM linked_account WHERE company_id = $1 AND person_id = $2',
    fill: `INSERT INTO linked_account (company_id, person_id, account_id, linked_at)
           SELECT $1, $3, id, now() FROM utility_account WHERE account_number LIKE '4___' ORDER BY id LIMIT $2`,
    add: (n) =>
      callAs(
        'link/utility/account',
        { accountNumber: `4${String(60 + n).padStart(3, '0')}`, proof: 'amount', amount: '100.00' },
        'resident',
      ),
  },
  {
    what: 'offers to share an account',
    file: 'features/utility-portal/server/shares.ts',
    max: 20,
    count: `SELECT count(*) FROM account_share WHERE company_id = $1 AND offered_by = $2 AND state <> 'ended'`,
    fill: `INSERT INTO account_share (company_id, account_id, kind, with_amounts, until_day, offered_by, to_email, code_hash, state, offered_at, expires_at)
           SELECT $1, (SELECT min(account_id) FROM linked_account WHERE person_id = $3), 'watch', false, '2026-11-20', $3, '', sha256(n::text::bytea),
             'offered', now(), now() + interval '30 days' FROM generate_series(1, $2) n`,
    add: () =>
      callAs(
        'offer/utility/share',
        { accountId: accounts[0], kind: 'watch', withAmounts: false, toEmail: '' },
        'resident',
      ),
  },
  {
    what: 'cards and bank accounts of a resident',
    file: 'features/autopay/server/end-setup.ts',
    max: 20,
    count: 'SELECT count(*) FROM stored_method WHERE company_id = $1 AND person_id = $2 AND removed_at IS NULL',
    fill: `INSERT INTO stored_method (company_id, person_id, method, provider, provider_customer, provider_method, method_label,
             mandate_text, mandate_at, mandate_address, mandate_device, created_at)
           SELECT $1, $3, 1, 'sandbox', '', 'pm_' || n, 'Visa', 'x', now(), '', '', now() FROM generate_series(1, $2) n`,
    add: () => callAs('add/payment/method', { method: 1, agree: true, methodToken: provider.token('ok') }, 'resident'),
  },
  {
    what: 'lines of a work order’s checklist',
    file: 'features/work-orders/server/work.ts',
    max: 200,
    count: 'SELECT count(*) FROM work_order_task WHERE company_id = $1',
    fill: `INSERT INTO work_order_task (company_id, order_id, no, text)
           SELECT $1, (SELECT max(id) FROM work_order WHERE company_id = $1), n, 'x' FROM generate_series(1, $2) n WHERE $3 > 0`,
    add: (n) => callAs('muni/add/work/task', { orderId: order, text: `Line ${n}` }),
  },
]

describe.each(limited)('the limit of $what', ({ max, count, fill, add }) => {
  test(`holds in ${PARALLEL} parallel calls`, async () => {
    await rowsOf(fill, company, max - LEFT, person)
    const counted = async () =>
      Number((await rowsOf(count, ...(count.includes('$2') ? [company, person] : [company])))[0].count)
    expect(await counted()).toBe(max - LEFT)
    const responses = await Promise.all(Array.from({ length: PARALLEL }, (_, n) => add(n)))
    const accepted = responses.filter(({ status }) => status === 200)
    expect(accepted, JSON.stringify(responses[0]?.body)).toHaveLength(LEFT)
    for (const { status, body } of responses) {
      expect([200, 409, 422], JSON.stringify(body)).toContain(status)
      if (status !== 200) expect(body.message).toMatch(new RegExp(`\\b${max}\\b|\\b${max - LEFT}\\b`))
    }
    expect(await counted()).toBe(max)
  })
})

/**
 * Files that compare a row count with a limit but are not tested here with parallel calls. Each has the reason why
 * parallel calls can't exceed its limit.
 */
const exemptFiles: Readonly<Record<string, string>> = {
  'features/customers/server/import-customers.ts': 'counts what the file brings',
  'features/factors/server/my-passkeys.ts': 'takes turns',
  'features/forms/server/fill.ts': 'takes turns',
  'features/forms/server/import-permits.ts': 'measures a text',
  'features/rentals/server/wait.ts': 'takes turns',
  'features/rentals/server/manage.ts': 'holds the resource',
  'features/rental-seasons/server/round-choices.ts': 'counts what the call itself brings',
  'features/payments/server/orders/cart.ts': 'holds the order',
  'server/cases/guest.ts': 'takes turns',
  'features/field/server/conflicts.ts': 'measures a text',
  'server/fields/drafts.ts': 'measures a text',
  'server/places/loaders.ts': 'measures a text',
  'server/attachments/keep.ts': 'takes turns',
}

test('covers each file that counts rows before it adds one', () => {
  const files = ['features', 'server'].flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map((name) => `${root}/${name}`),
  )
  const counting = files.filter((file) => {
    const text = readFileSync(file, 'utf8')
    return (
      /(?:Number\(\w+(?: \?\? 0)?\)|\b(?:n|length))(?: \+ \w+\.length)? >=? (?:\w+\.)?(?:MAX|max)\w*/.test(text) &&
      /insertInto|INSERT INTO/.test(text)
    )
  })
  const listedFiles = [...limited.map(({ file }) => file), ...Object.keys(exemptFiles)]
  expect(counting.filter((file) => !listedFiles.includes(file))).toEqual([])
  for (const [file, why] of Object.entries(exemptFiles))
    if (why === 'takes turns') expect(readFileSync(file, 'utf8'), file).toMatch(/await lockUntilCommit\(/)
})
