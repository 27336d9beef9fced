import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { strToU8, type Zippable, zipSync } from 'fflate'
import { beforeAll, describe, expect, test } from 'vitest'
import { mapleGrove } from '../../database/towns/maple-grove.ts'
import { workbookOf } from '../../server/write-workbook.ts'
import { type CompanyId, tenancyOn } from '../../server/tenancy.ts'
import { type ApiResponse, testFolder, testPortal } from '../../test/harness.ts'
import { workbookOfSheets } from '../../test/workbooks.ts'
import { openPaidCompany } from '../../test/company.ts'
import { fileRemittances, remittanceFile } from './server/remittances.ts'
import { nightly } from '../../test/nightly.ts'

const MAPLE = 'maplegrove.localhost'
const ZONE = 'America/New_York'
const folder = testFolder()
const portal = await testPortal({ env: { BILLING_FOLDER: folder } })
const tokens: Record<string, string> = {}
let company: CompanyId

beforeAll(async () => {
  company = await openPaidCompany(portal, mapleGrove)
  for (const role of ['admin', 'manager', 'staff'])
    tokens[role] = await portal.signIn(MAPLE, `${role}@maplegrove.example`)
})

const post = (path: string, body: object = {}, by = 'admin') =>
  portal.post(MAPLE, path, body, { token: tokens[by] ?? '' })
const HEAD =
  'account_number,customer_name,service_address,city,state,zip,bill_number,bill_date,due_date,period_start,period_end,amount_paid,service_1,amount_1'
const bill = (account: string, number: string, { paid = '', amount = '10.00', zip = '17011', name = 'Ann Lee' } = {}) =>
  `${account},${name},12 Oak Street,Maple Grove,PA,${zip},${number},2026-11-01,2026-11-25,2026-10-01,2026-10-31,${paid},Water,${amount}`
const csv = (...rows: string[]) => `${[HEAD, ...rows].join('\n')}\n`

async function send(content: string | Uint8Array<ArrayBuffer>, by = 'admin'): Promise<ApiResponse> {
  const form = new FormData()
  form.append('file', new File([content], 'november.csv'))
  const request = new Request('http://x', { method: 'POST', body: form })
  const response = await portal.app.inject({
    method: 'POST',
    url: '/api/v2/muni/preview/bills',
    payload: Buffer.from(await request.arrayBuffer()),
    headers: {
      host: MAPLE,
      'content-type': request.headers.get('content-type') ?? '',
      authorization: `Bearer ${tokens[by]}`,
    },
  })
  return { status: response.statusCode, body: response.json(), headers: response.headers }
}

/**
 * Uploads a file and waits for its preview.
 * @returns the id of the file
 */
async function previewed(content: string | Uint8Array<ArrayBuffer>): Promise<number> {
  const { status, body } = await send(content)
  expect([status, body.message]).toEqual([
    200,
    'File received. The preview is being prepared. Nothing has changed yet.',
  ])
  await portal.runJobs()
  return body.fileId
}
const fileOf = async (fileId: number) => (await post('muni/return/billing/file', { fileId })).body
const linesOf = async (file: number, filters: object = {}) =>
  (await post('muni/return/billing/lines', { filters: { file, ...filters } })).body.rows
const take = (fileId: number, by = 'admin') => post('muni/change/billing/file', { fileId, event: 'import' }, by)
const billsIn = async (begins: string) =>
  (
    await portal.owner.query(
      `SELECT bill_number, paid_elsewhere_cents::int AS paid, customer_name AS name FROM utility_bill b
       JOIN utility_account a ON a.company_id = b.company_id AND a.id = b.account_id
       WHERE bill_number LIKE $1 || '%' ORDER BY bill_number`,
      [begins],
    )
  ).rows

