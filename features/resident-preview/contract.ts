import * as z from 'zod/mini'
import { companyId } from '../../shared/body-parts.ts'
import { endpoint } from '../../shared/endpoint.ts'
import { openedSteps } from '../../shared/resident-preview.ts'
import { done } from '../../shared/responses.ts'

const step = z.object({
  name: z.string(),
  label: z.string(),
  /** Page on which a resident does this. Null if any page counts. */
  path: z.nullable(z.string()),
  isDone: z.boolean(),
})
export type PreviewStep = z.output<typeof step>
const steps = z.object({ steps: z.array(step) })

export const returnPreview = endpoint({
  path: 'muni/return/preview',
  summary: "Returns the completed steps of the municipality's preview",
  access: { audience: ['municipality', 'platform'], privilege: ['settings', 'view'] },
  body: z.object({ companyId }),
  response: steps,
})

/** Starts a preview as a temporary resident, and returns the codes of its window. */
export const startPreview = endpoint({
  path: 'muni/start/preview',
  summary: 'Starts a preview of the portal as a resident',
  access: { audience: 'municipality', privilege: ['settings', 'update'] },
  whileImpersonating: 'refused',
  body: z.object({}),
  response: z.extend(done, { sessionToken: z.string(), adminToken: z.string(), handOff: z.string() }),
})

const inSession = { access: { audience: 'citizen' }, body: z.object({}) } as const

export const currentPreview = endpoint({
  ...inSession,
  path: 'return/preview',
  summary: 'Returns the completed steps of the preview',
  response: steps,
})

/** Records a step that an open page completes: at the width of a phone, or on the screens of `previewActs`. */
export const completeStep = endpoint({
  ...inSession,
  path: 'save/preview/step',
  inPreview: true,
  body: z.object({ step: z.enum(openedSteps) }),
  summary: 'Records a step of the preview that an open page completes',
  response: done,
})

/** Ends the preview and removes its records. */
export const endPreview = endpoint({
  ...inSession,
  path: 'end/preview',
  inPreview: true,
  summary: 'Ends the preview and removes its records',
  response: done,
})
