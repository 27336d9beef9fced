import * as z from 'zod/mini'
import { defineAttachments, uploadedFile } from '../../shared/attachments.ts'
import { companyId, line, rowId, rowIdBesideFile } from '../../shared/body-parts.ts'
import { type Access, downloadCall, endpoint, formCall } from '../../shared/endpoint.ts'
import { photo, photoFiles, photoId } from '../../shared/photos.ts'
import { viewAccess } from './contract.ts'

/** Photos of rental resources. Staff manage them, and residents see them. */

const change: Access = { audience: ['municipality', 'platform'], privilege: ['rentals', 'update'] }

/** Photos are public, so each is checked before it is saved. Each is reduced to the largest size that screens need. */
export const resourcePhotos = defineAttachments({
  kind: 'rental_photo',
  subject: 'rental_resource',
  ...photoFiles,
  maxFiles: 8,
  renderedAs: { width: 1280, height: 960, photosAsJpeg: true },
  needsImmediateScan: true,
  access: change,
})

/** Text that describes the photo for people who cannot see it. */
export const altForm = z.object({ alt: line(150).check(z.minLength(3, 'Describe the photo in a few words.')) })

export const staffPhotos = endpoint({
  path: 'muni/return/rental/photos',
  summary: 'Returns the photos of a resource in order',
  access: viewAccess,
  body: z.object({ companyId, resourceId: rowId }),
  response: z.object({
    photos: z.array(z.extend(photo, { alt: z.string() })),
    can: z.object({ edit: z.boolean() }),
  }),
})
export const addResourcePhoto = endpoint({
  path: 'muni/add/rental/photo',
  summary: 'Uploads a photo of a resource',
  access: change,
  files: resourcePhotos,
  body: z.object({ companyId, resourceId: rowIdBesideFile('Describe the photo.') }),
  response: uploadedFile,
})
const one = { companyId, resourceId: rowId, photoId }
export const describeResourcePhoto = formCall({
  path: 'muni/describe/rental/photo',
  summary: 'Saves the alt text of a resource photo',
  access: change,
  body: z.extend(altForm, one),
})
export const orderResourcePhoto = formCall({
  path: 'muni/order/rental/photo',
  summary: 'Moves a resource photo one position forward',
  access: change,
  body: z.object(one),
})
export const removeResourcePhoto = formCall({
  path: 'muni/remove/rental/photo',
  summary: 'Removes a photo from a resource',
  access: change,
  body: z.object(one),
})
export const downloadResourcePhoto = downloadCall({
  path: 'muni/download/rental/photo',
  summary: 'Downloads a photo of a resource',
  access: viewAccess,
  body: z.object(one),
})
