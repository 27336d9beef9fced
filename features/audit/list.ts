import * as z from 'zod/mini'
import type { Access } from '../../shared/endpoint.ts'
import { defineList, fact, filters, flag, instant, text, whole } from '../../shared/list.ts'
import { actionGroups } from '../../shared/audit-actions.ts'
import { CHANGES, type Kind } from './rules.ts'

const kindLabels = {
  [CHANGES]: 'All actions except views',
  ...(Object.fromEntries(Object.entries(actionGroups).map(([kind, { label }]) => [kind, label])) as Record<
    Kind,
    string
  >),
} as const
/** Kind and id of a subject. */
const ABOUT = /^[a-z_]{1,40}\/\P{C}{1,200}$/u
/** Option for columns that are only in the file, not on the screen. */
const inFile = { screen: false } as const

interface AuditListOptions {
  portal: 'muni' | 'admin'
  access: Access
  ofCompany: boolean
  summary: string
  /** Heading of the time column in the exported file. */
  date: string
}

/**
 * Defines an audit log list of actions and refused calls. Entries never change. The search finds entries by a person's
 * email address.
 */
const auditList = ({ portal, access, ofCompany, summary, date }: AuditListOptions) =>
  defineList(`${portal}/return/audit/events`, 'Audit Log', {
    nouns: ['record', 'records'],
    summary,
    access,
    ofCompany,
    columns: {
      number: whole('Number', inFile),
      at: instant('Time', { sort: 'desc', seconds: true, csv: date }),
      actorKind: text('Kind', inFile),
      actor: whole('By', inFile),
      inNameOf: whole('Impersonated by', inFile),
      action: { ...fact(z.string()), csv: 'Action' },
      what: text('Action taken', { primary: true, group: true }),
      actorName: text('By', { csv: false, priority: 1 }),
      // Person who acted as an impersonator.
      impersonator: fact(z.nullable(z.string())),
      about: text('About', { csv: false }),
      // Key of the entry's subject for the filter. Empty if the entry has no subject.
      aboutKey: fact(z.string()),
      subject: text('About', inFile),
      person: whole('Person', inFile),
      details: text('Details', inFile),
      request: text('Request', inFile),
      detail: fact(z.array(z.object({ name: z.string(), value: z.string() }))),
      sealed: flag('Sealed', { hidden: true, csv: false }),
    },
    days: { column: 'at', usual: 30 },
    filters: {
      // The default filter hides views of personal data, because they far outnumber changes.
      kind: filters.choice('Kind', kindLabels, 'All kinds', CHANGES),
      /**
       * Filter for all entries about one subject, for example `person/42` or `form/7`. The link of a row sets the
       * filter.
       */
      about: { ...filters.hidden(z.optional(z.string().check(z.regex(ABOUT)))), label: 'About' },
    },
    search: 'Person’s email address',
    csv: { path: `${portal}/export/audit/events`, file: 'audit-log' },
  })

/** Audit log of a company, for the administrators of the company and of the platform. */
export const auditLog = auditList({
  portal: 'muni',
  access: { audience: ['municipality', 'platform'], privilege: ['audit', 'view'] },
  ofCompany: true,
  summary: 'Lists the audit log entries of a company',
  date: 'Date',
})

/**
 * Actions of platform staff outside a single company, such as actions on companies and on their own accounts, and
 * lookups.
 */
export const platformAuditLog = auditList({
  portal: 'admin',
  access: { audience: 'platform', privilege: ['company_setup', 'update'] },
  ofCompany: false,
  summary: 'Lists the audit log entries of the platform',
  date: 'Date (UTC)',
})
