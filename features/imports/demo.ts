import type { DemoPart } from '../../server/demo.ts'
import { tenancyOn } from '../../server/tenancy.ts'

const DAY_MS = 86_400_000

/** Adds imports that staff undid. The demo itself imports no file that staff could undo. */
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
}
