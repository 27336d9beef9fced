import * as z from 'zod/mini'
import { companyQuery, companyView } from '../../shared/companies.ts'
import { downloadCall, endpoint } from '../../shared/endpoint.ts'
import { companyId } from '../../shared/body-parts.ts'

const flag = z.union([z.literal(0), z.literal(1)])
const ofCompany = z.object({ companyId })
const nothing = z.object({})

/**
 * Resolves a subdomain to a company (spec 2.5 and 7.3). Returns null for an unknown company, and `is_online` 0 for an
 * offline company.
 */
export const returnCompanyId = endpoint({
  path: 'return/company/id',
  summary: 'Returns the company of a subdomain',
  access: { audience: 'public' },
  scope: 'none',
  body: z.object({ subdomain: z.string().check(z.maxLength(253)) }),
  response: z.object({ company: z.nullable(z.object({ id: z.number(), name: z.string(), is_online: flag })) }),
})

const service = z.object({
  id: z.number(),
  name: z.string(),
  description: z.string(),
  icon: z.nullable(z.string()),
  url: z.string(),
  is_active: flag,
  button_text: z.string(),
})

/** Returns the tiles of the landing page: the first five and the others (spec 2.8). */
export const companySelections = endpoint({
  path: 'return/company/selections',
  summary: "Returns the services of a company's landing page",
  access: { audience: 'public' },
  body: ofCompany,
  response: z.object({ topServices: z.array(service), otherServices: z.array(service) }),
})

export const siteWideMessage = endpoint({
  path: 'return/company/site/wide/msg',
  summary: "Returns the company's site-wide message as sanitized HTML",
  access: { audience: 'public' },
  body: ofCompany,
  response: z.object({ siteWideMsg: z.object({ messageHTML: z.string() }) }),
})

export const companyInfo = endpoint({
  path: 'load/company/info',
  summary: 'Returns the name and logo of a company',
  access: { audience: 'public' },
  whileOffline: true,
  body: nothing,
  response: z.object({ company: z.object({ name: z.string(), file_path: z.string() }) }),
})

export const companyLogo = endpoint({
  path: 'admin/return/company/logo/details',
  summary: 'Returns the logo of a company',
  access: { audience: ['municipality', 'platform'] },
  body: ofCompany,
  response: z.object({ companyLogo: z.string() }),
})

export const companyComponents = endpoint({
  path: 'return/company/components',
  summary: 'Returns the modules of a company',
  access: { audience: 'public' },
  body: ofCompany,
  response: z.object({ components: z.array(z.object({ url: z.string(), is_active: flag })) }),
})

export const companyFooter = endpoint({
  path: 'return/company/footer',
  summary: 'Returns the footer details of a company',
  access: { audience: 'public' },
  body: nothing,
  response: z.omit(companyView, { id: true, logo_url: true }),
})

/** Returns the online municipalities for the directory on the host without a subdomain. Keyset-paged by name. */
export const companyDirectory = endpoint({
  path: 'return/company/directory',
  summary: 'Lists the online companies',
  access: { audience: 'public' },
  scope: 'none',
  body: z.object({
    search: z._default(z.string().check(z.trim(), z.maxLength(100)), ''),
    cursor: z.optional(z.string().check(z.maxLength(400))),
  }),
  response: z.object({
    companies: z.array(
      z.object({
        ...{ name: z.string(), city: z.string(), state: z.string(), url: z.string() },
        logoUrl: z.nullable(z.string()),
        /** Readable colors of the company's theme (`shared/theme.ts`). */
        colors: z.object({ deep: z.string(), tint: z.string() }),
      }),
    ),
    next: z.nullable(z.string()),
  }),
})

const readByPlatform = {
  access: { audience: 'platform', privilege: ['company_setup', 'view'] },
  scope: 'none',
} as const

export const companiesCsv = downloadCall({
  path: 'admin/export/companys/information',
  summary: 'Exports the matching companies as CSV',
  ...readByPlatform,
  body: z.object({ queryParams: companyQuery }),
})

/** Company that is being edited. Its own name and subdomain count as available. */
const except = z.optional(z.int().check(z.minimum(1), z.maximum(2_147_483_647)))

/** Declares a call that checks whether the value typed into `field` is available. */
const isFree = <Field extends string>(path: string, summary: string, field: Field) => {
  const typed = z.string().check(z.trim(), z.maxLength(200))
  return endpoint({
    path,
    summary,
    access: { audience: 'platform', privilege: ['company_setup', 'create'] },
    scope: 'none',
    body: z.object({ [field]: typed, except } as Record<Field, typeof typed> & { except: typeof except }),
    response: z.object({ unique: z.boolean() }),
  })
}

export const checkCompanyName = isFree(
  'admin/check/company/name/unique',
  'Is this company name available?',
  'companyName',
)
export const checkSubdomain = isFree(
  'admin/check/company/subdomain/unique',
  'Is this subdomain available?',
  'subdomain',
)

export const timeZones = endpoint({
  path: 'admin/return/all/timezones',
  summary: 'Returns the available time zones',
  ...readByPlatform,
  body: nothing,
  response: z.object({ timeZones: z.array(z.object({ id: z.number(), label: z.string() })) }),
})

const typed = z.optional(
  z.nullable(z.union([z.string().check(z.maxLength(2000, 'Use no more than 2,000 characters.')), z.number()])),
)

/**
 * Creates a municipality, which is immediately reachable at its host (spec 2.14, 4.11, 5.2). The body contains the
 * fields as typed, because the name and subdomain are checked first (spec 4.11). The screen and the server share the
 * field rules in `companyForm`. If fields are wrong, the response is a 422 with a message for each field in
 * `details.fields`.
 */
export const createCompany = endpoint({
  path: 'admin/create/company/details',
  idempotent: 'offered',
  summary: 'Creates a company',
  access: { audience: 'platform', privilege: ['company_setup', 'create'] },
  scope: 'none',
  body: z.object({
    companyName: typed,
    address: typed,
    city: typed,
    state: typed,
    zip: typed,
    phone: typed,
    companyWebsite: typed,
    subdomain: typed,
    timeZone: typed,
    online: typed,
    intrigratesWithBilling: typed,
    isManagedServices: typed,
    officeHoursOpen: typed,
    officeHoursClosed: typed,
  }),
  response: z.object({ success: z.literal(true), message: z.string(), companyId: z.number(), url: z.string() }),
})