describe('file that staff send', () => {
  test('previews without changing data, then imports exactly the previewed changes', async () => {
    const file = await previewed(
      csv(
        bill('81001', 'R-1'),
        bill('81001', 'R-2', { amount: '20.00', name: 'Ann Reese' }),
        bill('81002', 'R-3', { zip: '1701' }),
        bill('81001', 'R-1'),
        bill('81003', 'R-1'),
      ),
    )
    expect(await fileOf(file)).toMatchObject({
      state: 'previewed',
      linesRead: 5,
      errorCount: 2,
      accountsCreated: 1,
      billsCreated: 2,
      billsUnchanged: 1,
      billedCents: 3000,
      can: { import: true, discard: true },
    })
    expect(await billsIn('R-')).toEqual([])
    expect((await linesOf(file)).map((row: { line: number; what: string }) => `${row.line} ${row.what}`)).toEqual([
      '4 invalid',
      '6 invalid',
      '3 account',
      '2 bill',
      '3 bill',
    ])
    const [unread, twice] = await linesOf(file, { what: 'invalid' })
    expect(twice.reason).toBe('Line 2 already has bill R-1 with different data.')
    // Each invalid line shows its account, so that staff can find the account in their billing system.
    expect([unread.account, twice.account, twice.bill].includes('')).toBe(false)

    expect((await take(file, 'staff')).status).toBe(403)
    expect((await take(file)).body.message).toBe('november.csv is being imported.')
    expect((await take(file)).status).toBe(409)
    await portal.runJobs()
    expect(await fileOf(file)).toMatchObject({
      state: 'imported',
      linesDone: 5,
      billsCreated: 2,
      can: { import: false },
    })
    expect(await billsIn('R-')).toEqual([
      { bill_number: 'R-1', paid: 0, name: 'Ann Reese' },
      { bill_number: 'R-2', paid: 0, name: 'Ann Reese' },
    ])
  })

  nightly('says over the borders of its batches what it comes to', async () => {
    const many = Array.from({ length: 4500 }, (_, n) => bill(`82${n % 2300}`, `L-${n}`))
    const file = await previewed(csv(...many, bill('820', 'L-1'), bill('8299', 'L-2')))
    expect(await fileOf(file)).toMatchObject({
      linesRead: 4502,
      errorCount: 2,
      accountsCreated: 2300,
      billsCreated: 4500,
    })
    const { rows } = await portal.owner.query(
      `SELECT count(*)::int AS n FROM utility_account WHERE account_number LIKE '82%'`,
    )
    expect(rows[0].n).toBeLessThan(2300)
    expect((await post('muni/change/billing/file', { fileId: file, event: 'discard' })).status).toBe(200)
    expect((await take(file)).status).toBe(409)
  })

  test('refuses to import after a change and shows the new preview', async () => {
    const file = await previewed(csv(bill('83001', 'M-1'), bill('83001', 'M-2')))
    const other = await previewed(csv(bill('83001', 'M-1', { paid: '4.00' })))
    await take(other)
    await portal.runJobs()
    await take(file)
    await portal.runJobs()
    expect(await fileOf(file)).toMatchObject({
      state: 'previewed',
      changedMeanwhile: true,
      billsCreated: 1,
      billsChanged: 1,
      receivedCents: -400,
    })
    expect(await billsIn('M-')).toHaveLength(1)
    expect(await linesOf(file, { what: 'paid' })).toMatchObject([{ line: 2, before: 400, amount: 0 }])
    await take(file)
    await portal.runJobs()
    expect((await billsIn('M-')).map(({ paid }) => paid)).toEqual([0, 0])
  })

  test('resumes after the last imported line if the portal crashed', async () => {
    const rows = Array.from({ length: 2600 }, (_, n) => bill('84001', `G-${n}`))
    const file = await previewed(csv(...rows))
    await take(file)
    // Simulates a crash after the first batch. The import does not read the bills of that batch again.
    await portal.owner.query('UPDATE billing_file SET lines_done = 2000 WHERE id = $1', [file])
    await portal.runJobs()
    expect(await fileOf(file)).toMatchObject({ state: 'imported', linesDone: 2600, billsCreated: 2600 })
    expect(await billsIn('G-')).toHaveLength(600)
  })

  test('previews and imports a file of records like a file of bills', async () => {
    await previewed(csv(bill('87001', 'D-1'))).then(take)
    await portal.runJobs()
    const records = () =>
      portal.owner.query(
        `SELECT adjustment_number AS number FROM utility_adjustment WHERE adjustment_number LIKE 'RJ%'
         UNION ALL SELECT shutoff_number || ' ' || state FROM utility_shutoff WHERE shutoff_number LIKE 'RS%'`,
      )
    const file = await previewed(
      [
        'account_number,record,record_number,date,amount,reason',
        '87001,adjustment,RJ-1,2026-11-05,-4.00,Leak credit',
        '87001,shutoff_scheduled,RS-1,2026-12-05,,',
        '87009,adjustment,RJ-2,2026-11-05,4.00,Fee',
        '',
      ].join('\n'),
    )
    expect(await fileOf(file)).toMatchObject({
      state: 'previewed',
      adjustmentsCreated: 1,
      adjustedCents: -400,
      shutoffsChanged: 1,
      errorCount: 1,
    })
    expect((await linesOf(file)).map(({ what, reason }: { what: string; reason: string }) => [what, reason])).toEqual([
      ['invalid', 'No account has the number 87009. Import its bills first.'],
      ['adjustment', 'Leak credit'],
      ['shutoff', 'Shutoff scheduled for 2026-12-05'],
    ])
    expect((await records()).rows).toEqual([])
    await take(file)
    await portal.runJobs()
    expect((await fileOf(file)).state).toBe('imported')
    expect((await records()).rows).toEqual([{ number: 'RJ-1' }, { number: 'RS-1 scheduled' }])
  })

  test('asks for the columns of a new layout once', async () => {
    const file = (number: string) =>
      `Acct No,Name,Address,Balance,Due\n${number},Ann Lee,12 Oak Street,$41.50,11/25/2026\n`
    const first = await previewed(file('88001'))
    const { state, columns, can } = await fileOf(first)
    expect([state, can]).toMatchObject(['mapping', { import: false, discard: true }])
    expect(columns.headers.map(({ to }: { to: string }) => to)).toEqual([
      'account_number',
      'customer_name',
      'service_address',
      'amount_1',
      'due_date',
    ])
    const values = Object.fromEntries(
      columns.required
        .filter(({ value }: { value: string | null }) => value !== null)
        .map(({ name, value }: { name: string; value: string }) => [name, value]),
    )
    expect(values).toMatchObject({ city: 'Maple Grove', state: 'PA', service_1: 'Utilities' })
    values.bill_date = '2026-11-05'
    const names = columns.headers.map(({ to }: { to: string }) => to)
    const choose = (mapping: object) => post('muni/choose/billing/columns', { fileId: first, mapping })
    expect((await choose({ columns: names.with(1, ''), values })).body.message).toBe(
      'Choose a column for: Customer name.',
    )
    delete values.due_date
    expect((await choose({ columns: names, values })).status).toBe(200)
    expect((await choose({ columns: names, values })).status).toBe(422)
    await portal.runJobs()
    expect(await fileOf(first)).toMatchObject({ state: 'previewed', billsCreated: 1, billedCents: 4150, columns: null })
    await take(first)
    await portal.runJobs()
    expect(await billsIn('88001-')).toEqual([{ bill_number: '88001-20261125', paid: 0, name: 'Ann Lee' }])
    const { rows } = await portal.owner.query(
      "SELECT period_start::text, period_end::text FROM utility_bill WHERE bill_number = '88001-20261125'",
    )
    expect(rows).toEqual([{ period_start: '2026-10-05', period_end: '2026-11-05' }])
  })

  test('names the charges of several amounts by their headers', async () => {
    const file = await previewed(
      'Acct No,Name,Address,Water,Sewer,LATE_FEE,Due\n88501,Ann Lee,12 Oak Street,10.00,20.00,0.00,11/25/2026\n88502,Bo Lee,14 Oak Street,10.00,,1.50,11/25/2026\n',
    )
    const mapping = {
      columns: ['account_number', 'customer_name', 'service_address', 'amount_1', 'amount_2', 'amount_3', 'due_date'],
      values: { city: 'Maple Grove', state: 'PA', zip: '17011', bill_date: '2026-11-05', service_1: 'Water' },
    }
    expect((await post('muni/choose/billing/columns', { fileId: file, mapping })).status).toBe(200)
    await portal.runJobs()
    expect(await fileOf(file)).toMatchObject({ state: 'previewed', billsCreated: 2, billedCents: 4150, errorCount: 0 })
    await take(file)
    await portal.runJobs()
    const { rows } = await portal.owner.query(
      `SELECT jsonb_agg(l->>'service') AS services FROM utility_bill, jsonb_array_elements(lines) l
       WHERE bill_number LIKE '8850_-%' GROUP BY bill_number ORDER BY bill_number`,
    )
    expect(rows.map(({ services }) => services)).toEqual([
      ['Water', 'Sewer'],
      ['Water', 'Late fee'],
    ])
  })

  test('warns of a total next to a previous balance', async () => {
    const warningOf = async (amount: string) => {
      const head = `Acct No,Name,Address,Prev Bal,${amount},Due`
      const file = await previewed(`${head}\n88201,Ann Lee,12 Oak Street,5.00,41.50,11/25/2026\n`)
      const { columns } = await fileOf(file)
      expect(columns.headers[4].to).toBe('amount_1')
      return columns.headers[4].warning
    }
    expect(await warningOf('Total Due')).toMatch(/^Your file also has a previous balance\./)
    expect(await warningOf('Current Charges')).toBe('')
  })

  test('names columns in errors by their titles unless the header has our names', async () => {
    const head = 'Acct No,Name,Address,ZIP,Balance,Due,state'
    const line = (number: string, zip: string, amount: string, due: string, state: string) =>
      `${number},"Lee, due_date",12 Oak Street,${zip},${amount},${due},${state}`
    const lines = [
      line('88101', '17011', '41.50', '12/35/2026', 'PA'),
      line('88102', 'due_date', '41.50', '11/25/2026', 'PA'),
      line('88103', '17011', 'ten', '11/25/2026', 'PA'),
      line('88104', '17011', '41.50', '11/25/2026', 'Penn'),
      line('88105', '17011', '41.50', '11/25/2020', 'PA'),
      line('88106', '17011', '41.50', '11/25/2026', 'PA'),
    ]
    const file = await previewed(`${[head, ...lines].join('\n')}\n`)
    const { columns } = await fileOf(file)
    const mapping = {
      columns: columns.headers.map(({ to }: { to: string }) => to),
      values: Object.fromEntries(
        columns.required.flatMap(({ name, value }: { name: string; value: string | null }) =>
          value === null ? [] : [[name, value]],
        ),
      ),
    }
    expect((await post('muni/choose/billing/columns', { fileId: file, mapping })).status).toBe(200)
    await portal.runJobs()
    expect((await linesOf(file, { what: 'invalid' })).map(({ reason }: { reason: string }) => reason)).toEqual([
      'Due date "12/35/2026" is not a date such as 2026-11-21 or 11/21/2026.',
      'ZIP code "due_date" does not have 5 digits. A spreadsheet may have removed a leading zero.',
      'Amount "ten" is not an amount such as 149.31.',
      'state "Penn" must be two letters.',
      expect.stringMatching(/^Due date 2020-11-25 is before Bill date 2026-/),
    ])
    await take(file)
    await portal.runJobs()
    expect(await fileOf(file)).toMatchObject({ state: 'imported', billsCreated: 1, errorCount: 5 })
  })

  test('remembers 22 columns and reads them from a workbook', async () => {
    const head = [
      ...['ACCTNO', 'CUSTNAME', 'EMAIL', 'PHONE', 'SVCADDR', 'CITY', 'STATE', 'ZIP', 'CYCLE', 'BILLNO', 'BILLDT'],
      ...['DUEDT', 'FROMDT', 'TODT', 'USAGE', 'UOM', 'CURCHG', 'PAYMENTS', 'MTRNO', 'PREVREAD', 'CURREAD', 'CLASS'],
    ]
    const row = (number: string) => [
      ...[number, 'Ann Lee', 'ann@example.com', '7175550100', '12 Oak Street', 'Maple Grove', 'PA', '07011', '2'],
      ...[`Q-${number}`, '2026-11-01', '2026-11-25', '2026-10-01', '2026-10-31', '6.5', 'kgal', '41.50', '0'],
      ...['M1', '100', '106.5', 'R'],
    ]
    const file = await previewed(new Uint8Array(workbookOf([['November bills'], head, row('89001')])))
    const { columns } = await fileOf(file)
    const names = columns.headers.map(({ to }: { to: string }) => to)
    expect(names.slice(0, 18)).not.toContain('')
    await post('muni/choose/billing/columns', {
      fileId: file,
      mapping: { columns: names, values: { service_1: 'Water' } },
    })
    await portal.runJobs()
    await take(file)
    await portal.runJobs()
    expect(await fileOf(file)).toMatchObject({ state: 'imported', billsCreated: 1, errorCount: 0 })
    const next = await previewed(new Uint8Array(workbookOf([head, row('89001'), row('89002')])))
    expect(await fileOf(next)).toMatchObject({ state: 'previewed', billsCreated: 1, billsUnchanged: 1, errorCount: 0 })
  })

  test('returns the lines with errors for correction', async () => {
    const file = await previewed(csv(bill('90001', 'U-1'), bill('90002', 'U-2', { zip: '1701' })))
    const { body } = await post('muni/download/billing/errors', { fileId: file })
    const { payload } = await portal.app.inject({ url: body.url, headers: { host: MAPLE } })
    const [head, line, ...others] = payload.trim().split('\r\n')
    expect([head, others]).toEqual([`${HEAD},Correction needed`, []])
    expect(line).toContain('Line 3: zip ""1701"" does not have 5 digits.')
    const corrected = line?.replace(',1701,', ',17011,').replaceAll('\n', '')
    const again = await previewed(`${head}\n${corrected}\n`)
    expect(await fileOf(again)).toMatchObject({ state: 'previewed', errorCount: 0, billsCreated: 1 })
  })

  test('reads the sheet that staff choose, also after the preview', async () => {
    const row = (number: string) => bill('90010', number).split(',')
    const november = [['Bills'], HEAD.split(','), row('SH-1')]
    const content = workbookOfSheets({ November: november, December: [HEAD.split(','), row('SH-2'), row('SH-3')] })
    const file = await previewed(new Uint8Array(content))
    expect(await fileOf(file)).toMatchObject({
      ...{ state: 'previewed', billsCreated: 1, sheet: 'November' },
      sheets: [{ name: 'November' }, { name: 'December', rows: 3 }],
    })
    const choose = (sheet: string) => post('muni/choose/billing/sheet', { fileId: file, sheet })
    expect((await choose('January')).status).toBe(422)
    expect((await choose('December')).status).toBe(200)
    await portal.runJobs()
    expect(await fileOf(file)).toMatchObject({ state: 'previewed', billsCreated: 2, sheet: 'December' })
    await take(file)
    await portal.runJobs()
    expect((await billsIn('SH-')).map(({ bill_number: number }) => number)).toEqual(['SH-2', 'SH-3'])
  })

  test('imports lines that staff correct without a new file', async () => {
    const lines = [bill('90003', 'V-1', { zip: '1701' }), bill('90004', 'V-2'), bill('90005', 'V-3', { amount: 'ten' })]
    const file = await previewed(csv(...lines))
    const { body } = await post('muni/return/billing/errors', { fileId: file })
    expect(body.rows.map(({ where, cells }: { where: string; cells: string[] }) => [where, cells[5]])).toEqual([
      ['Line 2', '1701'],
      ['Line 4', '17011'],
    ])
    expect(body.columns[5]).toMatchObject({ name: 'zip', to: 'zip' })
    const correct = (corrections: object[], by = 'admin') =>
      post('muni/correct/billing/lines', { fileId: file, corrections }, by)
    const zip = { line: 2, cells: [{ at: 5, text: '17011' }] }
    const many = Array.from({ length: 51 }, (_, at) => ({ ...zip, line: at + 2 }))
    expect((await correct(many)).body.message).toBe('Correct up to 50 rows here, and the other rows in the file.')
    expect((await correct([{ ...zip, cells: [{ at: 5, text: '1'.repeat(2001) }] }])).status).toBe(400)
    expect((await correct([zip], 'staff')).status).toBe(403)
    expect((await correct([zip])).status).toBe(200)
    expect((await correct([zip])).status).toBe(409)
    await portal.runJobs()
    expect(await fileOf(file)).toMatchObject({ state: 'previewed', errorCount: 1, billsCreated: 2 })
    await correct([zip, { line: 4, cells: [{ at: 13, text: '12.50' }] }])
    await portal.runJobs()
    expect(await fileOf(file)).toMatchObject({ state: 'previewed', errorCount: 0, billsCreated: 3, billedCents: 3250 })
    await take(file)
    await portal.runJobs()
    expect(await fileOf(file)).toMatchObject({ state: 'imported', errorCount: 0 })
    expect(await billsIn('V-')).toHaveLength(3)
  })

  test('refuses a bad file with one sentence, and any unauthorized sender', async () => {
    const { status, body } = await send('color,flavor\nred,sweet\n')
    expect([status, body.message]).toEqual([
      422,
      'The first line must contain the column names. Download a sample file to see them.',
    ])
    expect((await send(csv(), 'staff')).status).toBe(403)
  })
})

