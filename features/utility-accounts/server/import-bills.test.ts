import { Readable } from 'node:stream'
import { beforeAll, describe, expect, it } from 'vitest'
import { mapleGrove } from '../../../database/towns/maple-grove.ts'
import { systemClock } from '../../../server/clock.ts'
import { type CompanyId, tenancyOn } from '../../../server/tenancy.ts'
import { testDatabase } from '../../../test/harness.ts'
import { openTestCompany } from '../../../test/company.ts'
import { findAccountForGuest } from './guest-account.ts'
import { describeImport, importBills } from './import-bills.ts'
import { utilityBills } from './payable.ts'

const { pools: db, owner } = await testDatabase()
let company: CompanyId

beforeAll(async () => {
  company = await openTestCompany({ db, clock: systemClock }, mapleGrove)
})

const HEADER =
  'account_number,customer_name,customer_email,phone,service_address,city,state,zip,bill_number,bill_date,due_date,period_start,period_end,amount_paid,service_1,description_1,quantity_1,unit_1,amount_1,service_2,amount_2'

const bill = (changes: Record<string, string> = {}) => {
  const usual: Record<string, string> = {
    account_number: '7001',
    customer_name: 'Ann Lee',
    service_address: '12 Oak Street',
    city: 'Maple Grove',
    state: 'PA',
    zip: '17011',
    bill_number: 'B-1',
    bill_date: '2026-11-01',
    due_date: '2026-11-25',
    period_start: '2026-10-01',
    period_end: '2026-10-31',
    service_1: 'Water',
    amount_1: '10.00',
    ...changes,
  }
  return HEADER.split(',')
    .map((name) => `"${(usual[name] ?? '').replaceAll('"', '""')}"`)
    .join(',')
}

const load = (file: string | Buffer, subdomain = 'maplegrove') =>
  importBills({ db, clock: systemClock, log: { info: () => {} } }, subdomain, Readable.from([Buffer.from(file)]))
const lines = (...rows: string[]) => [HEADER, ...rows].join('\n')

const owed = (account: string, zip = '17011') =>
  tenancyOn(db.app)(company, async (tx) => {
    const row = await findAccountForGuest(tx, company, { accountNumber: account, zip, fact: '' })
    if (!row) return undefined
    const bills = tx.selectFrom('utility_bill').selectAll().where('company_id', '=', company)
    const bill = await bills.where('account_id', '=', row.id).orderBy('bill_date', 'desc').executeTakeFirst()
    return { account: row, bill, ...(await utilityBills.owed(tx, company, row.id)) }
  })

