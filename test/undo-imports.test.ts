import { sql } from 'kysely'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { type ImportKind, importKindNames, importReport } from '../shared/imports.ts'
import { importColumns } from '../server/columns.ts'
import { companyIdFrom } from '../server/tenancy.ts'
import { tenantTables } from './catalog.ts'
import { testPortal } from './harness.ts'

/** Undo of the imports of all kinds: all tables are the same before an import and after its undo. */

const HOST = 'maplegrove.localhost'
const portal = await testPortal({ demo: true })
let token = ''
let tables: string[] = []
let code = ''
let category = ''
let resource = ''
let form = ''
let address = ''
let accounts = ['', '']

beforeAll(async () => {
  token = await portal.signIn(HOST, 'admin@maplegrove.example')
  tables = await tenantTables(portal.owner)
  const { rows } = await portal.owner.query<{
    code: string
    category: string
    resource: string
    form: string
    address: string
  }>(
    `SELECT (SELECT min(code) FROM parking_violation WHERE company_id = c.id) AS code,
      (SELECT min(name) FROM rental_resource r WHERE r.company_id = c.id AND kind = 'hall') AS resource,
      (SELECT a.number || ' ' || s.name FROM address a JOIN street s ON (s.company_id, s.id) = (a.company_id, a.street_id) WHERE a.company_id = c.id ORDER BY a.id LIMIT 1) AS address,
      (SELECT min(title) FROM form_type t WHERE t.company_id = c.id AND issues <> '' AND status = 'published') AS form,
      (SELECT min(name) FROM request_category WHERE company_id = c.id) AS category FROM company c WHERE subdomain = 'maplegrove'`,
  )
  code = rows[0]?.code ?? ''
  category = rows[0]?.category ?? ''
  resource = rows[0]?.resource ?? ''
  form = rows[0]?.form ?? ''
  address = rows[0]?.address ?? ''
  const numbers = await portal.owner.query<{ n: string }>(
    "SELECT account_number AS n FROM utility_account a JOIN company c ON c.id = a.company_id WHERE subdomain = 'maplegrove' ORDER BY 1 LIMIT 2",
  )
  accounts = numbers.rows.map(({ n }) => n)
})

const callApi = async (path: string, body: object = {}) => {
  const { status, body: response } = await portal.post(HOST, path, body, { token })
  return { status, body: response }
}

async function upload(path: string, name: string, content: string, fields: Record<string, string> = {}) {
  const data = new FormData()
  for (const [field, value] of Object.entries(fields)) data.append(field, value)
  data.append('file', new Blob([content]), name)
  const sent = new Response(data)
  const { statusCode, payload } = await portal.app.inject({
    ...{ method: 'POST', url: `/api/v2/${path}`, payload: Buffer.from(await sent.arrayBuffer()) },
    headers: { host: HOST, authorization: `Bearer ${token}`, 'content-type': sent.headers.get('content-type') ?? '' },
  })
  return { status: statusCode, body: JSON.parse(payload) }
}

/** Tables that record the work itself: sessions, the log, imports and their files. */
const RECORDS =
  /^(?:audit_|session$|data_import$|import_|billing_file|last_change$|download_token$|attachment$|upload|failed_guess$|idempotency_key$|view_log$)/

/** Checksum of each table with its rows. */
async function checksums(): Promise<Record<string, string>> {
  const sums = tables
    .filter((name) => !RECORDS.test(name))
    .map((name) => {
      const some = name === 'status_history' ? "WHERE machine <> 'billing_file'" : ''
      return `SELECT '${name}' AS name, md5(coalesce(string_agg(md5(t::text), '' ORDER BY md5(t::text)), '')) AS sum FROM ${name} t ${some}`
    })
  const { rows } = await portal.owner.query<{ name: string; sum: string }>(sums.join(' UNION ALL '))
  return Object.fromEntries(rows.map(({ name, sum }) => [name, sum]))
}

interface Case {
  path: string
  fields?: () => Promise<Record<string, string>>
  /** Files before the import, and the imported file: it changes a row and adds another. */
  before?: string
  file: string
  name?: string
}

