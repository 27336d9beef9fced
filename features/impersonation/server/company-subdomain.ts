import { implement } from '../../../server/call.ts'
import { notFound } from '../../../server/errors.ts'
import { companySubdomain } from '../contract.ts'

export const companySubdomainCall = implement(companySubdomain, async ({ context, body }) => {
  const id = Number(body.id)
  // 2,147,483,647 is the largest value of PostgreSQL's `integer` type. No company has a greater id.
  const company = id > 0 && id <= 2_147_483_647 ? await context.hosts.byId(id) : null
  if (!company) throw notFound('This municipality was not found.')
  return { subdomain: company.subdomain }
})
