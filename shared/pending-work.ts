import * as z from 'zod/mini'
import { companyId } from './body-parts.ts'
import { endpoint } from './endpoint.ts'

/** Counts the residents' submissions that await staff, in the parts of the portal that the caller may see. */
export const pendingWork = endpoint({
  path: 'muni/return/pending/work',
  summary: 'How many forms, moves, registrations and the like wait for staff, each with the list that holds just these',
  access: { audience: ['municipality', 'platform'], privilege: ['dashboard', 'view'] },
  body: z.object({ companyId }),
  response: z.object({
    awaitingStaff: z.array(z.object({ label: z.string(), count: z.int(), to: z.string() })),
  }),
})
