import * as z from 'zod/mini'
import { isoDate } from '../../shared/iso-date.ts'
import { downloadCall, endpoint } from '../../shared/endpoint.ts'
import { kindNames } from './rules.ts'
import { companyId } from '../../shared/body-parts.ts'

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

/** Activity of an account, newest first (spec 2.1). */
export const activityLog = endpoint({
  path: 'return/activity/log',
  summary: 'Returns the activity log of the signed-in person',
  access: { audience: ['citizen', 'municipality'], privilege: ['user_profile', 'view'] },
  body: activityQuery,
  response: z.object({
    entries: z.array(
      z.object({
        id: z.number(),
        at: z.string(),
        what: z.string(),
        /** Amount and items of a payment. Empty for other entries. */
        about: z.string(),
        /**
         * Person other than the account owner who acted, for example as an impersonator. Null if the account owner
         * acted.
         */
        by: z.nullable(z.string()),
        why: z.string(),
      }),
    ),
    next: z.nullable(z.string()),
  }),
})

export const activityCsv = downloadCall({
  path: 'export/activity/log',
  summary: 'Exports the activity log of the signed-in person as CSV',
  access: { audience: ['citizen', 'municipality'], privilege: ['user_profile', 'view'] },
  body: activityQuery,
})
