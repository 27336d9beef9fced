import { attach, fileCall, receiveFile, uploadResponse } from '../../../server/attachments/keep.ts'
import { partCalls } from '../../../server/attachments/parts.ts'
import { photoOf, removePhoto } from '../../../server/attachments/photos.ts'
import { implement } from '../../../server/call.ts'
import { addPhoto, downloadPhoto, removePhoto as removeTicketPhoto, ticketFile, ticketPhotos } from '../contract.ts'
import { lockTicket } from './tickets.ts'

export const photoCalls = [
  ...partCalls(ticketPhotos),
  ...partCalls(ticketFile),
  implement(addPhoto, (call) =>
    receiveFile(call, ticketPhotos, call.company.id, (received) =>
      call.inCompany(async (tx) => {
        const ticket = await lockTicket(tx, call.company.id, Number(call.body.ticketId))
        const { id } = await attach(tx, received, ticket.id)
        const subject = { kind: 'parking_ticket' as const, id: ticket.citation_number }
        await call.audit(tx, { action: 'parking.photo_added', subject, detail: { file: received.name } })
        return uploadResponse(id, received)
      }),
    ),
  ),
  implement(removeTicketPhoto, (call) =>
    removePhoto(call, async (tx) => {
      const { ticketId, photoId } = call.body
      const ticket = await lockTicket(tx, call.company.id, ticketId)
      const { name } = await photoOf(tx, ticketPhotos, call.company.id, ticketId, photoId)
      const subject = { kind: 'parking_ticket' as const, id: ticket.citation_number }
      await call.audit(tx, { action: 'parking.photo_removed', subject, detail: { file: name } })
    }),
  ),
  fileCall(downloadPhoto, (call) =>
    call.inCompany((tx) => photoOf(tx, ticketPhotos, call.company.id, call.body.ticketId, call.body.photoId)),
  ),
]
