import type { DemoPart } from '../../server/demo.ts'
import { outsideCompanies, tenancyOn } from '../../server/tenancy.ts'
import { rollUp } from './server/roll-up.ts'

/** Counts the past of the demo companies, as the job counts later days. */
export const demo: DemoPart = {
  after: ({ db, clock, log }) =>
    rollUp({ clock, log, inCompany: tenancyOn(db.app), outside: outsideCompanies(db.app) }).then(() => {}),
}