const places = (kind: string, before: string, file: string, name = 'places.csv'): Case => ({
  ...{ path: 'muni/import/places', fields: async () => ({ kind }), before, file, name },
})
const feature = (properties: object, geometry: object) => ({ type: 'Feature', properties, geometry })
const collection = (...features: object[]) => JSON.stringify({ type: 'FeatureCollection', features })
const square = (size: number) => ({
  type: 'Polygon',
  coordinates: [
    [
      [-76.93, 40.23],
      [-76.93 + size, 40.23],
      [-76.93 + size, 40.23 + size],
      [-76.93, 40.23],
    ],
  ],
})
const line = (to: number) => ({
  type: 'LineString',
  coordinates: [
    [-76.93, 40.23],
    [-76.93, to],
  ],
})
const RESERVATIONS = 'number,resource,start,start time,end time,name,status,price,amount due'
const PERMITS = 'number,form,name,issued,expires,status,details'
const REGISTRATIONS = 'number,kind,name,email,address,registered,confirmation due,units'
const REQUESTS = 'number,category,created,status,closed,description,location,email'
const ORDERS = 'number,title,created,status,completed,due'
const BALANCES = 'Acct No,Name,Address,Balance'
const BILL_HEAD =
  'account_number,customer_name,service_address,city,state,zip,bill_number,bill_date,due_date,period_start,period_end,amount_paid,service_1,amount_1'
const bill = (account: string, number: string, name: string, paid = '0') =>
  `${account},${name},1 Elm Street,Maple Grove,PA,17011,${number},2026-11-01,2026-12-01,2026-10-01,2026-10-31,${paid},Water,50.00`

const records = (kind: ImportKind, before: string, file: string): Case => ({
  ...{ path: 'muni/import/records', fields: async () => ({ kind }), before, file },
})

