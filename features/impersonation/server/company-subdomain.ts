import { implement } from '../../../server/call.ts'
import { notFound } from '../../../server/errors.ts'
import { companySubdomain } from '../contract.ts'

export const companySubdomainCall = implement(companySubdomain, async ({ context, body }) => {
  const id = Number(body.id)
  // PostgreSQL's largest integer; no town has an id beyond it.
  const company = id > 0 && id <= 2_147_483_647 ? await context.hosts.byId(id) : null
  if (!company) throw notFound('This municipality was not found.')
  return { subdomain: company.subdomain }
})
