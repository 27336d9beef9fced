import * as z from 'zod/mini'
import { choice, defineList, fact, filters, flag, instant, text } from '../../shared/list.ts'
import { waitingParties, providerNames, providers } from './rules.ts'
import { onboardingStates } from './states.ts'

/** Onboarding status of all companies. `since` is the first day of the status, in UTC. */
export const onboardings = defineList('admin/return/onboardings', 'Payment Provider Onboarding', {
  nouns: ['onboarding', 'onboardings'],
  summary: 'Lists the payment provider onboardings of all companies',
  access: { audience: 'platform', privilege: ['company_setup', 'view'] },
  columns: {
    company: text('Municipality', { primary: true, priority: 1 }),
    companyId: fact(z.number()),
    provider: choice('Provider', providers, { group: true, priority: 2 }),
    status: choice('Status', onboardingStates.labels, { group: true, priority: 1 }),
    owedBy: choice('Waiting on', waitingParties, { group: true, priority: 1 }),
    /** The provider's codes, for the exported file. The screen shows sentences instead. */
    missing: text('Missing information', { chars: 40, priority: 2, empty: '–' }),
    missingLine: fact(z.string()),
    since: instant('Status since', { sort: 'desc', priority: 1 }),
    mayCharge: flag('Accepts new payments', { group: true, priority: 3 }),
    isPaidOut: flag('Receives payouts', { group: true, hidden: true }),
    checkedAt: instant('Last checked', { hidden: true }),
  },
  // Spec 2.18: from 30 days ago through today.
  days: { column: 'since', label: 'Status since', usual: 30 },
  filters: {
    status: filters.choice('Status', onboardingStates.labels, 'All statuses'),
    owedBy: filters.choice('Waiting on', waitingParties, 'Everyone'),
    provider: filters.hidden(z.optional(z.enum(providerNames))),
  },
  search: 'Municipality',
  csv: { path: 'admin/export/onboardings', file: 'onboarding' },
})