const cases: Record<Exclude<ImportKind, 'bills'>, Case> = {
  hydrants: { path: 'muni/import/hydrants', before: 'number,make\nUN-1,Old', file: 'number,make\nUN-1,New\nUN-2,New' },
  parking_tickets: {
    path: 'muni/import/parking/tickets',
    before: 'citation,plate,state,violation,issued\nUN-1,ABC1,PA,CODE,2026-11-01 10:00',
    file: 'citation,plate,state,violation,issued\nUN-1,ABC2,PA,CODE,2026-11-01 10:00\nUN-2,ABC3,PA,CODE,2026-11-02 10:00',
  },
  open_items: {
    path: 'muni/import/general/payment/items',
    fields: async () => {
      const { rows } = await portal.owner.query<{ id: string }>(
        "SELECT t.id FROM payment_type t JOIN company c ON c.id = t.company_id WHERE c.subdomain = 'maplegrove' AND amount_kind = 'listed' AND proof = 'amount' LIMIT 1",
      )
      return { typeId: String(rows[0]?.id) }
    },
    before: 'number,name,amount\nUN-1,Ann Lee,10.00',
    file: 'number,name,amount\nUN-1,Ann Lee,12.00\nUN-2,Bo Lee,20.00',
  },
  requests: records(
    'requests',
    `${REQUESTS}\nOLD-1,CATEGORY,2025-03-01,Open,,Hole,,ann@example.com`,
    `${REQUESTS}\nOLD-2,CATEGORY,2026-03-01,Closed,2026-03-04,Hole,12 Oak Street,ann@example.com\nOLD-3,CATEGORY,2021-03-01,Open,,Hole,,`,
  ),
  request_categories: records('request_categories', 'name,days\nUndone,5', 'name,days,guests\nUndone 2,5,no'),
  faqs: records(
    'faqs',
    'question,answer,category\nWhat is undone?,Nothing,Undo',
    'question,answer,category,published\nWhat is undone now?,Nothing.,Undo,yes\nWhat is undone next?,"One\nTwo",Undo more,no',
  ),
  work_orders: records(
    'work_orders',
    `${ORDERS}\nW-1,Fix it,2025-05-01,Open,,`,
    `${ORDERS}\nW-2,Fix it,2026-05-01,Done,2026-05-03,\nW-3,Fix more,2020-05-01,Open,,2026-12-01`,
  ),
  resources: records(
    'resources',
    'name,kind,gl account\nUndo Hall,Hall,1',
    'name,kind,price,gl account\nUndo Field,Field,$12.50,1\nUndo Shelter,Shelter,,1',
  ),
  reservations: records(
    'reservations',
    `${RESERVATIONS}\nUN-1,RESOURCE,2026-12-01,10:00,11:00,Ann Lee,Confirmed,20.00,`,
    `${RESERVATIONS}\nUN-2,RESOURCE,2026-12-01,11:00,12:00,Ann Lee,Confirmed,20.00,20.00\nUN-3,RESOURCE,2025-12-01,11:00,12:00,Ann Lee,,,\nUN-4,RESOURCE,2026-12-01,10:00,11:00,Bo Lee,Cancelled,,\nUN-5,RESOURCE,2026-12-02,10 am,11 am,Bo Lee,,,`,
  ),
  permits: records(
    'permits',
    `${PERMITS}\nUN-1,FORM,Ann Lee,2026-03-01,2027-02-28,Active,Juno`,
    `${PERMITS}\nUN-2,FORM,Ann Lee,2026-04-01,2027-03-31,Active,Juno\nUN-3,FORM,Bo Lee,2019-04-01,2020-03-31,Expired,\nUN-4,FORM,Cy Lee,2026-04-01,,Revoked,`,
  ),
  registrations: records(
    'registrations',
    `${REGISTRATIONS}\nUN-1,Rental property,Elm Court,resident@maplegrove.example,ADDRESS,2026-03-01,2027-03-01,2`,
    `${REGISTRATIONS}\nUN-2,Rental,Elm House,resident@maplegrove.example,ADDRESS,2026-03-01,2027-03-01,1A; 1B\nUN-3,Business,Lee Books,resident@maplegrove.example,ADDRESS,2020-03-01,2021-03-01,`,
  ),
  customers: records(
    'customers',
    'name,email,account,phone\nAnn Lee,undo-a@example.com,ACCOUNT,717-555-0100',
    'name,email,account,phone\nAnn Moss,undo-a@example.com,ACCOUNT; OTHER,717-555-0100\n"Lee, Bo",undo-b@example.com,OTHER,\nCy Lee,undo-c@example.com,,',
  ),
  violation_codes: records(
    'violation_codes',
    'code,description,amount\nUN1,Undone,25.00',
    'code,description,amount\nUN1,Undone,30.00\nUN2,Undone 2,$40.00',
  ),
  staff: records(
    'staff',
    'email,first name,last name,role\nundo1@example.gov,Ann,Lee,Front desk',
    'email,first name,last name,role\nundo2@example.gov,Bo,Lee,Cashier\nundo3@example.gov,Cy,Lee,Inspector',
  ),
  balances: {
    path: 'muni/import/account/balances',
    fields: async () => ({ day: '2026-11-19', remittance: '0' }),
    before: `${BALANCES}\nUNB-1,Ann Lee,12 Oak Street,40.00`,
    file: `${BALANCES}\nUNB-1,Ann Lee,12 Oak Street,50.00\nUNB-2,Bo Lee,"14 Oak Street, Maple Grove, PA 17011",-5.00\nUNB-3,Cy Lee,1 Oak Street,0`,
  },
  addresses: places(
    'addresses',
    'number,street,lat,lon\n1,Undo Street,40.231,-76.931',
    'number,street,lat,lon\n1,Undo Street,40.232,-76.931\n2,Undo Street,40.233,-76.931\n2,Redo Street,40.234,-76.931',
  ),
  parcels: places(
    'parcels',
    'parcel,lat,lon,owner\nUN-1,40.231,-76.931,Ann',
    'parcel,lat,lon,owner\nUN-1,40.231,-76.931,Bo\nUN-2,40.231,-76.931,Cy',
  ),
  streets: places(
    'streets',
    collection(feature({ name: 'Undone Way' }, line(40.24))),
    collection(feature({ name: 'Undone Way' }, line(40.25)), feature({ name: 'Undone Road' }, line(40.25))),
    'streets.geojson',
  ),
  zones: places(
    'zones',
    collection(feature({ name: 'Undo', kind: 'Ward' }, square(0.01))),
    collection(feature({ name: 'Undo', kind: 'Ward' }, square(0.02)), feature({ name: 'Undo 2' }, square(0.01))),
    'zones.geojson',
  ),
}

