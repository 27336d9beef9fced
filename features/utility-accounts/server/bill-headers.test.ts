import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { guessColumns } from '../../../server/guess-columns.ts'
import type { Column } from '../../../server/columns.ts'
import { openTable } from '../../../server/table-rows.ts'
import { billColumns, recordColumns } from './bill-columns.ts'

/**
 * Headers as billing systems, assessors and offices write them: `name > our name`, or `name > - content` for a column
 * that the import leaves out.
 */
const HEADERS = `
Acct No > account_number | Name > customer_name | Address > service_address | Balance > amount_1 | Due > due_date
Account # > account_number | Customer Name > customer_name | Service Address > service_address | City > city | ST > state | Zip Code > zip | Amount Due > amount_1 | Due Date > due_date
ACCTNO > account_number | CUSTNAME > customer_name | SVCADDR > service_address | CITY > city | STATE > state | ZIP > zip | BILLNO > bill_number | BILLDT > bill_date | DUEDT > due_date | FROMDT > period_start | TODT > period_end | CURCHG > amount_1
AccountNumber > account_number | CustomerName > customer_name | ServiceAddress > service_address | ServiceCity > city | ServiceState > state | ServiceZip > zip | InvoiceNumber > bill_number | InvoiceDate > bill_date | DueDate > due_date | PeriodFrom > period_start | PeriodTo > period_end | ServiceType > service_1 | Amount > amount_1
account_id > account_number | full_name > customer_name | service_location > service_address | city > city | state > state | postal_code > zip | statement_no > bill_number | statement_date > bill_date | payment_due_date > due_date | total_due > amount_1
Cust No > account_number | Bill To > customer_name | Property Address > service_address | Town > city | State > state | Zip > zip | Bill ID > bill_number | Billing Date > bill_date | Pay By > due_date | Total > amount_1
Customer Number > account_number | Owner Name > customer_name | Location Address > service_address | Phone Number > phone | E-mail > customer_email | Current Charges > amount_1 | Date Due > due_date
UTILITY ACCOUNT > account_number | RESIDENT > customer_name | PREMISE ADDRESS > service_address | CYCLE > route | INVOICE > bill_number | INV DATE > bill_date | DUE > due_date | BILLED AMOUNT > amount_1
Acct_Num > account_number | Cust_Name > customer_name | Serv_Addr > service_address | Serv_City > city | Serv_State > state | Serv_Zip > zip | Bill_Num > bill_number | Bill_Dt > bill_date | Due_Dt > due_date | Per_Beg > period_start | Per_End > period_end | Usage > quantity_1 | UOM > unit_1 | Bill_Amt > amount_1
Account > account_number | Customer > customer_name | Street Address > service_address | Zipcode > zip | Service Start > period_start | Service End > period_end | Consumption > quantity_1 | Total Charges > amount_1 | Due > due_date | Meter Reader > - text
Acct Number > account_number | Account Name > customer_name | Site Address > service_address | Billing Start > period_start | Billing End > period_end | Balance Due > amount_1 | Payment Due > due_date | Notes > - text
AccountNo > account_number | Name > customer_name | Telephone > phone | Email Address > customer_email | Service Address > service_address | Total Amount > amount_1 | Due Date > due_date | Last Payment > - date
ACCOUNT NUMBER > account_number | CUSTOMER NAME > customer_name | SERVICE ADDRESS > service_address | SERVICE FROM > period_start | SERVICE TO > period_end | BILL DATE > bill_date | DUE DATE > due_date | SERVICE 1 > service_1 | AMOUNT 1 > amount_1 | SERVICE 2 > service_2 | AMOUNT 2 > amount_2 | PAYMENTS RECEIVED > amount_paid
Acct > account_number | Owner > customer_name | Location > service_address | Route > route | Read From > period_start | Read To > period_end | Invoice No > bill_number | New Charges > amount_1 | Due By > due_date
Account Id > account_number | Resident Name > customer_name | Address 1 > service_address | City > city | State > state | Zip > zip | Home Phone > phone | Bill Amount > amount_1 | Due Date > due_date | Auto Pay > - text
acct_no > account_number | name > customer_name | svc_address > service_address | from_date > period_start | thru_date > period_end | bill_no > bill_number | bill_date > bill_date | due_date > due_date | service > service_1 | amount > amount_1
Customer ID > account_number | Customer > customer_name | Service Street > service_address | Service City > city | Service State > state | Service Zip > zip | Invoice Amount > amount_1 | Invoice Date > bill_date | Due Date > due_date
Account No. > account_number | Bill To Name > customer_name | Service Location > service_address | Bill No. > bill_number | Date of Bill > bill_date | Date Due > due_date | Period Start > period_start | Period End > period_end | Description > description_1 | Amount > amount_1
ACCT_NBR > account_number | CUST_NM > customer_name | SRV_ADDR > service_address | BILL_NBR > bill_number | BILL_DTE > bill_date | DUE_DTE > due_date | TOT_DUE > amount_1 | CUST_PH > phone
Acct# > account_number | Name > customer_name | Address > service_address | Zip > zip | Invoice# > bill_number | Balance > amount_1 | Due > due_date | Status > - text
Account_Number > account_number | Customer_Email > customer_email | Customer_Name > customer_name | Service_Address > service_address | Statement_Number > bill_number | Statement_Date > bill_date | Due_Date > due_date | Account_Balance > amount_1 | Access_Code > link_code
accountNumber > account_number | customerName > customer_name | serviceAddress > service_address | billNumber > bill_number | billDate > bill_date | dueDate > due_date | periodStart > period_start | periodEnd > period_end | amountDue > amount_1 | amountPaid > amount_paid
Cust# > account_number | Cust Name > customer_name | Svc Addr > service_address | Svc From > period_start | Svc To > period_end | Curr Balance > amount_1 | Due Date > due_date | Rte > route
Customer No > account_number | Full Name > customer_name | Address > service_address | Phone > phone | Cycle > route | Charge Type > service_1 | Amount Due > amount_1 | Due Date > due_date | Deposit Held > - money
ACCOUNT > account_number | NAME > customer_name | STREET > service_address | CITY > city | STATE > state | ZIP > zip | PREVIOUS READ DATE > period_start | CURRENT READ DATE > period_end | USAGE > quantity_1 | AMOUNT > amount_1 | DUE > due_date
Utility Account > account_number | Owner > customer_name | Property Address > service_address | Total Due > amount_1 | Payment Due Date > due_date | Parcel > - code
Account > account_number | Customer Name > customer_name | Email > customer_email | Service Address > service_address | Period From > period_start | Period To > period_end | Bill Number > bill_number | Bill Date > bill_date | Due Date > due_date | Service > service_1 | Description > description_1 | Quantity > quantity_1 | Unit > unit_1 | Amount > amount_1
Acct No > account_number | Owner Name > customer_name | Svc Address > service_address | Balance Forward > - money | Current Charges > amount_1 | Due Date > due_date
Account Number > account_number | Name > customer_name | Service Address > service_address | Bill PDF > document | Bill Number > bill_number | Bill Date > bill_date | Due Date > due_date | Total Due > amount_1
ACCTNUM > account_number | BILLTO > customer_name | SERVICELOCATION > service_address | STATEMENTDATE > bill_date | PAYMENTDUEDATE > due_date | TOTALDUE > amount_1
Acct. > account_number | Customer > customer_name | Service Addr. > service_address | Bill Amt. > amount_1 | Due Dt. > due_date | Ph. No. > phone
Account Number > account_number | Last Bill > - money | Customer Name > customer_name | Location > service_address | Bill Total Amount > amount_1 | Due Date > due_date
Number > - code | Account No > account_number | Name of Customer > customer_name | Address of Service > service_address | Date of Invoice > bill_date | Due Date > due_date | Balance > amount_1
Acct Nbr > account_number | Customer Nam > customer_name | Service Adr > service_address | Zip 5 > zip | Billing Cycle > route | Due Date > due_date | Total Charge > amount_1
Account Num > account_number | Name > customer_name | Address > service_address | Begin Date > period_start | End Date > period_end | Bill Dt > bill_date | Due Dt > due_date | Amt > amount_1
Customer Number > account_number | Customer Full Name > customer_name | Street Address > service_address | Contact Email > customer_email | Contact Phone > phone | Invoice ID > bill_number | Invoice Total > amount_1 | Due Date > due_date
Acct Id > account_number | Acct Name > customer_name | Premise Addr > service_address | Stmt Dt > - date | Due Date > due_date | Curr Charges > amount_1 | Past Due > - money
Account > account_number | Resident > customer_name | Address > service_address | City > city | St > state | Zip Code > zip | Invoice Number > bill_number | Invoice Date > bill_date | Service Start Date > period_start | Service End Date > period_end | Due Date > due_date | Service Name > service_1 | Consumption > quantity_1 | Total Amount > amount_1
ACCT > account_number | NM > customer_name | ADDR > service_address | AMT > amount_1 | DUE > due_date
Account # > account_number | Customer Name > customer_name | Service Address > service_address | Mailing City > - text | Billing Period Start > period_start | Billing Period End > period_end | Amount Billed > amount_1 | Amount Received > amount_paid | Due Date > due_date
`

