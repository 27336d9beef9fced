import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { companyId } from './body-parts.ts'

/** Calls with which many features let a person choose a company, or load a company's name. */

const flag = z.union([z.literal(0), z.literal(1)])

/** Address and contact data of a municipality. */
const reachedAt = {
  address1: z.string(),
  address2: z.string(),
  city: z.string(),
  state: z.string(),
  zipcode: z.string(),
  phone_no: z.string(),
  website_url: z.string(),
}

export const companyView = z.object({
  id: z.number(),
  name: z.string(),
  logo_url: z.string(),
  ...reachedAt,
})

export const companyDetails = endpoint({
  path: 'admin/return/company/details',
  summary: 'Returns the name, logo and address of a company',
  access: { audience: ['municipality', 'platform'] },
  body: z.object({ companyId }),
  response: z.object({ companyDetails: z.array(companyView) }),
})

const listed = z.object({
  id: z.number(),
  guid: z.string(),
  name: z.string(),
  ...reachedAt,
  subdomain: z.string(),
  url: z.string(),
  is_online: flag,
  use_dbilling: flag,
  file_path: z.string(),
  can: z.record(z.string(), z.boolean()),
})

export const companyQuery = z.object({
  companyName: z._default(z.string().check(z.trim(), z.maxLength(100)), ''),
  search: z._default(z.string().check(z.trim(), z.maxLength(100)), ''),
  sort: z._default(z.enum(['name', 'id']), 'name'),
  direction: z._default(z.enum(['asc', 'desc']), 'asc'),
  cursor: z.optional(z.string().check(z.maxLength(400))),
  page: z.optional(z.int().check(z.minimum(1), z.maximum(1_000_000))),
  pageSize: z._default(z.int().check(z.minimum(1), z.maximum(100)), 10),
})

/**
 * Lists the companies (spec 7.5). Without a body, returns all of them. With `queryParams`, returns one page of matches,
 * their count (capped), and the cursors of the previous and next page.
 */
export const companiesInformation = endpoint({
  path: 'admin/return/companys/information',
  summary: 'Lists all or the matching companies',
  access: { audience: 'platform', privilege: ['company_setup', 'view'] },
  scope: 'none',
  body: z.object({ queryParams: z.optional(companyQuery) }),
  response: z.object({
    companies: z.array(listed),
    total: z.int(),
    next: z.nullable(z.string()),
    previous: z.nullable(z.string()),
  }),
})