async function send(
  { path, fields, name = 'file.csv' }: Case,
  content: string,
  choices: { mode: string; columns?: string },
) {
  const text = content
    .replaceAll('CODE', code)
    .replaceAll('CATEGORY', category)
    .replaceAll('RESOURCE', resource)
    .replaceAll('FORM', form)
    .replaceAll('ADDRESS', address)
    .replaceAll('ACCOUNT', accounts[0] ?? '')
    .replaceAll('OTHER', accounts[1] ?? '')
  return upload(path, name, text, { ...choices, ...(await fields?.()) })
}

async function importOf(one: Case, content: string): Promise<number> {
  const { status, body } = await send(one, content, { mode: 'import' })
  expect([status, body.errorCount, body.imported], JSON.stringify(body)).toEqual([200, 0, true])
  return body.importId
}

/** Checks that a preview lists all rows that it counts, by the titles of the columns. */
async function expectLists(kind: ImportKind, one: Case): Promise<void> {
  const { body } = await send(one, one.file, { mode: 'preview', columns: '' })
  const { created, changed, unchanged, rows } = importReport.parse(body)
  const { created: fresh = [], changed: other = [], unchanged: same = [] } = rows ?? {}
  expect({ created: fresh.length, changed: other.length, unchanged: same.length }, JSON.stringify(body)).toEqual({
    ...{ created, changed, unchanged },
  })
  const titles = new Set(['Shape', ...Object.values(importColumns.get(kind)?.columns ?? {}).map(({ title }) => title)])
  const fields = [...fresh, ...other, ...same].flatMap((row) => row.fields)
  expect(fields.filter(({ title }) => !titles.has(title))).toEqual([])
  expect(other.filter((row) => row.fields.every(({ before }) => before === undefined))).toEqual([])
}

async function importBills(lines: string[]): Promise<number> {
  const { body } = await upload('muni/preview/bills', 'bills.csv', [BILL_HEAD, ...lines].join('\n'))
  await portal.runJobs()
  await callApi('muni/change/billing/file', { fileId: body.fileId, event: 'import' })
  await portal.runJobs()
  expect((await callApi('muni/return/billing/file', { fileId: body.fileId })).body).toMatchObject({ state: 'imported' })
  return body.fileId
}
const undo = (importId: number) => callApi('muni/undo/import', { importId })

const undoFile = async (fileId: number) =>
  undo((await callApi('muni/return/billing/file', { fileId })).body.undoableImport)