const keyed = async (key: string, url: string, content?: string): Promise<ApiResponse> => {
  const { statusCode, body, headers } = await portal.app.inject({
    method: content === undefined ? 'GET' : 'POST',
    url: `/api/v2/billing/${url}`,
    headers: { host: MAPLE, authorization: `Bearer ${key}`, 'content-type': 'text/csv' },
    ...(content !== undefined && { payload: content }),
  })
  return {
    status: statusCode,
    body: String(headers['content-type']).includes('json') ? JSON.parse(body) : body,
    headers,
  }
}

/** Creates a small PDF with a comment and optional extra content. */
const pdf = (comment: string, more = '') =>
  Buffer.from(
    `%PDF-1.7\n% ${comment}\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [] /Count 0 >>\nendobj\n${more}trailer\n<< /Root 1 0 R >>\n%%EOF\n`,
  )
const withDocuments = (...rows: [row: string, document: string][]) =>
  `${HEAD},document\n${rows.map(([row, document]) => `${row},${document}`).join('\n')}\n`
const documentsIn = async (begins: string) => {
  const { rows } = await portal.owner.query(
    `SELECT d.bill_number AS bill, f.name, f.path, f.created_by_kind AS by FROM utility_bill_document d
     JOIN attachment f ON f.company_id = d.company_id AND f.subject_kind = 'utility_bill_document' AND f.subject_id = d.id
     WHERE d.bill_number LIKE $1 || '%' ORDER BY 1`,
    [begins],
  )
  return Promise.all(
    rows.map(async ({ path, ...row }) => ({ ...row, content: await text(portal.context.files.read(path)) })),
  )
}

