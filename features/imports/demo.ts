import type { DemoPart } from '../../server/demo.ts'
import { headersHash } from '../../server/table-rows.ts'
import { outsideCompanies, tenancyOn } from '../../server/tenancy.ts'

const DAY_MS = 86_400_000

/** Files of two billing systems: our column for each of their columns. */
const demoPresets: readonly { name: string; kind: string; columns: Readonly<Record<string, string>> }[] = [
  {
    name: 'Riverside Billing 7',
    kind: 'bills',
    columns: {
      ...{
        UB_ACCT_NBR: 'account_number',
        UB_CUST_NM: 'customer_name',
        UB_SVC_ADDR: 'service_address',
        UB_CITY: 'city',
      },
      ...{ UB_ST: 'state', UB_ZIP5: 'zip', UB_INV_NBR: 'bill_number', UB_INV_DT: 'bill_date', UB_DUE_DT: 'due_date' },
      ...{ UB_SVC_CD: 'service_1', UB_CHG_AMT: 'amount_1', UB_BATCH: '', UB_CYCLE: 'route' },
    },
  },
  {
    name: 'Riverside Billing 7',
    kind: 'customers',
    columns: { UB_ACCT_NBR: 'account', UB_CUST_NM: 'name', UB_CUST_EMAIL: 'email', UB_CUST_TEL: 'phone' },
  },
  {
    name: 'Keystone CIS',
    kind: 'balances',
    columns: { ACCTKEY: 'account_number', OWNERNM: 'customer_name', SVCLOC: 'service_address', CURBAL: 'balance' },
  },
]

/**
 * Adds imports that staff undid, because the demo itself imports no file that staff could undo. Adds presets of two
 * billing systems.
 */
export const demo: DemoPart = {
  company: async ({ db, clock }, _demoCompany, { company }) => {
    const at = (days: number) => new Date(clock.now().getTime() - days * DAY_MS)
    await tenancyOn(db.app)(company, (tx) =>
      tx
        .insertInto('data_import')
        .values(
          [
            { kind: 'requests', file_name: 'requests-2019-2025.xlsx', created_count: 412, days: 19 },
            { kind: 'request_categories', file_name: 'request-types.csv', created_count: 14, days: 19 },
            { kind: 'faqs', file_name: 'questions-old-website.csv', created_count: 38, days: 12 },
            { kind: 'reservations', file_name: 'facility-bookings-2026.xlsx', created_count: 233, days: 11 },
            { kind: 'permits', file_name: 'active-licenses.xlsx', created_count: 356, days: 10 },
            { kind: 'customers', file_name: 'utility-customers.csv', created_count: 1184, days: 10 },
            { kind: 'registrations', file_name: 'rental-registry.csv', created_count: 104, days: 9 },
            { kind: 'hydrants', file_name: 'hydrants-gis-export.csv', created_count: 61, days: 8 },
          ].map(({ days, ...row }) => ({
            ...row,
            company_id: company,
            imported_at: at(days),
            imported_by: 'Carol Whitaker',
            uses: '[]',
            undone_at: at(days - 1),
            undone_by: 'Carol Whitaker',
          })),
        )
        .execute(),
    )
  },
  after: async ({ db, clock }) => {
    await outsideCompanies(db.platform)((tx) =>
      tx
        .insertInto('import_preset')
        .values(
          demoPresets.map(({ name, kind, columns }, at) => ({
            ...{
              name,
              kind,
              header_hash: headersHash(Object.keys(columns)),
              headers: JSON.stringify(Object.keys(columns)),
            },
            mapping: JSON.stringify({ columns: Object.values(columns), values: {} }),
            ...{ saved_at: new Date(clock.now().getTime() - (30 + at) * DAY_MS), saved_by: 'Mainstreet' },
          })),
        )
        .execute(),
    )
  },
}
