import * as z from 'zod/mini'
import { done } from '../../shared/responses.ts'
import { basis, companyId, line, rowId } from '../../shared/body-parts.ts'
import { type Access, endpoint, formCall } from '../../shared/endpoint.ts'
import { choice, defineList, filters, instant, text } from '../../shared/list.ts'
import { viewAccess, zones } from './contract-staff.ts'
import { severities, severityLabels } from './rules.ts'
import { receivedStates } from './states.ts'

const staff = ['municipality', 'platform'] as const
const change: Access = { audience: staff, privilege: ['alerts', 'update'] }

/** Reasons why a message was filtered out, by their stored name. */
export const filterReasonLabels = {
  not_actual: 'The message is an exercise or a test, or it is not public.',
  expired: 'The message expired before it could be sent.',
  kind: 'The source settings exclude this type of event.',
  minor: 'The severity is below the minimum in the source settings.',
  elsewhere: 'The message is about another area.',
  unknown: 'The message changes an earlier message that did not become an alert.',
} as const

const messageTypes = { Alert: 'Alert', Update: 'Update', Cancel: 'Cancellation' } as const

export const receivedAlerts = defineList('muni/return/received/alerts', 'Received Messages', {
  nouns: ['message', 'messages'],
  summary: 'Lists the messages received from alert sources',
  access: viewAccess,
  ofCompany: true,
  columns: {
    receivedAt: instant('Received', { sort: 'desc', priority: 1 }),
    headline: text('Headline', { primary: true, chars: 40 }),
    type: choice('Kind', messageTypes, { priority: 2 }),
    severity: choice('Severity', severityLabels, { priority: 1 }),
    source: text('Source', { chars: 20, priority: 2 }),
    status: { ...choice('Status', receivedStates.labels, { priority: 1 }), value: receivedStates.state },
    why: text('Reason', { chars: 24, priority: 3 }),
    alert: text('Alert number', { chars: 8, priority: 2 }),
  },
  usualSort: 'receivedAt',
  filters: {
    status: {
      ...filters.choice('Status', receivedStates.labels, 'All statuses'),
      value: z.optional(receivedStates.state),
    },
    severity: filters.choice('Severity', severityLabels, 'All'),
  },
  days: { column: 'receivedAt', label: 'Received' },
})

export const alertSources = defineList('muni/return/alert/sources', 'Alert Sources', {
  nouns: ['source', 'sources'],
  summary: 'Lists the alert sources',
  access: viewAccess,
  ofCompany: true,
  columns: {
    name: text('Name', { primary: true, sort: 'asc' }),
    url: text('Address', { priority: 2 }),
    state: choice('Status', { active: 'Active', paused: 'Paused' } as const, { priority: 1 }),
    how: choice('Handling', { itself: 'Sent automatically', release: 'Sent after staff review' } as const, {
      priority: 1,
    }),
    readAt: instant('Last read', { empty: 'Never', priority: 2 }),
    problem: text('Last error', { priority: 2 }),
  },
})

const URL_INVALID = 'Enter the feed address, such as https://api.weather.gov/alerts/active.atom?zone=PAC041.'

export const sourceForm = z.object({
  name: line(80).check(z.minLength(1, 'Enter a source name that your staff will recognize.')),
  url: z.string().check(
    z.trim(),
    z.maxLength(500, URL_INVALID),
    z.refine((text) => URL.canParse(text) && /^https?:/.test(text), { error: URL_INVALID }),
  ),
  codes: line(300),
  /** Zones of the company. Empty for the whole company. */
  zoneIds: z.array(rowId).check(z.maxLength(200, 'Choose up to 200 zones.')),
  /** Event types, separated by commas. Empty for all. */
  events: line(500),
  minSeverity: z.enum(Object.keys(severities) as (keyof typeof severities)[]),
  serviceId: z.string().check(z.regex(/^[1-9]\d{0,14}$/, 'Choose a service.')),
  byItself: z.boolean(),
  isActive: z.boolean(),
})
export type SourceForm = z.output<typeof sourceForm>

export const showSource = endpoint({
  path: 'muni/return/alert/source',
  summary: 'Returns an alert source or the defaults of a new one',
  access: viewAccess,
  body: z.object({ companyId, sourceId: z.nullable(rowId) }),
  response: z.object({
    form: sourceForm,
    services: z.array(z.object({ id: z.number(), name: z.string() })),
    zones,
    can: z.object({ edit: z.boolean() }),
  }),
})

export const saveSource = formCall({
  path: 'muni/save/alert/source',
  summary: 'Creates or changes an alert source',
  access: change,
  body: z.object({ companyId, sourceId: z.nullable(rowId), form: sourceForm, basis }),
  response: z.extend(done, { sourceId: z.number() }),
})

export const removeSource = endpoint({
  path: 'muni/remove/alert/source',
  summary: 'Removes an alert source and its received messages',
  access: change,
  body: z.object({ companyId, sourceId: rowId }),
  response: done,
})

export const transitionReceivedAlert = endpoint({
  path: 'muni/transition/received/alert',
  summary: 'Creates a draft or follow-up from a received message, or dismisses it',
  access: change,
  body: z.object({ companyId, receivedId: rowId, event: receivedStates.button }),
  response: z.extend(done, { alertId: z.nullable(z.number()) }),
})
