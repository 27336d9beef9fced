import * as z from 'zod/mini'
import { defineAttachments } from '../../shared/attachments.ts'
import { type Access, endpoint } from '../../shared/endpoint.ts'
import { images as imageTypes } from '../../shared/file-types.ts'

/** Image upload for the design page. No server stores the files. */
const access: Access = { audience: 'public' }
export const images = defineAttachments({
  kind: 'image',
  subject: 'design',
  ...imageTypes,
  maxFiles: 10,
  unnamed: 'image',
  access,
})
export const takePhoto = endpoint({
  path: 'upload',
  summary: 'Uploads a photo',
  access,
  files: images,
  body: z.object({}),
  response: z.object({ file_id: z.number(), path: z.string() }),
})