describe('PDFs of the billing system', () => {
  test('imports PDFs from a zip once and reports missing or refused ones', async () => {
    const file = strToU8(
      withDocuments(
        [bill('89001', 'P-1'), 'one.pdf'],
        [bill('89001', 'P-2'), 'absent.pdf'],
        [bill('89001', 'P-3'), 'active.pdf'],
        [bill('89001', 'P-4'), ''],
        [bill('89001', 'P-5'), '../up.pdf'],
      ),
    )
    const active = pdf('x', '3 0 obj\n<< /S /JavaScript /JS (x) >>\nendobj\n')
    const zip = (more: Zippable = {}) =>
      zipSync({
        'run/bills.csv': file,
        'run/one.pdf': pdf('one'),
        'active.pdf': active,
        '__MACOSX/._a.csv': file,
        ...more,
      })
    const id = await previewed(zip())
    expect(await fileOf(id)).toMatchObject({
      state: 'previewed',
      billsCreated: 4,
      documentsStored: 1,
      documentsMissing: 2,
      errorCount: 1,
    })
    const reported = (await linesOf(id, { what: 'no_document' })).map(
      ({ bill: of, reason }: Record<string, string>) => [of, reason],
    )
    expect(reported).toEqual([
      ['P-2', 'absent.pdf was not included. The portal will create the bill PDF instead.'],
      ['P-3', expect.stringMatching(/^active\.pdf was not saved\. This PDF runs scripts/)],
    ])
    expect(await documentsIn('P-')).toEqual([])
    const stored = async () => (await portal.owner.query(`SELECT count(*)::int AS n FROM attachment`)).rows[0].n
    const before = await stored()
    await take(id)
    await portal.runJobs()
    expect((await fileOf(id)).state).toBe('imported')
    const storedDocuments = [{ bill: 'P-1', name: 'one.pdf', by: 'system', content: pdf('one').toString() }]
    expect(await documentsIn('P-')).toEqual(storedDocuments)

    const again = await previewed(zip({ 'absent.pdf': pdf('late'), 'run/one.pdf': pdf('another') }))
    expect(await fileOf(again)).toMatchObject({ billsCreated: 0, documentsStored: 1, documentsMissing: 1 })
    await take(again)
    await portal.runJobs()
    expect(await documentsIn('P-')).toEqual([
      ...storedDocuments,
      { ...storedDocuments[0], bill: 'P-2', name: 'absent.pdf', content: pdf('late').toString() },
    ])
    expect(await stored()).toBe(before + 3)

    const damaged = await previewed(zip().slice(0, 400))
    expect(await fileOf(damaged)).toMatchObject({ state: 'refused', problem: expect.stringMatching(/ZIP/) })
    const two = await previewed(zip({ 'more.csv': file }))
    expect((await fileOf(two)).problem).toMatch(/This one contains 2 CSV or XLSX files/)
  })
})

