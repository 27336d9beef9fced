import { sql } from 'kysely'
import { csvDollars } from '../../../server/csv.ts'
import { implementList } from '../../../server/list.ts'
import { billingFiles, billingLines, remittanceFiles } from '../list.ts'

export const billingFileCalls = implementList(billingFiles, {
  table: sql`billing_file`,
  columns: {
    receivedAt: 'received_at',
    name: 'name',
    source: 'source',
    sender: 'sender',
    state: 'state',
    billsCreated: 'bills_created',
    billsChanged: 'bills_changed',
    accounts: 'accounts_created',
    errors: 'error_count',
    billed: 'billed_cents',
  },
  unindexed: {
    all: 'A municipality receives a few files a day, so the list stays short.',
    state: 'The list of billing files stays short.',
    source: 'The list of billing files stays short.',
  },
  row: () => ({ can: { view: true } }),
})

export const billingLineCalls = implementList(billingLines, {
  table: sql`billing_file_line`,
  columns: {
    line: 'line',
    what: 'what',
    account: 'account',
    customer: 'customer',
    bill: 'bill',
    before: sql`coalesce(r.before_cents, 0)`,
    amount: sql`coalesce(r.cents, 0)`,
    reason: 'reason',
  },
  sorts: { what: 'rank' },
  csv: { before: csvDollars(sql`r.before_cents`), amount: csvDollars(sql`r.cents`) },
  filters: { file: (file) => sql`r.file_id = ${file}` },
  unindexed: { what: 'This reads only the lines of one file, and an index finds those lines quickly.' },
  exported: 'export.billing_lines',
})

export const remittanceFileCalls = implementList(remittanceFiles, {
  table: sql`remittance_file`,
  columns: {
    number: 'number',
    day: 'day',
    credits: 'credits',
    creditCents: 'credit_cents',
    reversals: 'reversals',
    reversalCents: 'reversal_cents',
    madeAt: 'made_at',
  },
  row: () => ({ can: { download: true } }),
})
