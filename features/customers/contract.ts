import * as z from 'zod/mini'
import { type Access, endpoint } from '../../shared/endpoint.ts'
import { tableAnswer, tableQuery } from '../../shared/table.ts'

/** What stands in place of an email where nobody at the portal has linked the account (specification 6.4). */
export const NO_PROFILE = 'No Profile Created'

const text = z._default(z.string().check(z.trim(), z.maxLength(100, 'Search for at most 100 characters.')), '')

/** Specification 2.18, customer search. `profiles` asks for residents who have no utility account. */
const filters = z.object({
  profiles: z._default(z.boolean(), false),
  email: text,
  name: text,
  serviceAddress: text,
  phone: text,
  accountNumber: text,
})

const access: Access = { audience: ['municipality'], privilege: ['utility_management', 'view'] }
const query = tableQuery(['name', 'account'], filters)

/** `user_id` is the resident's, null where the account has no profile. `id` is the account's or, of profiles, the resident's. */
const row = z.object({
  id: z.number(),
  user_id: z.nullable(z.number()),
  name: z.string(),
  email: z.string(),
  serviceAddress: z.string(),
  phone: z.string(),
  accountNumber: z.string(),
  linkedAccounts: z.array(z.string()),
  can: z.object({ impersonate: z.boolean() }),
})

/** The town's utility accounts with the residents who linked them, or the residents without one (specification 2.3). */
export const utilityCustomers = endpoint({
  path: 'muni/return/utility/customers',
  summary: 'Residents and utility accounts of the town, a page at a time',
  access,
  personal: true,
  body: z.extend(query, { companyId: z.optional(z.union([z.number(), z.string()])) }),
  answer: tableAnswer(row, z.null()),
})

export const utilityCustomersCsv = endpoint({
  path: 'muni/export/utility/customers',
  summary: 'Residents and utility accounts of the town as CSV',
  access,
  answers: 'download',
  body: z.extend(query, { companyId: z.optional(z.union([z.number(), z.string()])) }),
  answer: z.object({ url: z.string() }),
})