describe('program with a key', () => {
  test('previews, sends and resends with a revocable key that is not stored', async () => {
    expect((await post('muni/make/api/key', { name: 'Harris', use: 'billing' }, 'manager')).status).toBe(403)
    const { key } = (await post('muni/make/api/key', { name: 'Harris', use: 'billing' })).body
    const { rows } = await portal.owner.query(`SELECT * FROM api_key`)
    expect(JSON.stringify(rows)).not.toContain(key)

    const content = csv(bill('85001', 'K-1'), bill('85001', 'K-2', { zip: 'x' }))
    expect((await keyed(key, 'bills?preview=1', content)).body).toMatchObject({ preview: true, billsCreated: 1 })
    expect(await billsIn('K-')).toEqual([])
    const { body } = await keyed(key, 'bills?name=k.csv', content)
    expect(body).toMatchObject({
      success: true,
      linesRead: 2,
      billsCreated: 1,
      errorCount: 1,
      invalidRows: [{ line: 3 }],
    })
    expect(await fileOf(body.fileId)).toMatchObject({
      name: 'k.csv',
      source: 'key',
      sender: 'Harris',
      state: 'imported',
    })
    expect((await keyed(key, 'bills', content)).body).toMatchObject({ billsCreated: 0, billsUnchanged: 1 })
    expect((await keyed(key, 'bills', 'nonsense')).status).toBe(422)
    expect((await keyed(key, 'bills?preview=yes', content)).status).toBe(400)

    const list = (await post('muni/return/api/keys')).body.rows
    expect(list).toMatchObject([{ name: 'Harris', ending: key.slice(-4), state: 'active', can: { remove: true } }])
    expect((await post('muni/revoke/api/key', { keyId: list[0].id })).status).toBe(200)
    expect(await keyed(key, 'bills', content)).toMatchObject({ status: 401, body: { success: false } })
    expect((await keyed('mainstreet_x', 'remittances')).status).toBe(401)
  })

  nightly('that sends one file by two ways at once changes nothing twice', async () => {
    const { key } = (await post('muni/make/api/key', { name: 'Twice', use: 'billing' })).body
    const content = csv(...Array.from({ length: 300 }, (_, n) => bill(`86${n}`, `T-${n}`)))
    const file = await previewed(content)
    await take(file)
    const [, one, two] = await Promise.all([
      portal.runJobs(),
      keyed(key, 'bills', content),
      keyed(key, 'bills', content),
    ])
    await portal.runJobs()
    expect([one.status, two.status]).toEqual([200, 200])
    expect(await billsIn('T-')).toHaveLength(300)
    const made = one.body.billsCreated + two.body.billsCreated
    const { state } = await fileOf(file)
    expect([made, state]).toEqual(state === 'imported' ? [0, 'imported'] : [300, 'previewed'])
  })
})

