import type { Feature } from '../../server/feature.ts'
import { mountAlertFeeds } from './cap/feeds.ts'
import { storeCap } from './cap/of-alert.ts'
import { defineSourceJob } from './cap/poll.ts'
import { sourceCalls } from './cap/sources.ts'
import { callNumberCalls } from './server/call-number.ts'
import { alertPack } from './server/pack.ts'
import { staffCalls } from './server/staff-calls.ts'
import { findableAlerts } from './server/findable.ts'
import { alertLists, deliveryLists } from './server/lists.ts'
import { repeatDeliveryCall } from './server/repeat.ts'
import { bannerOf, residentCalls } from './server/residents.ts'
import { defineAlertJobs, capStore } from './server/send.ts'
import { alertSteps } from './server/setup-steps.ts'

capStore.keep = storeCap

export const alerts: Feature = {
  module: 'alerts',
  openRecords: { table: 'alert', column: 'status', states: ['waiting', 'scheduled', 'sending', 'sent', 'updated'] },
  setup: alertSteps,
  calls: [
    ...residentCalls,
    ...alertLists,
    ...deliveryLists,
    ...staffCalls,
    ...callNumberCalls,
    repeatDeliveryCall,
    ...sourceCalls,
  ],
  mount: [mountAlertFeeds],
  jobs: (context) => {
    defineAlertJobs(context)
    defineSourceJob(context)
  },
  boot: async (context, host) => {
    const company = host.kind === 'company' ? host.company : null
    if (!company) return { alerts: [], notices: [] }
    return context.readingCompany(company.id, (tx) => bannerOf(tx, company.id, context.clock.now()))
  },
  findable: [findableAlerts],
  awaitingStaff: [
    {
      label: 'Alerts to approve',
      to: '/municipality/manage/alerts?status=waiting',
      policy: 'alerts',
      table: 'alert',
      status: 'waiting',
    },
    {
      label: 'Messages to review',
      to: '/municipality/manage/alerts/sources?status=waiting',
      policy: 'alerts',
      table: 'alert_received',
      status: 'waiting',
    },
  ],
  packs: [alertPack],
  demo: () => import('./demo.ts'),
  retention: [
    { table: 'alert_delivery', since: 'at', days: 1095 },
    { table: 'alert_received', since: 'received_at', days: 1095 },
  ],
}
