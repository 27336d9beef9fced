/**
 * Premise information that residents share with first responders. The call is declared in `shared/`, because the
 * features that make the call must not import the feature that implements it.
 */
import * as z from 'zod/mini'
import { companyId, rowId } from './body-parts.ts'
import { endpoint } from './endpoint.ts'
import { typedLocation } from './places.ts'

/**
 * Returns the premise information. Each request is logged, because residents agreed to share the information only when
 * first responders need it.
 */
export const viewPremises = endpoint({
  path: 'muni/view/premises',
  whenOff: 'finish',
  summary: 'Returns the premise information shared with first responders',
  access: { audience: ['municipality', 'platform'], privilege: ['premise_notes', 'view'] },
  body: z.object({ companyId, location: typedLocation }),
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
