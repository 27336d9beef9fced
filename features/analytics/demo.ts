import type { DemoPart } from '../../server/demo.ts'
import { outsideCompanies, tenancyOn } from '../../server/tenancy.ts'
import { rollUp } from './server/roll-up.ts'

/** Counts the figures of the demo companies up to now. The job counts later days. */
export const demo: DemoPart = {
  after: ({ db, clock, log }) =>
    rollUp({ clock, log, inCompany: tenancyOn(db.app), outside: outsideCompanies(db.app) }).then(() => {}),
}
