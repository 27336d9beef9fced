import * as z from 'zod/mini'
import { isoDate } from '../../shared/iso-date.ts'
import { endpoint } from '../../shared/endpoint.ts'
import { tableAnswer, tableQuery } from '../../shared/table.ts'
import { kindNames } from './rules.ts'

const companyId = z.optional(z.union([z.number(), z.string()]))
const filters = z.object({
  kind: z.optional(z.enum(kindNames)),
  fromDate: z.optional(isoDate),
  toDate: z.optional(isoDate),
})

const activityQuery = z.object({
  companyId,
  filters: z._default(filters, {}),
  cursor: z.optional(z.string().check(z.maxLength(400))),
})

/** What an account did and what was done to it, the newest first (specification 2.1). */
export const activityLog = endpoint({
  path: 'return/activity/log',
  summary: 'What the signed-in person did, and what was done to their account',
  access: { audience: ['citizen', 'municipality'], privilege: ['user_profile', 'view'] },
  body: activityQuery,
  answer: z.object({
    entries: z.array(
      z.object({
        id: z.number(),
        at: z.string(),
        what: z.string(),
        /** Somebody else who did it, or who did it in this person's name. */
        by: z.nullable(z.string()),
        why: z.string(),
      }),
    ),
    next: z.nullable(z.string()),
  }),
})

export const activityCsv = endpoint({
  path: 'export/activity/log',
  summary: 'The same as CSV',
  access: { audience: ['citizen', 'municipality'], privilege: ['user_profile', 'view'] },
  answers: 'download',
  body: activityQuery,
  answer: z.object({ url: z.string() }),
})

const auditRow = z.object({
  id: z.number(),
  at: z.string(),
  who: z.string(),
  /** Who acted in that person's name. */
  impersonator: z.nullable(z.string()),
  what: z.string(),
  action: z.string(),
  about: z.string(),
  detail: z.array(z.object({ name: z.string(), value: z.string() })),
  sealed: z.boolean(),
  can: z.object({ view: z.boolean() }),
})
const platformQuery = tableQuery(['date'], z._default(filters, {}))
const auditQuery = z.extend(platformQuery, { companyId })

/** The audit log of a town, for its administrators and the platform's. The search is for a person's name or email. */
export const auditLog = endpoint({
  path: 'muni/return/audit/events',
  summary: "A municipality's audit log, a page at a time",
  access: { audience: ['municipality', 'platform'], privilege: ['company_setup', 'update'] },
  body: auditQuery,
  answer: tableAnswer(auditRow, z.null()),
})

export const auditCsv = endpoint({
  path: 'muni/export/audit/events',
  summary: 'The same as CSV',
  access: { audience: ['municipality', 'platform'], privilege: ['company_setup', 'update'] },
  answers: 'download',
  body: auditQuery,
  answer: z.object({ url: z.string() }),
})

/** What the platform's staff did outside any one town: companies, their own accounts, look-ups. */
export const platformAuditLog = endpoint({
  path: 'admin/return/audit/events',
  summary: "The platform's own audit log, a page at a time",
  access: { audience: 'platform', privilege: ['company_setup', 'update'] },
  scope: 'none',
  body: platformQuery,
  answer: tableAnswer(auditRow, z.null()),
})

export const platformAuditCsv = endpoint({
  path: 'admin/export/audit/events',
  summary: 'The same as CSV',
  access: { audience: 'platform', privilege: ['company_setup', 'update'] },
  scope: 'none',
  answers: 'download',
  body: platformQuery,
  answer: z.object({ url: z.string() }),
})
