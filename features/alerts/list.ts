import * as z from 'zod/mini'
import { choice, defineList, filters, instant, text, whole } from '../../shared/list.ts'
import { viewAccess } from './contract-staff.ts'
import { channels, deliveryReasons, deliveryStates, kinds, severityLabels } from './rules.ts'
import { alertStates } from './states.ts'

export const alerts = defineList('muni/return/alerts', 'Alerts', {
  nouns: ['alert', 'alerts'],
  summary: 'Lists the alerts of the company',
  access: viewAccess,
  ofCompany: true,
  columns: {
    number: text('Number', { chars: 8 }),
    headline: text('Headline', { primary: true, chars: 36 }),
    kind: choice('Kind', kinds, { group: true, priority: 2 }),
    severity: choice('Severity', severityLabels, { group: true, priority: 1 }),
    status: { ...choice('Status', alertStates.labels, { group: true, priority: 1 }), value: alertStates.state },
    service: text('Service', { chars: 18, priority: 3 }),
    areaText: text('Recipients', { chars: 22, priority: 2 }),
    people: whole('People', { priority: 2 }),
    sentAt: instant('Sent', { priority: 2 }),
    expiresAt: instant('Expires', { hidden: true }),
    createdAt: instant('Created', { sort: 'desc', hidden: true }),
  },
  usualSort: 'createdAt',
  filters: {
    status: { ...filters.choice('Status', alertStates.labels, 'All statuses'), value: z.optional(alertStates.state) },
    severity: filters.choice('Severity', severityLabels, 'All'),
  },
  days: { column: 'createdAt', label: 'Created' },
  search: 'Number or headline',
  csv: { path: 'muni/export/alerts', file: 'alerts' },
})

/** Results of emails, text messages and calls of alerts (spec 2.3). Recipient addresses are partly masked. */
export const deliveries = defineList('muni/return/alert/deliveries', 'Alerts Report', {
  nouns: ['delivery', 'deliveries'],
  summary: 'Lists the deliveries of alert emails, text messages and calls',
  access: viewAccess,
  ofCompany: true,
  personal: true,
  columns: {
    at: instant('Time', { sort: 'desc' }),
    alert: text('Alert', { chars: 8, group: true }),
    headline: text('Headline', { chars: 30, priority: 2 }),
    name: text('Name', { primary: true, chars: 18 }),
    channel: choice('Channel', channels, { group: true, priority: 1 }),
    to: text('To', { chars: 16, priority: 2 }),
    state: choice('Status', deliveryStates, { group: true, priority: 1 }),
    reason: choice('Reason', deliveryReasons, { chars: 24, priority: 3 }),
  },
  usualSort: 'at',
  filters: {
    alertId: filters.id('Alert'),
    channel: filters.choice('Channel', channels, 'All channels'),
    state: filters.choice('Status', deliveryStates, 'All statuses'),
  },
  days: { column: 'at', label: 'Sent', usual: 30 },
  csv: { path: 'muni/export/alert/deliveries', file: 'alert-deliveries' },
})