/** Values of the rows, by our name or by the content of a column that the import leaves out. */
const VALUES: Record<string, readonly string[]> = {
  account_number: ['100014', '100022', '100035'],
  customer_name: ['Ann Lee', 'Bo Reese', 'Cy Park'],
  customer_email: ['ann@example.com', 'bo@example.com', 'cy@example.com'],
  phone: ['(717) 555-0100', '717-555-0101', '717-555-0102'],
  service_address: ['12 Oak Street', '14 Oak Street', '9 Elm Street'],
  city: ['Maple Grove', 'Maple Grove', 'Maple Grove'],
  state: ['PA', 'PA', 'PA'],
  zip: ['17011', '17011-1234', '17012'],
  bill_number: ['B-1014', 'B-1022', 'B-1035'],
  bill_date: ['11/1/2026', '11/1/2026', '11/1/2026'],
  due_date: ['11/25/2026', '11/25/2026', '11/25/2026'],
  period_start: ['2026-10-01', '2026-10-01', '2026-10-02'],
  period_end: ['2026-10-31', '2026-10-31', '2026-10-30'],
  route: ['12', '12', '14'],
  service_1: ['Water', 'Water', 'Water'],
  service_2: ['Sewer', 'Sewer', 'Sewer'],
  description_1: ['Base charge', 'Base charge', 'Base charge'],
  quantity_1: ['6.5', '7', '0.25'],
  unit_1: ['kgal', 'kgal', 'kgal'],
  amount_1: ['$56.34', '1,049.31', '12.00'],
  amount_2: ['10.00', '11.00', '12.50'],
  amount_paid: ['0.00', '44.31', '0.00'],
  link_code: ['A7K2M9QX', 'B7K2M9QY', 'C7K2M9QZ'],
  document: ['a.pdf', 'b.pdf', 'c.pdf'],
  '- text': ['yes', 'see office', 'yes'],
  '- date': ['2026-09-01', '2026-09-02', '2026-09-03'],
  '- money': ['5.00', '6.00', '7.25'],
  '- code': ['12-034-0056', '12-034-0057', '12-034-0058'],
}

