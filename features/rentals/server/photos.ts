import type { FastifyInstance } from 'fastify'
import { findByAddress } from '../../../server/attachments/by-address.ts'
import { attach, fileCall, receiveFile, uploadResponse } from '../../../server/attachments/keep.ts'
import { partCalls } from '../../../server/attachments/parts.ts'
import { photoOf, photosOf, removePhoto } from '../../../server/attachments/photos.ts'
import { type Call, implement, signedIn } from '../../../server/call.ts'
import { notFound } from '../../../server/errors.ts'
import type { AppContext } from '../../../server/app-context.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { may } from '../../../shared/privileges.ts'
import { say } from '../../../shared/messages.ts'
import type { SeenPhoto } from '../contract.ts'
import {
  addResourcePhoto,
  describeResourcePhoto,
  staffPhotos,
  downloadResourcePhoto,
  orderResourcePhoto,
  removeResourcePhoto,
  resourcePhotos,
} from '../contract-photos.ts'
import { findResource, lockResource } from './resources.ts'

const pathOf = (company: CompanyId, id: string): string => `/rental-photos/${company}/${id}`

const inOrder = (tx: Tx, company: CompanyId, resources: readonly number[]) =>
  tx
    .selectFrom('rental_photo')
    .select(['file_id', 'resource_id', 'alt', 'position'])
    .where('company_id', '=', company)
    .where('resource_id', 'in', resources)
    .orderBy('position')
    .orderBy('file_id')
    .execute()

/** Loads the photos of resources, as residents see them. The result is keyed by resource id. */
export async function seenPhotosOf(tx: Tx, company: CompanyId, resources: readonly number[]) {
  const seen = new Map<number, SeenPhoto[]>()
  if (resources.length === 0) return seen
  for (const { file_id, resource_id, alt } of await inOrder(tx, company, resources))
    seen.set(resource_id, [...(seen.get(resource_id) ?? []), { path: pathOf(company, file_id), alt }])
  return seen
}

const listCall = implement(staffPhotos, (call) =>
  call.reading(async (tx) => {
    const company = call.company.id
    const { id } = await findResource(tx, company, call.body.resourceId)
    const files = new Map(
      (await photosOf(tx, resourcePhotos, company, [id])).get(id)?.map((file) => [file.id, file]) ?? [],
    )
    const rows = await inOrder(tx, company, [id])
    return {
      photos: rows.flatMap(({ file_id, alt }) => {
        const file = files.get(file_id)
        return file ? [{ ...file, alt }] : []
      }),
      can: { edit: may(signedIn(call).privileges, 'rentals', 'update') },
    }
  }),
)

const addCall = implement(addResourcePhoto, (call) =>
  receiveFile(call, resourcePhotos, call.company.id, (received) =>
    call.inCompany(async (tx) => {
      const resource = await lockResource(tx, call.company.id, Number(call.body.resourceId))
      const last = (await inOrder(tx, call.company.id, [resource.id])).at(-1)?.position ?? 0
      const { id } = await attach(tx, received, resource.id)
      await tx
        .insertInto('rental_photo')
        .values({ company_id: call.company.id, file_id: id, resource_id: resource.id, position: last + 1 })
        .execute()
      await call.audit(tx, {
        action: 'rental.photo_added',
        subject: { kind: 'rental_resource', id: resource.id },
        detail: { name: resource.name, file: received.name },
      })
      return uploadResponse(id, received)
    }),
  ),
)

type PhotoContext = Call<{ resourceId: number; photoId: string }>

/**
 * Locks the resource and loads one of its photos.
 * @throws 404 if the file is missing or is not a photo of a resource
 */
async function withPhoto(tx: Tx, call: PhotoContext) {
  const resource = await lockResource(tx, call.company.id, call.body.resourceId)
  const photos = await inOrder(tx, call.company.id, [resource.id])
  const at = photos.findIndex(({ file_id }) => file_id === call.body.photoId)
  const photo = photos[at]
  if (!photo) throw notFound('This photo was not found.')
  const subject = { kind: 'rental_resource' as const, id: resource.id }
  return { resource, photo, before: photos[at - 1], subject }
}

const change = (tx: Tx, company: CompanyId, id: string, values: { alt?: string; position?: number }) =>
  tx.updateTable('rental_photo').set(values).where('company_id', '=', company).where('file_id', '=', id).execute()

const describeCall = implement(describeResourcePhoto, (call) =>
  call.inCompany(async (tx) => {
    const { resource, photo, subject } = await withPhoto(tx, call)
    await change(tx, call.company.id, photo.file_id, { alt: call.body.alt })
    const detail = { name: resource.name, before: photo.alt, after: call.body.alt }
    await call.audit(tx, { action: 'rental.photo_described', subject, detail })
    return { success: true as const, message: say`The photo description was saved.` }
  }),
)

const orderCall = implement(orderResourcePhoto, (call) =>
  call.inCompany(async (tx) => {
    const { resource, photo, before, subject } = await withPhoto(tx, call)
    if (before) {
      await change(tx, call.company.id, photo.file_id, { position: before.position })
      await change(tx, call.company.id, before.file_id, { position: photo.position })
      await call.audit(tx, { action: 'rental.photo_moved', subject, detail: { name: resource.name } })
    }
    return { success: true as const, message: say`The photo was moved forward.` }
  }),
)

const removeCall = implement(removeResourcePhoto, (call) =>
  removePhoto(call, async (tx) => {
    const { resource, photo, subject } = await withPhoto(tx, call)
    const detail = { name: resource.name, alt: photo.alt }
    await call.audit(tx, { action: 'rental.photo_removed', subject, detail })
  }),
)

const downloadCall = fileCall(downloadResourcePhoto, (call) =>
  call.inCompany((tx) => photoOf(tx, resourcePhotos, call.company.id, call.body.resourceId, call.body.photoId)),
)

export const photoCalls = [
  ...partCalls(resourcePhotos),
  ...[listCall, addCall, describeCall, orderCall, removeCall, downloadCall],
]

/** Serves photos of resources. The content at a URL never changes, so browsers cache it permanently. */
export function mountRentalPhotos(app: FastifyInstance, context: AppContext): void {
  app.get<{ Params: { company: string; file: string } }>('/rental-photos/:company/:file', async ({ params }, reply) => {
    const row = await findByAddress(context, params, resourcePhotos.kind)
    if (!row) return reply.callNotFound()
    return reply
      .type(row.content_type)
      .header('cache-control', 'public, max-age=31536000, immutable')
      .send(context.files.read(row.path))
  })
}