describe('remittance files', () => {
  const contentOf = async (number: number) => text(await remittanceFile(portal.context, company, number))

  test('contain every remittance once, match their totals and never change', async () => {
    const firstDay = new Date(portal.clock.now().getTime() - 300 * 86_400_000)
    const now = portal.clock.now().toISOString()
    const contents = new Map<number, string>()
    // The clock jumps, so that one file covers several days. The job runs more often than needed.
    for (let at = firstDay.getTime(); at < Date.parse(now); at += 31.3 * 86_400_000) {
      portal.clock.set(new Date(at).toISOString())
      const numbers = await Promise.all([1, 2, 3].map(() => fileRemittances(portal.context, company, ZONE)))
      for (const number of numbers) if (number !== null) contents.set(number, await contentOf(number))
    }
    portal.clock.set(now)
    await portal.runJobs('remittances.file')
    const { rows: files } = await portal.owner.query('SELECT number FROM remittance_file ORDER BY number')
    expect(files.map(({ number }) => number)).toEqual(files.map((_, at) => at + 1))
    expect(files.length).toBeGreaterThan(5)

    const creditLines: string[] = []
    for (const { number } of files) {
      const content = await contentOf(number)
      expect(contents.get(number) ?? content).toBe(content)
      const lines = content.trimEnd().split('\n').slice(1)
      const cells = lines.map((line) => line.split(','))
      const sum = (type: string) =>
        cells.filter(([of]) => of === type).reduce((all, [, , , amount]) => all + Math.round(Number(amount) * 100), 0)
      const total = (type: string) => cells.find(([of]) => of === type) ?? []
      for (const kind of ['credit', 'reversal']) {
        const [, count, , amount] = total(`total_${kind}s`)
        expect([Number(count), Math.round(Number(amount) * 100)]).toEqual([
          cells.filter(([of]) => of === kind).length,
          sum(kind),
        ])
      }
      expect(Math.round(Number(total('file')[3]) * 100)).toBe(sum('credit') + sum('reversal'))
      creditLines.push(...lines.filter((line) => /^(?:credit|reversal),/.test(line)))
    }
    const { rows } = await portal.owner.query(
      `SELECT r.kind, r.id::text, a.account_number AS account, (CASE r.kind WHEN 'credit' THEN 1 ELSE -1 END * r.amount_cents / 100.0)::numeric(12, 2) AS amount
       FROM remittance r JOIN utility_account a ON a.company_id = r.company_id AND a.id = r.account_id
       WHERE r.at < date_trunc('day', $1::timestamptz AT TIME ZONE $2) AT TIME ZONE $2`,
      [now, ZONE],
    )
    expect(rows.length).toBeGreaterThan(20)
    expect(creditLines.map((line) => line.split(',').slice(0, 4).join(',')).toSorted()).toEqual(
      rows.map(({ kind, id, account, amount }) => [kind, id, account, amount].join(',')).toSorted(),
    )
  })

  test('include late remittances of a day in the next file', async () => {
    const { rows } = await portal.owner.query('SELECT max(number) AS last FROM remittance_file')
    await portal.owner.query(
      `INSERT INTO remittance (company_id, account_id, order_id, line_no, source, source_ref, kind, amount_cents, at)
       SELECT company_id, account_id, order_id, line_no, 'late', 'late_1', 'reversal', 77, $1::timestamptz - interval '40 days'
       FROM remittance LIMIT 1`,
      [portal.clock.now()],
    )
    expect(await fileRemittances(portal.context, company, ZONE)).toBeNull()
    portal.clock.advance(86_400_000)
    const number = await fileRemittances(portal.context, company, ZONE)
    // Sets the clock back, because sessions expire within a day.
    portal.clock.advance(-86_400_000)
    expect(number).toBe(rows[0].last + 1)
    expect(await contentOf(number ?? 0)).toMatch(/\nreversal,\d+,\w+,-0\.77,/)
  })

  test('return the same bytes to staff and to a key', async () => {
    const { key } = (await post('muni/make/api/key', { name: 'Fetcher', use: 'billing' })).body
    const { files } = (await keyed(key, 'remittances?after=3')).body
    expect(files[0]).toMatchObject({ number: 4, day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) })
    const { url } = (await post('muni/download/remittances', { number: 4 }, 'staff')).body
    const byStaff = await portal.get(MAPLE, url)
    expect(byStaff.headers['content-disposition']).toContain('remittances-maplegrove-000004.csv')
    expect(byStaff.body).toBe((await keyed(key, 'remittances/4')).body)
    expect((await keyed(key, 'remittances/999')).status).toBe(404)
    expect((await keyed(key, 'remittances?after=x')).status).toBe(400)
    const { rows } = await portal.owner.query(`SELECT detail FROM audit_event WHERE action = 'remittances.downloaded'`)
    expect(rows.map(({ detail }) => detail)).toContainEqual({ key: 'Fetcher' })
  })
})