describe('an import', () => {
  it('accepts a file as spreadsheets save it', async () => {
    const row = bill({
      account_number: "'00 71a",
      customer_name: 'Ann "Annie" Lee, Jr.',
      service_address: '12 Oak Street\r\nApt 4',
      zip: '17011-1234',
      phone: '(717) 555-0100',
      bill_date: '11/1/2026',
      quantity_1: '1,200.5',
      amount_1: '$1,049.31',
      service_2: 'Leak adjustment',
      amount_2: '(5.00)',
      amount_paid: '44.31',
    })
    expect(await load(`\uFEFF${HEADER}\r\n${row}\r\n,,,\r\n`)).toMatchObject({
      read: 1,
      billsCreated: 1,
      accountsCreated: 1,
      errorCount: 0,
    })
    const match = await owed(' 0071A ')
    expect(match?.account).toMatchObject({
      customer_name: 'Ann "Annie" Lee, Jr.',
      service_address: '12 Oak Street, Apt 4',
      phone_no: '7175550100',
    })
    expect(match).toMatchObject({
      owedCents: 100_000,
      pendingCents: 0,
      bill: { amount_cents: 104_431, bill_date: '2026-11-01' },
    })
    expect(match?.bill?.lines[1]).toEqual({
      service: 'Leak adjustment',
      description: '',
      quantity: null,
      unit: '',
      amountCents: -500,
    })
    expect(await owed('0071A', '17012')).toBeUndefined()
  })

  it('reports each wrong line with number and reason, and loads the rest', async () => {
    const result = await load(
      lines(
        bill({ account_number: '7100', bill_number: 'W-1' }),
        bill({ bill_number: 'W-2', bill_date: '2026-02-30' }),
        bill({ bill_number: 'W-3', service_address: 'two\nlines', zip: '1701' }),
        bill({ bill_number: 'W-4', amount_1: '10.005' }),
        bill({ bill_number: 'W-5', amount_1: '' }),
        `${bill({ bill_number: 'W-6' })},more`,
        bill({ bill_number: 'W-7', customer_name: '' }),
        bill({ bill_number: 'W-8', due_date: '2026-10-01' }),
        bill({ account_number: '7100', bill_number: 'W-1', amount_1: '11.00' }),
        bill({ account_number: '7101', bill_number: 'W-9', customer_name: 'bad \u0001 mark' }),
        bill({ account_number: '7102', bill_number: 'W-10' }),
        '"7103,never closed',
        '7104,swallowed',
      ),
    )
    expect(result.invalidRows).toEqual([
      { line: 3, reason: 'bill_date "2026-02-30" is not a date such as 2026-11-21 or 11/21/2026.' },
      { line: 4, reason: 'zip "1701" does not have 5 digits. A spreadsheet may have removed a leading zero.' },
      { line: 6, reason: 'amount_1 "10.005" is not an amount such as 149.31.' },
      { line: 7, reason: 'amount_1 is empty.' },
      { line: 8, reason: 'The line has 22 columns, but the header has 21.' },
      { line: 9, reason: 'customer_name is empty.' },
      { line: 10, reason: 'due_date 2026-10-01 is before bill_date 2026-11-01.' },
      { line: 11, reason: 'Line 2 already has bill W-1 with different data.' },
      { line: 12, reason: 'The line has a control character.' },
      {
        line: 14,
        reason:
          'This line has an opening quotation mark that is never closed. This line and all later lines were not read.',
      },
    ])
    expect(result).toMatchObject({ billsCreated: 2, read: 12 })
    expect(describeImport(result).slice(-3)).toEqual([
      '12 lines read, 10 with errors.',
      '2 new bills, 0 with a different amount paid, 0 unchanged.',
      '2 new accounts, 0 updated.',
    ])
  })

  it('refuses a bill with a mistyped year', async () => {
    const year = new Date().getUTCFullYear() + 1
    const late = { bill_number: 'B-late', bill_date: `${year}-11-25`, due_date: `${year}-12-20` }
    const report = await load(lines(bill({ account_number: '7099', ...late })))
    expect(report).toMatchObject({ billsCreated: 0, errorCount: 1 })
    expect(report.invalidRows[0]?.reason).toContain('is more than six months in the future.')
  })

  it('changes nothing the second time, in any line order', async () => {
    const rows = [
      bill({ account_number: '7200', bill_number: 'S-2', bill_date: '2026-11-02', customer_name: 'New Name' }),
      bill({ account_number: '7200', bill_number: 'S-1', bill_date: '2026-10-02', customer_name: 'Old Name' }),
      bill({ account_number: '7200', bill_number: 'S-2', bill_date: '2026-11-02', customer_name: 'New Name' }),
    ]
    expect(await load(lines(...rows))).toMatchObject({
      billsCreated: 2,
      billsUnchanged: 1,
      accountsCreated: 1,
      accountsUpdated: 0,
    })
    const before = await db.platform.query('SELECT * FROM utility_account ORDER BY id')
    for (const file of [lines(...rows), lines(...rows.toReversed()), lines(rows[1] ?? '')])
      expect(await load(file)).toMatchObject({
        billsCreated: 0,
        billsChanged: 0,
        accountsCreated: 0,
        accountsUpdated: 0,
        errorCount: 0,
      })
    expect((await db.platform.query('SELECT * FROM utility_account ORDER BY id')).rows).toEqual(before.rows)
    expect((await owed('7200'))?.account.customer_name).toBe('New Name')
  })

  it('updates only the amount received elsewhere on an issued bill', async () => {
    const fields = { account_number: '7300', bill_number: 'D-1' }
    await load(lines(bill(fields)))
    const again = async (changes: Record<string, string>) => load(lines(bill({ ...fields, ...changes })))
    const reason = async (changes: Record<string, string>) => (await again(changes)).invalidRows[0]?.reason
    expect(await reason({ amount_1: '12.00' })).toBe(
      'Bill D-1 was already imported with $10.00, but this line has $12.00. An issued bill cannot change.',
    )
    expect(await reason({ due_date: '2026-12-25' })).toMatch(/with different dates/)
    expect(await reason({ service_1: 'Sewer' })).toMatch(/with different services/)
    expect(await reason({ account_number: '7301' })).toBe('Bill D-1 already belongs to account 7300.')
    expect(await owed('7301')).toBeUndefined()
    expect(await again({ amount_paid: '4.00' })).toMatchObject({ billsChanged: 1 })
    expect((await owed('7300'))?.owedCents).toBe(600)
  })

  it('may run twice concurrently', async () => {
    const rows = Array.from({ length: 2500 }, (_, n) =>
      bill({ account_number: `8${n % 500}`, bill_number: `C-${n}`, bill_date: `2026-0${1 + Math.floor(n / 500)}-01` }),
    )
    const [one, other] = await Promise.all([load(lines(...rows)), load(lines(...rows.toReversed()))])
    expect([one.errorCount, other.errorCount]).toEqual([0, 0])
    expect([one.billsCreated + other.billsCreated, one.billsUnchanged + other.billsUnchanged]).toEqual([2500, 2500])
    expect((await owed('80'))?.owedCents).toBe(5000)
  })

  it.each([
    ['', 'The file is empty.'],
    ['\n\n', 'The file is empty.'],
    ['1,2,3', 'The first line must contain the column names. The sample file in Billing Files shows all columns.'],
    [
      HEADER.replace(',zip', ''),
      'Columns missing from the header: zip. The sample file in Billing Files shows all columns.',
    ],
    [`${HEADER},color`, 'Unknown columns in the header: color. The sample file in Billing Files shows all columns.'],
    [`${HEADER},zip`, 'The header has the column zip twice.'],
    [
      Buffer.from(`\uFEFF${HEADER}`, 'utf16le'),
      'The file is not UTF-8 text. Save it as "CSV UTF-8" and import it again.',
    ],
    [Buffer.from('%PDF-1.7\n1 0 obj'), 'This file is a PDF. Choose a CSV or XLSX file.'],
    [
      Buffer.from('PK\x03\x04\x14\0', 'latin1'),
      'The workbook is damaged. Open it in your spreadsheet program, save it again as XLSX, and choose the new file.',
    ],
    [Buffer.from('\x89PNG\r\n\x1a\n\0\0', 'latin1'), 'This file is not a text file. Choose a CSV or XLSX file.'],
  ])('refuses %j completely', async (file, message) => {
    await expect(load(file)).rejects.toThrow(message)
  })

  it('refuses an unknown company and lines that are not UTF-8', async () => {
    await expect(load(HEADER, 'nowhere')).rejects.toThrow('No municipality has the subdomain "nowhere".')
    const latin = Buffer.from(lines(bill({ customer_name: 'José' })), 'latin1')
    expect((await load(latin)).invalidRows).toEqual([
      { line: 2, reason: 'The line has a character that is not UTF-8. Save the file as "CSV UTF-8".' },
    ])
  })

  it('reads line ends and characters split between chunks', async () => {
    const bytes = Buffer.from(
      `${HEADER}\r\n${bill({ account_number: '7400', bill_number: 'E-1', customer_name: 'Zoë' })}\r\n`,
    )
    const chunks = Array.from(bytes, (byte) => Buffer.from([byte]))
    const result = await importBills(
      { db, clock: systemClock, log: { info: () => {} } },
      'maplegrove',
      Readable.from(chunks),
    )
    expect(result).toMatchObject({ read: 1, billsCreated: 1 })
    expect((await owed('7400'))?.account.customer_name).toBe('Zoë')
  })
})