const declared: Record<string, Column | undefined> = billColumns.columns

const layouts = HEADERS.trim()
  .split('\n')
  .map((line) => line.split(' | ').map((column) => column.split(' > ') as [header: string, name: string]))

const tableOf = (columns: readonly (readonly [header: string, value: (row: number) => string])[]) => {
  const rows = [0, 1, 2].map((row) => columns.map(([, value]) => `"${value(row)}"`).join(','))
  return openTable(
    Readable.from([Buffer.from([columns.map(([header]) => header).join(','), ...rows].join('\n'))]),
    billColumns,
    recordColumns,
  )
}

test('guesses nine of ten columns of 40 headers', async () => {
  expect(layouts).toHaveLength(40)
  const errors: string[] = []
  let count = 0
  for (const [at, columns] of layouts.entries()) {
    const table = await tableOf(columns.map(([header, name]) => [header, (row) => VALUES[name]?.[row] ?? '']))
    await table.close()
    const { mapping } = guessColumns(table.columns, table.headers, table.valuesOf)
    for (const [nth, [header, name]] of columns.entries()) {
      count += 1
      const expected = name.startsWith('-') ? '' : name
      if (mapping.columns[nth] !== expected)
        errors.push(`${at + 1}: ${header} is ${mapping.columns[nth]}, not ${expected}`)
    }
  }
  expect(errors.length / count, errors.join('\n')).toBeLessThanOrEqual(0.1)
})

