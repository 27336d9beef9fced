import { sql } from 'kysely'
import {
  attach,
  downloadOf,
  expectReady,
  findFileById,
  receiveFile,
  removeFiles,
  takenAs,
} from '../../../server/attachments/keep.ts'
import { partCalls } from '../../../server/attachments/parts.ts'
import { type Call, implement } from '../../../server/call.ts'
import { conflict, notFound } from '../../../server/errors.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { addItemPhoto, downloadItemPhoto, itemPhotos, removeItemPhoto } from '../contract.ts'
import { lockItem } from './inspections.ts'

async function photoOf(tx: Tx, company: CompanyId, itemId: number, id: string) {
  const { rows } = await sql`
    SELECT 1 FROM attachment WHERE company_id = ${company} AND id = ${id} AND subject_kind = ${itemPhotos.subject}
      AND subject_id = ${itemId}`.execute(tx)
  if (rows.length === 0) throw notFound('This photo was not found.')
  return findFileById(tx, itemPhotos, company, id)
}

const asked = (call: Call<{ itemId: number; photoId: string }>) =>
  call.inCompany((tx) => photoOf(tx, call.company.id, call.body.itemId, call.body.photoId))

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
        return takenAs(id, received)
      }),
    ),
  ),
  implement(removeItemPhoto, async (call) => {
    const { itemId, photoId } = call.body
    const removed = await call.inCompany(async (tx) => {
      const { item, inspection } = await lockItem(tx, call.company.id, itemId)
      const { name } = await photoOf(tx, call.company.id, itemId, photoId)
      // A photo of what failed is what its work order shows.
      if (item.status === 'failed')
        throw conflict('wrong_status', 'A photo of what failed is kept with its work order.')
      const rows = await tx
        .deleteFrom('attachment')
        .where('company_id', '=', call.company.id)
        .where('id', '=', photoId)
        .returning('path')
        .execute()
      const subject = { kind: 'inspection' as const, id: inspection.number }
      await call.audit(tx, { action: 'inspection.photo_removed', subject, detail: { item: item.title, file: name } })
      return rows
    })
    await removeFiles(call.house, removed)
    return { success: true as const, message: 'The photo was removed.' }
  }),
  implement(
    downloadItemPhoto,
    async (call) => downloadOf(call.house, await asked(call)),
    async (call) => void expectReady(await asked(call)),
  ),
]
