import { sql } from 'kysely'
import type { Attachments } from '../../../shared/attachments.ts'
import { attach, fileCall, previewOf, receiveFile, uploadResponse } from '../../../server/attachments/keep.ts'
import { partCalls } from '../../../server/attachments/parts.ts'
import { removePhoto } from '../../../server/attachments/photos.ts'
import { type Call, implement } from '../../../server/call.ts'
import { notFound } from '../../../server/errors.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import {
  addPhotoAfter,
  addPhotoBefore,
  downloadPhoto,
  photosAfter,
  photosBefore,
  removePhoto as removeOrderPhoto,
} from '../contract.ts'
import { findOrder } from './orders.ts'
import { orderToWorkOn } from './work.ts'
import { workOrderStatus } from '../rules.ts'

interface Photo {
  id: string
  name: string
  kind: string
  content_type: string
  path: string | null
  state: 'waiting' | 'clean' | 'refused'
  preview: Buffer | null
  fromRequest: boolean
}

/** Lists the photos of each order and the files of its source. */
async function filesOf(tx: Tx, company: CompanyId, orderIds: readonly number[]) {
  const columns = sql`a.id, a.name, a.kind, a.content_type, a.path, a.state, a.preview`
  const ids = sql`ANY (${[...orderIds]}::bigint[])`
  const { rows } = await sql<Photo & { order_id: number }>`
    SELECT f.order_id, ${columns}, true AS "fromRequest" FROM work_order_file f
    JOIN attachment a ON a.company_id = f.company_id AND a.id = f.file_id
    WHERE f.company_id = ${company} AND f.order_id = ${ids}
    UNION ALL (
      SELECT a.subject_id, ${columns}, false FROM attachment a
      WHERE a.company_id = ${company} AND a.subject_kind = ${photosBefore.subject} AND a.subject_id = ${ids}
      ORDER BY a.kind DESC, a.nth)`.execute(tx)
  return Map.groupBy(rows, ({ order_id }) => order_id)
}

/** Loads photos by order id. */
export async function photosOf(tx: Tx, company: CompanyId, orderIds: readonly number[]) {
  const files = await filesOf(tx, company, orderIds)
  const photoView = ({ id, name, kind, state, preview, fromRequest }: Photo) => ({
    id,
    name,
    state,
    preview: previewOf({ state, preview }),
    when: fromRequest ? ('fromRequest' as const) : kind === photosAfter.kind ? ('after' as const) : ('before' as const),
  })
  return new Map([...files].map(([orderId, photos]) => [orderId, photos.map(photoView)]))
}

/**
 * Lists photos of finished work for the requester. Includes only photos taken after the work, and only of completed
 * orders.
 */
export async function photosOfRepair(tx: Tx, company: CompanyId, source: { kind: string; id: number }) {
  const { rows } = await sql<Photo>`
    SELECT a.id, a.name, a.kind, a.content_type, a.path, a.state, a.preview, false AS "fromRequest"
    FROM work_order w JOIN attachment a
      ON a.company_id = w.company_id AND a.subject_kind = ${photosAfter.subject} AND a.subject_id = w.id AND a.kind = ${photosAfter.kind}
    WHERE w.company_id = ${company} AND w.source_kind = ${source.kind} AND w.source_id = ${source.id} AND w.status = ${sql.lit(workOrderStatus.completed)}
      AND a.state = 'clean'
    ORDER BY w.id, a.nth`.execute(tx)
  return rows
}

/** @throws 404 if the photo does not exist */
async function photoOf(tx: Tx, company: CompanyId, orderId: number, id: string): Promise<Photo> {
  const order = await findOrder(tx, company, orderId)
  const photo = (await filesOf(tx, company, [order.id])).get(order.id)?.find((file) => file.id === id)
  if (!photo) throw notFound('This photo was not found.')
  return photo
}

const adding = (call: Call<{ orderId: string }>, use: Attachments) =>
  receiveFile(call, use, call.company.id, (received) =>
    call.once(async (tx) => {
      const order = await orderToWorkOn(tx, call, Number(call.body.orderId))
      const { id } = await attach(tx, received, order.id)
      await call.audit(tx, {
        action: 'work_order.file_added',
        subject: { kind: 'work_order', id: order.number },
        detail: { file: received.name },
      })
      return uploadResponse(id, received)
    }),
  )

export const photoCalls = [
  ...partCalls(photosBefore),
  ...partCalls(photosAfter),
  implement(addPhotoBefore, (call) => adding(call, photosBefore)),
  implement(addPhotoAfter, (call) => adding(call, photosAfter)),
  implement(removeOrderPhoto, (call) =>
    removePhoto(call, async (tx) => {
      const { orderId, photoId } = call.body
      const order = await orderToWorkOn(tx, call, orderId)
      const { name, fromRequest } = await photoOf(tx, call.company.id, orderId, photoId)
      // The photo belongs to the order's source, so it cannot be removed here.
      if (fromRequest)
        throw notFound(
          'This photo belongs to the record that the work order was opened from, so you cannot remove it here.',
        )
      await call.audit(tx, {
        action: 'work_order.file_removed',
        subject: { kind: 'work_order', id: order.number },
        detail: { file: name },
      })
    }),
  ),
  fileCall(downloadPhoto, (call) =>
    call.inCompany((tx) => photoOf(tx, call.company.id, call.body.orderId, call.body.photoId)),
  ),
]