describe('a file of account records', () => {
  const records = (...rows: string[]) =>
    load(['account_number,record,record_number,date,amount,reason', ...rows].join('\n'))
  const shutoffs = async () =>
    (await owner.query(`SELECT shutoff_number AS number, state, amount_cents AS cents FROM utility_shutoff ORDER BY 1`))
      .rows

  it('changes balances and shutoff steps only once', async () => {
    await load(
      lines(bill({ account_number: '7500', bill_number: 'A-1' }), bill({ account_number: '7501', bill_number: 'A-2' })),
    )
    const file = [
      '7500,adjustment,J-1,2026-11-10,5.25,Late fee',
      '7500,Adjustment,J-2,11/11/2026,(2.00),Leak credit',
      '7501,shutoff_scheduled,S-1,2026-12-01,40.00,Past due',
      '7501,shutoff,S-1,2026-12-02,55.00,',
      '7500,shutoff_scheduled,S-2,2026-12-05,,',
    ]
    const first = await records(...file)
    expect(first).toMatchObject({ adjustmentsCreated: 2, adjustedCents: 325, shutoffsChanged: 3, errorCount: 0 })
    expect(describeImport(first).at(-1)).toBe('2 new adjustments, 3 new shutoff steps, 0 unchanged.')
    expect((await owed('7500'))?.owedCents).toBe(1325)
    const after = [
      { number: 'S-1', state: 'off', cents: 5500 },
      { number: 'S-2', state: 'scheduled', cents: null },
    ]
    expect(await shutoffs()).toEqual(after)
    expect(await records(...file)).toMatchObject({ adjustmentsCreated: 0, shutoffsChanged: 0, recordsUnchanged: 5 })
    expect([(await owed('7500'))?.owedCents, await shutoffs()]).toEqual([1325, after])
    expect(await records('7501,shutoff restored,S-1,2026-12-03,,')).toMatchObject({ shutoffsChanged: 1 })
    expect((await shutoffs())[0]).toEqual({ number: 'S-1', state: 'restored', cents: null })
  })

  it('reports the reason for each wrong line', async () => {
    const invalid: [string, string | RegExp][] = [
      ['7599,adjustment,J-9,2026-11-10,1,Fee', 'No account has the number 7599. Import its bills first.'],
      [
        '7500,adjustment,J-1,2026-11-10,9,Late fee',
        /^Adjustment J-1 of \$5.25 was already imported with different data/,
      ],
      ['7500,adjustment,J-8,2026-11-10,0,Fee', 'An adjustment needs an amount that is not zero.'],
      ['7500,adjustment,J-8,2026-11-10,1,', 'An adjustment needs a reason. The customer reads it.'],
      ['7500,refund,J-8,2026-11-10,1,Fee', /^record "refund" is not one of adjustment, shutoff_scheduled/],
      ['7500,shutoff,S-8,2026-11-10,-1,', 'The amount of a shutoff must be empty or more than zero.'],
      ['7500,shutoff_scheduled,S-1,2026-12-01,,', 'Shutoff S-1 already belongs to another account.'],
      ['7501,shutoff,S-1,2026-12-09,,', /^Shutoff S-1 ended on 2026-12-03/],
      ['7500,shutoff_restored,S-3,2026-02-30,,', /is not a date/],
    ]
    const result = await records(...invalid.map(([line]) => line))
    expect(result).toMatchObject({ adjustmentsCreated: 0, shutoffsChanged: 0, recordsUnchanged: 0, errorCount: 9 })
    for (const [nth, [, reason]] of invalid.entries())
      expect(result.invalidRows.find(({ line }) => line === nth + 2)?.reason).toMatch(reason)
  })
})
