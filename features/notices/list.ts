import type { Access } from '../../shared/endpoint.ts'
import { choice, defineList, filters, instant, text, whole } from '../../shared/list.ts'
import { abouts, channels, deliveryStates } from './rules.ts'

export const viewAccess: Access = { audience: 'municipality', privilege: ['alerts', 'view'] }

/** Emails, text messages and calls of the company, with their delivery status. Recipients are always masked. */
export const notices = defineList('muni/return/notices', 'Notifications', {
  nouns: ['notification', 'notifications'],
  summary: 'Lists the notifications with masked recipients and delivery status',
  access: viewAccess,
  ofCompany: true,
  personal: true,
  columns: {
    at: instant('Time', { sort: 'desc' }),
    about: choice('About', abouts, { primary: true, group: true }),
    to: text('To'),
    channel: choice('Channel', channels, { group: true }),
    state: choice('Status', deliveryStates, { group: true, priority: 1 }),
    reason: text('Reason', { chars: 30, priority: 1 }),
    segments: whole('Text segments', { total: 'Text segments:', priority: 3 }),
    minutes: whole('Call minutes', { total: 'Call minutes:', priority: 3 }),
  },
  filters: {
    channel: filters.choice('Channel', channels, 'All channels'),
    state: filters.choice('Status', deliveryStates, 'All statuses'),
    about: filters.choice('About', abouts, 'Everything'),
  },
  days: { column: 'at', usual: 30 },
  search: 'Full email address or phone number',
})