test('reads a header of 22 columns, and leaves out payments next to a previous balance', async () => {
  const header =
    'CUST_ACCT_NBR SVC_LOC_ID CYCLE ROUTE CUST_NM CUST_NM2 SVC_ADDR_1 SVC_ADDR_2 SVC_CITY SVC_ST SVC_ZIP5 MAIL_ADDR_1 MAIL_CSZ PHONE_1 EMAIL_ADDR BILL_DT DUE_DT PREV_BAL PMTS_RCVD CURR_CHGS PENALTY TOT_AMT_DUE'
  const row =
    '00012000 900 02 01 MILLER~ANN  148~MILL~ROAD  ELMSFORD PA 17033 148~MILL~ROAD ELMSFORD~PA~17033 7175550100 ann@example.org 20261115 20261205 20.00 -20.00 99.77 0.00 99.77'
  const values = row.split(' ').map((value) => value.replaceAll('~', ' '))
  const table = await tableOf(header.split(' ').map((name, at) => [name, () => values[at] ?? '']))
  await table.close()
  const { mapping, leftOut } = guessColumns(table.columns, table.headers, table.valuesOf)
  const mapped = Object.fromEntries(table.headers.map((name, at) => [name, mapping.columns[at]]))
  expect(mapped).toMatchObject({
    ...{ CUST_ACCT_NBR: 'account_number', CUST_NM: 'customer_name_last_first', SVC_ADDR_1: 'service_address' },
    ...{ SVC_CITY: 'city', SVC_ST: 'state', SVC_ZIP5: 'zip', PHONE_1: 'phone', EMAIL_ADDR: 'customer_email' },
    ...{ BILL_DT: 'bill_date', DUE_DT: 'due_date', PREV_BAL: '', PMTS_RCVD: '' },
    ...{ CYCLE: '', ROUTE: 'route' },
  })
  expect(mapping.columns.filter((name) => /_[2-9]$/.test(name))).toEqual([])
  expect([...leftOut.values()]).toEqual(['amount_paid'])
})

test.each(layouts.map((columns, at) => [at + 1, columns] as const))(
  'warns of each contradiction in header %i',
  async (_, columns) => {
    const checked = ['date', 'money', 'zip', 'phone', 'email', 'number']
    for (const [header, name] of columns) {
      const content = declared[name]?.content ?? ''
      if (!checked.includes(content)) continue
      const table = await tableOf(
        columns.map(([other, own]) => [
          other,
          (row) => (other === header ? (VALUES['customer_name']?.[row] ?? '') : (VALUES[own]?.[row] ?? '')),
        ]),
      )
      await table.close()
      const { mapping, contradictions } = guessColumns(table.columns, table.headers, table.valuesOf)
      const at = table.headers.indexOf(header)
      // The import ignores a column with other content, or staff get a warning.
      if (mapping.columns[at] === name) expect([header, contradictions.has(at)]).toEqual([header, true])
    }
  },
)
