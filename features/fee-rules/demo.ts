import type { DemoPart } from '../../server/demo.ts'
import { tenancyOn } from '../../server/tenancy.ts'
import { addDays, dateIn } from '../../shared/dates.ts'
import { ruleOf, writeFeeRules } from '../payments/api.ts'

/**
 * Schedules a fee change for a demo company: in 30 days, a flat fee replaces the percentage fee, because the percentage
 * breaks Visa's rules.
 */
export const demo: DemoPart = {
  company: ({ db, clock }, demoCompany, { company }) =>
    tenancyOn(db.app)(company, async (tx) => {
      if (demoCompany.absorbsFee) return
      const now = clock.now()
      const validFrom = addDays(dateIn('America/New_York', now), 30)
      const flat = { program: 'convenience', fixedCents: 345, maxCents: 345, validFrom } as const
      const rules = [
        ruleOf({ validFrom, ends: true }),
        ruleOf({ channel: 'online', ...flat }),
        ruleOf({ channel: 'phone', ...flat }),
      ]
      await writeFeeRules(tx, company, rules, { at: now, by: 'Carol Whitaker' })
    }),
}
