import * as z from 'zod/mini'
import { defineAttachments } from '../../shared/attachments.ts'
import { type Access, endpoint } from '../../shared/endpoint.ts'
import { pictures as taken } from '../../shared/file-types.ts'

/** Image upload for the design page. No server stores the files. */
const access: Access = { audience: 'public' }
export const pictures = defineAttachments({
  kind: 'picture',
  subject: 'design',
  ...taken,
  maxFiles: 10,
  unnamed: 'picture',
  access,
})
export const takePicture = endpoint({
  path: 'upload',
  summary: 'Takes a picture',
  access,
  files: pictures,
  body: z.object({}),
  answer: z.object({ file_id: z.number(), path: z.string() }),
})
