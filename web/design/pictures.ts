import * as z from 'zod/mini'
import { defineAttachments } from '../../shared/attachments.ts'
import { type Access, endpoint } from '../../shared/endpoint.ts'
import { JPEG, PNG } from '../../shared/file-types.ts'

/** The design page shows how pictures are taken; no server keeps them. */
const access: Access = { audience: 'public' }
export const pictures = defineAttachments({
  kind: 'picture',
  subject: 'design',
  accepts: [JPEG, PNG],
  mostBytes: 5 * 1024 * 1024,
  mostFiles: 10,
  wrongType: 'Send a PNG or JPG picture.',
  unnamed: 'picture',
  access,
})
export const takePicture = endpoint({
  path: 'upload',
  summary: 'Takes a picture',
  access,
  takes: 'file',
  files: pictures,
  body: z.object({}),
  answer: z.object({ file_id: z.number(), path: z.string() }),
})
