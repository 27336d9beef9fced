import { implement } from '../../../server/call.ts'
import type { Company } from '../../../server/hosts.ts'
import {
  companyComponents,
  companyDirectory,
  companyFooter,
  companyInfo,
  companyLogo,
  companySelections,
  returnCompanyId,
  siteWideMessage,
} from '../contract.ts'
import { companyDetails } from '../../../shared/companies.ts'
import { listDirectory } from './list-directory.ts'
import { componentsOf, listServices } from './queries.ts'
import { safeHtml } from './site-message.ts'

/**
 * Finds the company of a subdomain, even if the company is offline. Returns null for an unknown subdomain (spec 2.5).
 */
export const resolveSubdomain = implement(returnCompanyId, async ({ context, body }) => {
  const company = await context.hosts.bySubdomain(body.subdomain.trim().toLowerCase())
  return {
    company: company && {
      id: company.id,
      name: company.name,
      is_online: company.isOnline ? (1 as const) : (0 as const),
    },
  }
})

export const showSelections = implement(companySelections, (call) =>
  call.inCompany((tx) => listServices(tx, call.company)),
)

export const showComponents = implement(companyComponents, async ({ company }) => ({
  components: componentsOf(company),
}))

export const showSiteWideMessage = implement(siteWideMessage, async ({ company }) => ({
  siteWideMsg: { messageHTML: safeHtml(company.siteWideMessage) },
}))

export const showInfo = implement(companyInfo, async ({ company }) => ({
  company: { name: company.name, file_path: company.logoPath },
}))

export const showLogo = implement(companyLogo, async ({ company }) => ({ companyLogo: company.logoPath }))

/** Returns the address and contact data of a municipality. */
const reachedAt = (company: Company) => ({
  address1: company.address1,
  address2: company.address2,
  city: company.city,
  state: company.state,
  zipcode: company.zipcode,
  phone_no: company.phone,
  website_url: company.website,
})

export const showDetails = implement(companyDetails, async ({ company }) => ({
  companyDetails: [
    {
      id: company.id,
      name: company.name,
      logo_url: company.logoPath,
      ...reachedAt(company),
    },
  ],
}))

export const showFooter = implement(companyFooter, async ({ company }) => ({
  name: company.name,
  ...reachedAt(company),
}))

export const showDirectory = implement(companyDirectory, ({ context, body }) => listDirectory(context, body))
