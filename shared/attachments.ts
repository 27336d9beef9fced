import * as z from 'zod/mini'
import { type Access, type Endpoint, endpoint } from './endpoint.ts'
import type { FileRules } from './file-types.ts'
import { companyId } from './body-parts.ts'

/** File rules of a feature: accepted file types and who may upload files. */
export interface Attachments extends FileRules {
  /** Type of entity that the files belong to, stored as `subject_kind` in the database. */
  subject: string
  /** Retention period in days. Without it, files are retained permanently. */
  keepDays?: number
  /**
   * Maximum size of an image in pixels. The portal saves the image as PNG, or a photo as JPEG if `photosAsJpeg` is set.
   */
  renderedAs?: { width: number; height: number; photosAsJpeg?: true }
  /**
   * True if the portal refuses files while it can't reach the virus scanner. Otherwise the files wait for a later scan.
   */
  needsImmediateScan?: boolean
  /**
   * True if the portal saves a photo's location with the person's consent. Otherwise it removes all camera metadata.
   */
  needsPosition?: boolean
  /** Calls that upload a large file in parts. The call that accepts the file checks the permission again. */
  start: StartUpload
  sendPart: SendPart
}

/** Size of a part, in bytes. A lost connection loses at most one part. Smaller files are sent in one piece. */
export const PART_BYTES = 256 * 1024

const key = z.string().check(z.regex(/^[0-9a-f]{32}$/, 'The upload key must have 32 hexadecimal digits.'))
const offsetResponse = z.object({ success: z.literal(true), offset: z.int() })
const company = { companyId }

const startBody = z.object({
  ...company,
  key,
  name: z
    .string()
    .check(z.maxLength(1000, 'The file name has more than 1,000 characters. Rename the file and choose it again.')),
  bytes: z.int().check(z.minimum(1, 'This file is empty. Choose another file.'), z.maximum(2 ** 40)),
})
const partBody = z.object({
  ...company,
  key,
  offset: z.pipe(
    z
      .string({ error: 'Specify the byte offset of this part of the file.' })
      .check(z.regex(/^\d{1,13}$/, 'Specify the byte offset of this part of the file.')),
    z.transform(Number),
  ),
})
type StartUpload = Endpoint<typeof startBody, typeof offsetResponse>
type SendPart = Endpoint<typeof partBody, typeof offsetResponse>

export type AttachmentsInput = Omit<Attachments, 'start' | 'sendPart'> & {
  access: Access
  scope?: Endpoint['scope']
  whileOffline?: boolean
  whenOff?: Endpoint['whenOff']
}

/** The person's consent to save the photo's location. Sent with the photo. */
export const keepPosition = z._default(z.enum(['yes', 'no']), 'no')

/** Response of an upload call. `path` is the URL of a thumbnail, if the file has one. */
export const uploadedFile = z.object({
  success: z.literal(true),
  file_id: z.string(),
  path: z.string(),
  name: z.string(),
})

/**
 * Declares the file rules of a feature. Call it once for each feature. The upload call refers to the result with
 * `files: theUse`.
 */
export function defineAttachments({
  access,
  scope = 'company',
  whileOffline = false,
  whenOff = null,
  ...use
}: AttachmentsInput): Attachments {
  return {
    ...use,
    start: endpoint({
      path: `start/upload/${use.kind}`,
      inPreview: true,
      summary: 'Starts an upload in parts or returns its current offset',
      access,
      scope,
      whileOffline,
      whenOff,
      body: startBody,
      response: offsetResponse,
    }),
    sendPart: endpoint({
      path: `send/upload/part/${use.kind}`,
      inPreview: true,
      summary: 'Uploads the next part of a file',
      access,
      scope,
      whileOffline,
      whenOff,
      files: { ...use, maxBytes: PART_BYTES },
      body: partBody,
      response: offsetResponse,
    }),
  }
}
