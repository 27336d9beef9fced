import type { ImportedRows, LaterUse, UndoRules } from '../../../server/imported-rows.ts'
import type { BillRecord } from './bill-layout.ts'
import { UTILITY } from './payable.ts'
import type { AccountRecord } from './record-layout.ts'

const ofUtility = { column: 'payable_id', only: { kind: UTILITY } } as const

/** Payments of an account since the import. They count against its new bills and adjustments. */
const paymentsOf = (of: LaterUse['of'], ofColumn: string): LaterUse[] => [
  { from: 'payment_order_line', ...ofUtility, of, ofColumn, after: ['order_id', 'payment_order'], cause: 'paid' },
  {
    from: 'deferred_payment_line',
    ...ofUtility,
    of,
    ofColumn,
    after: ['deferred_payment_id', 'deferred_payment'],
    cause: 'paid',
  },
  { from: 'autopay_charge', ...ofUtility, of, ofColumn, after: ['id', 'autopay_charge'], cause: 'paid' },
  { from: 'remittance', column: 'account_id', of, ofColumn, after: ['id', 'remittance'], cause: 'paid' },
]

/** Rules of the undo of accounts, bills and account records. */
export const undoRules: UndoRules = {
  tables: [{ table: 'utility_account' }, { table: 'utility_update' }],
  uses: [
    ...paymentsOf('utility_account', 'id'),
    ...paymentsOf('utility_bill', 'account_id'),
    ...paymentsOf('utility_adjustment', 'account_id'),
    { from: 'autopay', ...ofUtility, of: 'utility_account', cause: 'linked' },
  ],
}

type Line = BillRecord | AccountRecord
const valuesOf = (lines: readonly Line[], name: 'bill_number' | 'record_number' | 'account_number'): string[] => [
  ...new Set(lines.flatMap((line) => (name in line ? String(line[name as keyof Line]) : []))),
]

/** Keeps the accounts, bills and shutoffs that these lines may change. */
export async function keepRows(changes: ImportedRows, lines: readonly Line[]): Promise<void> {
  await changes.keep('utility_account', 'account_number', valuesOf(lines, 'account_number'))
  await changes.keep('utility_bill', 'bill_number', valuesOf(lines, 'bill_number'))
  await changes.keep('utility_shutoff', 'shutoff_number', valuesOf(lines, 'record_number'))
}

/** Notes the new bills, adjustments and shutoffs of these lines. */
export async function noteRows(changes: ImportedRows, lines: readonly Line[]): Promise<void> {
  await changes.note('utility_bill', 'bill_number', valuesOf(lines, 'bill_number'))
  await changes.note('utility_adjustment', 'adjustment_number', valuesOf(lines, 'record_number'))
  await changes.note('utility_shutoff', 'shutoff_number', valuesOf(lines, 'record_number'))
}