describe('undo of an import', () => {
  it.each(importKindNames.filter((kind) => kind !== 'bills'))('leaves all tables as before: %s', async (kind) => {
    const one = cases[kind]
    if (one.before) await importOf(one, one.before)
    const before = await checksums()
    await expectLists(kind, one)
    expect(await checksums()).toEqual(before)
    const importId = await importOf(one, one.file)
    expect(await checksums()).not.toEqual(before)
    expect(await undo(importId)).toMatchObject({ status: 200 })
    expect(await checksums()).toEqual(before)
    expect(await undo(importId)).toMatchObject({ status: 409, body: { code: 'import_undone' } })
  })

  it('leaves all tables as before: bills and account records', async () => {
    await importBills([bill('UN-1', 'UB-1', 'Ann Lee')])
    const before = await checksums()
    const fileId = await importBills([
      bill('UN-1', 'UB-1', 'Ann Lee', '10.00'),
      bill('UN-1', 'UB-2', 'Ann Moss'),
      bill('UN-2', 'UB-3', 'Bo Lee'),
    ])
    expect(await checksums()).not.toEqual(before)
    expect(await undoFile(fileId)).toMatchObject({ status: 200 })
    expect(await checksums()).toEqual(before)
    expect((await callApi('muni/return/billing/file', { fileId })).body).toMatchObject({ state: 'undone' })
  })

  it('refuses the undo and names the cause if later records depend on the rows', async () => {
    const causesOf = async (importId: number) => {
      const before = await checksums()
      const { status, body } = await undo(importId)
      expect(await checksums()).toEqual(before)
      return [status, body.details?.causes]
    }
    const tickets = 'citation,plate,state,violation,issued\n'
    const ticketImport = await importOf(cases.parking_tickets, `${tickets}USED-1,ABC1,PA,CODE,2026-11-01 10:00`)
    await portal.owner.query("UPDATE parking_ticket SET notes = 'Edited' WHERE citation_number = 'USED-1'")
    expect(await causesOf(ticketImport)).toEqual([409, ['edited']])

    const requestImport = await importOf(
      cases.requests,
      `${REQUESTS}\nUSED-1,CATEGORY,2026-11-01,Open,,Hole,,ann@example.com`,
    )
    const { rows } = await portal.owner.query<{ id: string }>(
      "SELECT id FROM service_request WHERE old_number = 'USED-1'",
    )
    const request = { subjectId: Number(rows[0]?.id) }
    const note = await callApi('muni/note/request', { ...request, message: 'Seen' })
    expect(note, JSON.stringify(note)).toMatchObject({ status: 200 })
    expect(await causesOf(requestImport)).toEqual([409, ['answered']])

    await importBills([bill('USED-1', 'USED-B1', 'Ann Lee')])
    const fileId = await importBills([bill('USED-1', 'USED-B2', 'Ann Lee')])
    await portal.owner.query(
      `INSERT INTO utility_shutoff (company_id, shutoff_number, account_id, off_on, imported_at)
       SELECT company_id, 'USED-S1', id, '2026-11-20', now() FROM utility_account WHERE account_number = 'USED-1'`,
    )
    expect(await undoFile(fileId)).toMatchObject({ status: 200 })
    const accountFile = await importBills([bill('USED-2', 'USED-B3', 'Ann Lee')])
    await portal.owner.query(
      `INSERT INTO utility_shutoff (company_id, shutoff_number, account_id, off_on, imported_at)
       SELECT company_id, 'USED-S2', id, '2026-11-20', now() FROM utility_account WHERE account_number = 'USED-2'`,
    )
    expect(await undoFile(accountFile)).toMatchObject({
      ...{ status: 409, body: { details: { causes: ['linked'] } } },
    })
  })

  it('refuses the undo of bills if the account was paid since the import', async () => {
    await importBills([bill('PAID-1', 'PAID-B1', 'Ann Lee')])
    const fileId = await importBills([bill('PAID-1', 'PAID-B2', 'Ann Lee')])
    await portal.owner.query(
      `INSERT INTO remittance (company_id, account_id, order_id, line_no, source, source_ref, kind, amount_cents, at)
       SELECT r.company_id, a.id, r.order_id, r.line_no, r.source, 'paid-since', 'credit', 100, now()
       FROM remittance r JOIN utility_account a ON a.company_id = r.company_id AND a.account_number = 'PAID-1' LIMIT 1`,
    )
    const before = await checksums()
    expect(await undoFile(fileId)).toMatchObject({ status: 409, body: { details: { causes: ['paid'] } } })
    expect(await checksums()).toEqual(before)
  })

  it('emails no one about imported requests, work orders and staff', async () => {
    const emails = async () => (await portal.emails()).map(({ subject }) => subject)
    await portal.runJobs()
    const before = await emails()
    await importOf(cases.requests, `${REQUESTS}\nMUTE-1,CATEGORY,2025-03-01,Open,,Hole,,mute@example.com`)
    await importOf(cases.work_orders, `${ORDERS}\nMUTE-1,Fix it,2025-05-01,Open,,2025-06-01`)
    await importOf(cases.staff, 'email,first name,last name,role\nmute@example.gov,Ann,Lee,Front desk')
    await portal.runJobs('requests.late')
    expect(await emails()).toEqual(before)
  })

  it('refuses imports of others and imports that are too old', async () => {
    const importId = await importOf(cases.hydrants, 'number,make\nOLD-1,New')
    const staff = await portal.signIn(HOST, 'staff@maplegrove.example')
    expect((await portal.post(HOST, 'muni/undo/import', { importId }, { token: staff })).status).toBe(403)
    const other = await portal.signIn('harborcity.localhost', 'admin@harborcity.example')
    expect((await portal.post('harborcity.localhost', 'muni/undo/import', { importId }, { token: other })).status).toBe(
      404,
    )
    portal.clock.advance(31 * 24 * 3_600_000)
    token = await portal.signIn(HOST, 'admin@maplegrove.example')
    expect(await undo(importId)).toMatchObject({ status: 409, body: { code: 'import_old' } })
  })
})