describe('watched folder', () => {
  const within = (...parts: string[]) => join(folder, 'maplegrove', ...parts)
  const lay = (name: string, content: string, secondsOld = 60) => {
    mkdirSync(within('in'), { recursive: true })
    writeFileSync(within('in', name), content)
    const at = Date.now() / 1000 - secondsOld
    utimesSync(within('in', name), at, at)
  }

  test('imports complete files once with a report, and writes remittances once', async () => {
    lay('a.csv', csv(bill('87001', 'W-1'), bill('87001', 'W-2', { zip: 'x' })))
    lay('b.csv', 'nonsense')
    lay('c.csv', csv(bill('87001', 'W-3')), 0)
    lay('.d.csv', csv(bill('87001', 'W-4')))
    lay('e.csv', withDocuments([bill('87001', 'WP-1'), 'w.pdf'], [bill('87001', 'WP-2'), 'none.pdf']))
    writeFileSync(within('in', 'w.pdf'), pdf('beside'))
    mkdirSync(join(folder, 'nowhere', 'in'), { recursive: true })
    // Simulates a file that a portal was importing when it crashed.
    mkdirSync(within('working'))
    writeFileSync(within('working', 'left.csv'), csv(bill('87001', 'W-5')))
    await portal.runJobs('billing.folder')
    expect((await billsIn('W-')).map((row) => row.bill_number)).toEqual(['W-1', 'W-5'])
    expect(await documentsIn('WP-')).toMatchObject([{ bill: 'WP-1', content: pdf('beside').toString() }])
    expect(readdirSync(within('in')).toSorted()).toEqual(['.d.csv', 'c.csv'])
    expect(readdirSync(within('working'))).toEqual([])
    const done = readdirSync(within('done')).toSorted()
    expect(done.map((name) => name.replace(/^[\dTZ-]+-/, ''))).toEqual([
      'a.csv',
      'a.csv.txt',
      'e.csv',
      'e.csv-w.pdf',
      'e.csv.txt',
      'left.csv',
      'left.csv.txt',
    ])
    expect(readFileSync(within('done', done[1] ?? ''), 'utf8')).toMatch(
      /^line 3: zip "x" does not have 5 digits[^]*1 new bill,/,
    )
    expect(readdirSync(within('failed'))).toHaveLength(2)
    const out = readdirSync(within('out'))
    expect(out).toContain('remittances-maplegrove-000001.csv')
    expect(readFileSync(within('out', out[0] ?? ''), 'utf8')).toBe(
      await text(await remittanceFile(portal.context, company, 1)),
    )

    const { rows } = await portal.owner.query(`SELECT state FROM billing_file WHERE source = 'folder' ORDER BY id`)
    expect(rows.map(({ state }) => state).toSorted()).toEqual(['imported', 'imported', 'imported', 'refused'])
    for (const name of out) writeFileSync(within('out', name), 'fetched')
    await portal.runJobs('billing.folder')
    expect(new Set(out.map((name) => readFileSync(within('out', name), 'utf8')))).toEqual(new Set(['fetched']))
  })
})

test('reports an interrupted import when the next file arrives', async () => {
  await tenancyOn(portal.db.app)(company, (tx) =>
    tx
      .insertInto('billing_file')
      .values({
        company_id: company,
        name: 'cut.csv',
        source: 'key',
        sender: 'Harris',
        received_at: portal.clock.now(),
        state: 'importing',
      })
      .execute(),
  )
  const { key } = (await post('muni/make/api/key', { name: 'After', use: 'billing' })).body
  await keyed(key, 'bills', csv(bill('88001', 'C-1')))
  const { rows } = await portal.owner.query(`SELECT state, problem FROM billing_file WHERE name = 'cut.csv'`)
  expect(rows).toEqual([{ state: 'refused', problem: expect.stringMatching(/^The portal stopped/) }])
})
