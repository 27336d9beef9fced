import { sql } from 'kysely'
import {
  attach,
  downloadOf,
  expectReady,
  findFileById,
  previewOf,
  receiveFile,
  removeFiles,
  takenAs,
} from '../../../server/attachments/keep.ts'
import { partCalls } from '../../../server/attachments/parts.ts'
import { type Call, implement } from '../../../server/call.ts'
import { notFound } from '../../../server/errors.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { addPhoto, downloadPhoto, removePhoto, ticketFile, ticketPhotos } from '../contract.ts'
import { lockTicket } from './tickets.ts'

interface Photo {
  id: string
  name: string
  state: 'waiting' | 'clean' | 'refused'
  preview: string | null
}

/** The photos of a ticket, with small pictures of them. */
export async function photosOf(tx: Tx, company: CompanyId, ticketId: number): Promise<Photo[]> {
  const rows = await tx
    .selectFrom('attachment')
    .select(['id', 'name', 'state', 'preview'])
    .where('company_id', '=', company)
    .where('kind', '=', ticketPhotos.kind)
    .where('subject_kind', '=', ticketPhotos.subject)
    .where('subject_id', '=', ticketId)
    .orderBy('nth')
    .execute()
  return rows.map(({ id, name, state, preview }) => ({ id, name, state, preview: previewOf({ state, preview }) }))
}

/** One of them. @throws 404 */
export async function photoOf(tx: Tx, company: CompanyId, ticketId: number, id: string) {
  const { rows } = await sql`
    SELECT 1 FROM attachment WHERE company_id = ${company} AND id = ${id} AND subject_kind = ${ticketPhotos.subject}
      AND subject_id = ${ticketId}`.execute(tx)
  if (rows.length === 0) throw notFound('This photo was not found.')
  return findFileById(tx, ticketPhotos, company, id)
}

const asked = (call: Call<{ ticketId: number; photoId: string }>) =>
  call.inCompany((tx) => photoOf(tx, call.company.id, call.body.ticketId, call.body.photoId))

export const photoCalls = [
  ...partCalls(ticketPhotos),
  ...partCalls(ticketFile),
  implement(addPhoto, (call) =>
    receiveFile(call, ticketPhotos, call.company.id, (received) =>
      call.inCompany(async (tx) => {
        const ticket = await lockTicket(tx, call.company.id, Number(call.body.ticketId))
        const { id } = await attach(tx, received, ticket.id)
        const subject = { kind: 'parking_ticket' as const, id: ticket.citation }
        await call.audit(tx, { action: 'parking.photo_added', subject, detail: { file: received.name } })
        return takenAs(id, received)
      }),
    ),
  ),
  implement(removePhoto, async (call) => {
    const { ticketId, photoId } = call.body
    const removed = await call.inCompany(async (tx) => {
      const ticket = await lockTicket(tx, call.company.id, ticketId)
      const { name } = await photoOf(tx, call.company.id, ticketId, photoId)
      const rows = await tx
        .deleteFrom('attachment')
        .where('company_id', '=', call.company.id)
        .where('id', '=', photoId)
        .returning('path')
        .execute()
      const subject = { kind: 'parking_ticket' as const, id: ticket.citation }
      await call.audit(tx, { action: 'parking.photo_removed', subject, detail: { file: name } })
      return rows
    })
    await removeFiles(call.house, removed)
    return { success: true as const, message: 'The photo was removed.' }
  }),
  implement(
    downloadPhoto,
    async (call) => downloadOf(call.house, await asked(call)),
    async (call) => void expectReady(await asked(call)),
  ),
]