describe('preview of an import', () => {
  it('lists the values before and after, in the words of the screens', async () => {
    const head = 'number,name,amount,due,code'
    await importOf(cases.open_items, `${head}\nUN-7,Ann Lee,10.00,2027-03-31,A7K2\nUN-8,Bo Lee,10.00,,A7K2`)
    const file = `${head}\nUN-7,Ann Lee,12.50,2027-04-30,B7K2\nUN-8,Bo Lee,10.00,,A7K2\nUN-9,Cy Lee,1.00,,A7K2`
    const { body } = await send(cases.open_items, file, { mode: 'preview', columns: '' })
    expect(body.rows).toEqual({
      created: [
        {
          where: 'Line 4',
          fields: [
            { title: 'Number', value: 'UN-9' },
            { title: 'Name', value: 'Cy Lee' },
            { title: 'Amount', value: '1.00' },
          ],
        },
      ],
      changed: [
        {
          where: '',
          fields: [
            { title: 'Number', value: 'UN-7' },
            { title: 'Name', value: 'Ann Lee' },
            { title: 'Amount', value: '$12.50', before: '$10.00' },
            { title: 'Due date', value: 'April 30, 2027', before: 'March 31, 2027' },
            { title: 'Code', value: '••••', before: '••••' },
          ],
        },
      ],
      unchanged: [
        {
          where: 'Line 3',
          fields: [
            { title: 'Number', value: 'UN-8' },
            { title: 'Name', value: 'Bo Lee' },
            { title: 'Amount', value: '10.00' },
          ],
        },
      ],
    })
  })

  it('lists 50 rows of each result and counts all', async () => {
    const lines = (make: string) => Array.from({ length: 60 }, (_, n) => `LIST-${n},${make}`).join('\n')
    const one = cases.hydrants
    const fresh = await send(one, `number,make\n${lines('Old')}`, { mode: 'preview', columns: '' })
    expect([fresh.body.created, fresh.body.rows.created.length]).toEqual([60, 50])
    await importOf(one, `number,make\n${lines('Old')}`)
    const changed = await send(one, `number,make\n${lines('New')}`, { mode: 'preview', columns: '' })
    expect([changed.body.changed, changed.body.rows.changed.length]).toEqual([60, 50])
    expect(changed.body.rows.changed[0].fields).toEqual([
      { title: 'Hydrant number', value: 'LIST-0' },
      { title: 'Make', value: 'New', before: 'Old' },
    ])
  })

  it('lists no rows for a program that chose no columns', async () => {
    const { body } = await send(cases.hydrants, 'number,make\nLIST-1,Other', { mode: 'preview' })
    expect(body).toMatchObject({ changed: 1 })
    expect(body.rows).toBeUndefined()
  })
})

/** The application's role cannot list rows of its choice, so an undo deletes only rows that an import wrote. */
test('stores only rows that the transaction wrote, of tables that imports may write', async () => {
  const { rows } = await portal.owner.query<{ id: number }>("SELECT id FROM company WHERE subdomain = 'maplegrove'")
  const company = companyIdFrom('import', rows[0]?.id ?? 0)
  const noted = (table: string, column: string) =>
    portal.context.inCompany(company, async (tx) => {
      const { id } = await tx
        .insertInto('data_import')
        .values({
          ...{ company_id: company, kind: 'bills', file_name: '', imported_by: '' },
          imported_at: new Date(0),
          uses: '[]',
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await sql`SELECT note_import_rows(${company}, ${id}, ${table}, ${column}, true, '{0}', '{}')`.execute(tx)
      return tx.selectFrom('import_row').select('action').where('import_id', '=', id).execute()
    })
  expect(await noted('utility_account', 'id')).toEqual([])
  await expect(
    portal.context.inCompany(company, (tx) => sql`SELECT undo_import(${company + 1}, 1)`.execute(tx)),
  ).rejects.toThrow('an import may not write rows of another company')
  await expect(noted('ledger_transfer', 'id')).rejects.toThrow('an import may not write ledger_transfer')
  await expect(portal.context.inCompany(company, (tx) => sql`DELETE FROM import_row`.execute(tx))).rejects.toThrow(
    'permission denied',
  )
})
