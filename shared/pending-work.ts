import * as z from 'zod/mini'
import { companyId } from './body-parts.ts'
import { endpoint } from './endpoint.ts'

/** Counts the open records of the modules that are off. Staff complete them. */
export const openRecords = endpoint({
  path: 'muni/return/open/records',
  summary: 'Returns the number of open records in each module that is off',
  access: { audience: 'municipality' },
  body: z.object({ companyId }),
  response: z.object({ modules: z.array(z.object({ name: z.string(), open: z.int() })) }),
})

/** Counts the residents' submissions that await staff, in the parts of the portal that the caller may see. */
export const pendingWork = endpoint({
  path: 'muni/return/pending/work',
  summary: 'Returns the counts of submissions that await staff',
  access: { audience: ['municipality', 'platform'], privilege: ['dashboard', 'view'] },
  body: z.object({ companyId }),
  response: z.object({
    awaitingStaff: z.array(z.object({ label: z.string(), count: z.int(), to: z.string() })),
  }),
})
