import * as z from 'zod/mini'
import { type Access, type Endpoint, endpoint } from './endpoint.ts'
import type { FileRules } from './file-types.ts'
import { companyId } from './body-parts.ts'

/** A use of files, as a feature declares it: what is taken, and who may send it. */
export interface Attachments extends FileRules {
  /** What the files belong to, as `subject_kind` in the database. */
  subject: string
  /** For so many days a file is kept; for good where nothing is said. */
  keepDays?: number
  /** A picture is drawn at most this large, and as PNG; photos as they came, where that says so. */
  drawnAs?: { width: number; height: number; photosAsJpeg?: true }
  /** What has to show at once is refused, and not kept waiting, while the virus scanner cannot be reached. */
  shownAtOnce?: boolean
  /** A photo's position is kept where the person agrees; without this it goes away with all else that a camera wrote. */
  asksPosition?: boolean
  /** The calls that send a large file in parts. The right of what the file is for is asked once more by the call that takes it. */
  begin: BeginUpload
  sendPart: SendPart
}

/** A connection that breaks costs at most so much. Smaller files are sent whole. */
export const PART_BYTES = 256 * 1024

const key = z.string().check(z.regex(/^[0-9a-f]{32}$/, 'An upload has a key of 32 hexadecimal digits.'))
const offsetAnswer = z.object({ success: z.literal(true), offset: z.int() })
const company = { companyId }

const beginBody = z.object({
  ...company,
  key,
  name: z.string().check(z.maxLength(1000, 'The name of this file is too long. Rename it and choose it again.')),
  bytes: z.int().check(z.minimum(1, 'This file is empty. Choose another one.'), z.maximum(2 ** 40)),
})
const partBody = z.object({
  ...company,
  key,
  offset: z.pipe(
    z.string({ error: 'Say where this part begins.' }).check(z.regex(/^\d{1,13}$/, 'Say where this part begins.')),
    z.transform(Number),
  ),
})
type BeginUpload = Endpoint<typeof beginBody, typeof offsetAnswer>
type SendPart = Endpoint<typeof partBody, typeof offsetAnswer>

export type AttachmentsInput = Omit<Attachments, 'begin' | 'sendPart'> & {
  access: Access
  scope?: Endpoint['scope']
  whileOffline?: boolean
}

/** Beside a photo, of a use that asks: whether the person agrees that its position is kept. */
export const keepPosition = z._default(z.enum(['yes', 'no']), 'no')

/** What a call answers that took a file; `path`: a small picture of it, where there is one. */
export const fileTaken = z.object({ success: z.literal(true), file_id: z.string(), path: z.string(), name: z.string() })

/** Declares a use of files, once. A call that takes such a file says so: `files: theUse`. */
export function defineAttachments({
  access,
  scope = 'company',
  whileOffline = false,
  ...use
}: AttachmentsInput): Attachments {
  return {
    ...use,
    begin: endpoint({
      path: `begin/upload/${use.kind}`,
      summary: 'Begins to send a file in parts, or says how much of it is there',
      access,
      scope,
      whileOffline,
      body: beginBody,
      answer: offsetAnswer,
    }),
    sendPart: endpoint({
      path: `send/upload/part/${use.kind}`,
      summary: 'Sends the next part of a file; 409 tells where to go on',
      access,
      scope,
      whileOffline,
      files: { ...use, mostBytes: PART_BYTES },
      body: partBody,
      answer: offsetAnswer,
    }),
  }
}
