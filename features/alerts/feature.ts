import type { Feature } from '../../server/feature.ts'
import { mountAlertFeeds } from './cap/feeds.ts'
import { deskCalls } from './server/desk.ts'
import { alertLists, deliveryLists } from './server/lists.ts'
import { alertsInForce, residentCalls } from './server/residents.ts'
import { defineAlertJobs } from './server/send.ts'

export const alerts: Feature = {
  calls: [...residentCalls, ...alertLists, ...deliveryLists, ...deskCalls],
  mount: [mountAlertFeeds],
  jobs: defineAlertJobs,
  boot: async (house, host) => {
    const company = host.kind === 'town' ? host.company : null
    if (!company) return { alerts: [] }
    return { alerts: await house.readingCompany(company.id, (tx) => alertsInForce(tx, company.id, house.clock.now())) }
  },
  demo: () => import('./demo.ts'),
  retention: [{ table: 'alert_delivery', since: 'at', days: 1095 }],
}
