import * as z from 'zod/mini'
import { JPEG, PNG } from './file-types.ts'

/** Photos that staff keep of a thing. */

/** What a use of photos takes. A phone turns its own format into JPEG where nothing else is asked for. */
export const photoFiles = {
  accepts: [JPEG, PNG],
  mostBytes: 10 * 1024 * 1024,
  wrongType: 'Send a JPG or PNG photo.',
  unnamed: 'photo',
} as const

/** What a call shows of one. */
export const photo = z.object({
  id: z.string(),
  name: z.string(),
  state: z.enum(['waiting', 'clean', 'refused']),
  /** A small picture as an address that holds it; null until it was scanned. */
  preview: z.nullable(z.string()),
})
export type Photo = z.output<typeof photo>

export const photoId = z
  .string()
  .check(z.regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'Say which photo is meant.'))
