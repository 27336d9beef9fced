import * as z from 'zod/mini'
import { JPEG, PNG } from './file-types.ts'

/** File rules for photos. They accept only JPEG and PNG, so that a phone converts photos in its own format to JPEG. */
export const photoFiles = {
  accepts: [JPEG, PNG],
  maxBytes: 10 * 1024 * 1024,
  unsupportedType: 'Upload a JPG or PNG photo.',
  unnamed: 'photo',
} as const

export const photo = z.object({
  id: z.string(),
  name: z.string(),
  state: z.enum(['waiting', 'clean', 'refused']),
  /** Thumbnail as a data URL. Null until the virus scan is done. */
  preview: z.nullable(z.string()),
})
export type Photo = z.output<typeof photo>

export const photoId = z.string().check(z.regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'Choose a photo.'))
