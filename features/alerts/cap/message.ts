import type { Position } from '../../../shared/places.ts'
import {
  categories,
  type Category,
  certainties,
  type Certainty,
  severities,
  type Severity,
  urgencies,
  type Urgency,
} from '../rules.ts'

/** Format of the Common Alerting Protocol (CAP 1.2, OASIS). The IPAWS profile applies if it is stricter. */

export const CAP_NAMESPACE = 'urn:oasis:names:tc:emergency:cap:1.2'

/** Allowed values of elements, in the order of the standard. */
export const vocabulary = {
  status: ['Actual', 'Exercise', 'System', 'Test', 'Draft'],
  msgType: ['Alert', 'Update', 'Cancel', 'Ack', 'Error'],
  scope: ['Public', 'Restricted', 'Private'],
  category: Object.keys(categories) as Category[],
  responseType: ['Shelter', 'Evacuate', 'Prepare', 'Execute', 'Avoid', 'Monitor', 'Assess', 'AllClear', 'None'],
  urgency: Object.keys(urgencies) as Urgency[],
  severity: Object.keys(severities) as Severity[],
  certainty: Object.keys(certainties) as Certainty[],
} as const
export type CapWord<Name extends keyof typeof vocabulary> = (typeof vocabulary)[Name][number]

/** Value under a name that another party defined, such as a county code. */
export interface NamedValue {
  valueName: string
  value: string
}

/** Reference to another message by its sender, identifier and time sent. */
export interface Reference {
  sender: string
  identifier: string
  sent: string
}

export interface CapCircle {
  lat: number
  lon: number
  km: number
}

/** Area of an alert. CAP has no holes, so `areaDesc` describes the excluded parts. */
export interface CapArea {
  areaDesc: string
  /** Borders. The first corner is not repeated at the end. */
  polygons: Position[][]
  circles: CapCircle[]
  geocodes: NamedValue[]
  /** In feet above sea level. */
  altitude: number | null
  ceiling: number | null
}

export interface CapResource {
  resourceDesc: string
  mimeType: string
  uri: string
}

/** Content in one language. Missing texts are ''. */
export interface CapInfo {
  language: string
  categories: Category[]
  event: string
  responseTypes: CapWord<'responseType'>[]
  urgency: Urgency
  severity: Severity
  certainty: Certainty
  audience: string
  eventCodes: NamedValue[]
  effective: string
  onset: string
  expires: string
  senderName: string
  headline: string
  description: string
  instruction: string
  web: string
  contact: string
  parameters: NamedValue[]
  resources: CapResource[]
  areas: CapArea[]
}

/** CAP message. Times are in CAP format: '2026-11-20T07:00:00-05:00', with an offset and never with Z. */
export interface CapAlert {
  identifier: string
  sender: string
  sent: string
  status: CapWord<'status'>
  msgType: CapWord<'msgType'>
  source: string
  scope: CapWord<'scope'>
  restriction: string
  addresses: string
  codes: string[]
  note: string
  references: Reference[]
  incidents: string
  infos: CapInfo[]
}

/** Formats an instant for CAP, in a time zone. */
export function capTime(at: Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' },
    timeZoneName: 'longOffset',
  }).formatToParts(at)
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((one) => one.type === type)?.value ?? ''
  // The standard writes UTC as -00:00.
  const offset = part('timeZoneName')
    .replace('GMT', '')
    .replace(/^(?:\+00:00)?$/, '-00:00')
  return `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}:${part('second')}${offset}`
}
