/**
 * Premise information that residents share with first responders. The contract is in `shared/`, because the feature
 * that implements the call is in a layer above the features that make the call.
 */
import * as z from 'zod/mini'
import { companyId, rowId } from './body-parts.ts'
import { endpoint } from './endpoint.ts'
import { locationValue } from './places.ts'

/**
 * Returns the premise information. Each request is logged, because residents agreed to share the information only when
 * first responders need it.
 */
export const viewPremises = endpoint({
  path: 'muni/view/premises',
  summary: 'What people at a place agreed to share with first responders',
  access: { audience: ['municipality', 'platform'], privilege: ['household_registration', 'view'] },
  body: z.object({ companyId, location: locationValue }),
  response: z.object({
    registrations: z.array(
      z.object({
        id: rowId,
        number: z.string(),
        kind: z.string(),
        name: z.string(),
        location: z.string(),
        details: z.array(z.object({ label: z.string(), value: z.string() })),
      }),
    ),
  }),
})
