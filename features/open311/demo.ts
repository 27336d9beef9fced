import type { DemoPart } from '../../server/demo.ts'
import { tenancyOn } from '../../server/tenancy.ts'

const services = [
  { code: 'bridge', name: 'Bridge or culvert', metadata: false },
  { code: 'county-road', name: 'Pothole in a county road', metadata: false },
  { code: 'signal', name: 'Traffic signal', metadata: false },
]

/** Adds a paused portal. No server runs at its URL, so the demo sends nothing. */
export const demo: DemoPart = {
  company: async ({ db, clock }, _demoCompany, { company, households }) => {
    if (households.length === 0) return
    const now = clock.now()
    await tenancyOn(db.app)(company, (tx) =>
      tx
        .insertInto('open311_portal')
        .values({
          company_id: company,
          name: 'Public Works of the County',
          url: 'https://311.county.example/open311/v2',
          is_active: false,
          follows_status: true,
          sends_contact: false,
          services: JSON.stringify(services),
          services_at: new Date(now.getTime() - 86_400_000),
          updates_until: now,
          next_check_at: now,
        })
        .execute(),
    )
  },
}
