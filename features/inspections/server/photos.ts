import { attach, fileCall, receiveFile, uploadResponse } from '../../../server/attachments/keep.ts'
import { partCalls } from '../../../server/attachments/parts.ts'
import { photoOf, removePhoto } from '../../../server/attachments/photos.ts'
import { implement } from '../../../server/call.ts'
import { conflict } from '../../../server/errors.ts'
import { addItemPhoto, downloadItemPhoto, itemPhotos, removeItemPhoto } from '../contract.ts'
import { lockItem } from './inspections.ts'

export const photoCalls = [
  ...partCalls(itemPhotos),
  implement(addItemPhoto, (call) =>
    receiveFile(call, itemPhotos, call.company.id, (received) =>
      call.once(async (tx) => {
        const { item, inspection } = await lockItem(tx, call.company.id, Number(call.body.itemId))
        const { id } = await attach(tx, received, item.id)
        const subject = { kind: 'inspection' as const, id: inspection.number }
        const detail = { item: item.title, file: received.name }
        await call.audit(tx, { action: 'inspection.photo_added', subject, detail })
        return uploadResponse(id, received)
      }),
    ),
  ),
  implement(removeItemPhoto, (call) =>
    removePhoto(call, async (tx) => {
      const { itemId, photoId } = call.body
      const { item, inspection } = await lockItem(tx, call.company.id, itemId)
      const { name } = await photoOf(tx, itemPhotos, call.company.id, itemId, photoId)
      // Photos of a failed item can't be removed, because its work order shows them.
      if (item.status === 'failed')
        throw conflict(
          'wrong_status',
          'You cannot remove this photo because the work order for the failed item uses it.',
        )
      const subject = { kind: 'inspection' as const, id: inspection.number }
      await call.audit(tx, { action: 'inspection.photo_removed', subject, detail: { item: item.title, file: name } })
    }),
  ),
  fileCall(downloadItemPhoto, (call) =>
    call.inCompany((tx) => photoOf(tx, itemPhotos, call.company.id, call.body.itemId, call.body.photoId)),
  ),
]
