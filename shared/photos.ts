import * as z from 'zod/mini'
import { JPEG, PNG } from './file-types.ts'

/** File rules for photos. A phone converts its own format to JPEG if only JPEG and PNG are accepted. */
export const photoFiles = {
  accepts: [JPEG, PNG],
  maxBytes: 10 * 1024 * 1024,
  wrongType: 'Send a JPG or PNG photo.',
  unnamed: 'photo',
} as const

export const photo = z.object({
  id: z.string(),
  name: z.string(),
  state: z.enum(['waiting', 'clean', 'refused']),
  /** Thumbnail as a data URL. Null until the file was scanned. */
  preview: z.nullable(z.string()),
})
export type Photo = z.output<typeof photo>

export const photoId = z
  .string()
  .check(z.regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'Say which photo is meant.'))
