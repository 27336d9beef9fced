import type { Attachments } from '../../shared/attachments.ts'
import type { Photo } from '../../shared/photos.ts'
import { type Call } from '../call.ts'
import { notFound } from '../errors.ts'
import type { CompanyId, Tx } from '../tenancy.ts'
import { previewOf, removeFiles } from './keep.ts'

type Use = Pick<Attachments, 'kind' | 'subject'>

/**
 * Photos that staff attach to a subject, such as a work order. All types of subjects use these functions to list, find
 * and remove photos.
 */

/** Lists the photos of subjects by subject id, in upload order. */
export async function photosOf(tx: Tx, use: Use, company: CompanyId, subjects: readonly number[]) {
  const photosBySubject = new Map<number, Photo[]>()
  if (subjects.length === 0) return photosBySubject
  const rows = await tx
    .selectFrom('attachment')
    .select(['id', 'subject_id', 'name', 'state', 'preview'])
    .where('company_id', '=', company)
    .where('kind', '=', use.kind)
    .where('subject_kind', '=', use.subject)
    .where('subject_id', 'in', subjects)
    .orderBy('nth')
    .execute()
  for (const { id, subject_id, name, state, preview } of rows) {
    const photo = { id, name, state, preview: previewOf({ state, preview }) }
    photosBySubject.set(subject_id, [...(photosBySubject.get(subject_id) ?? []), photo])
  }
  return photosBySubject
}

/**
 * Finds one photo.
 * @throws 404 if the photo does not exist or belongs to another subject
 */
export async function photoOf(tx: Tx, use: Use, company: CompanyId, subject: number, id: string) {
  const file = await tx
    .selectFrom('attachment')
    .where('company_id', '=', company)
    .where('kind', '=', use.kind)
    .where('subject_kind', '=', use.subject)
    .where('subject_id', '=', subject)
    .where('id', '=', id)
    .select(['path', 'name', 'content_type', 'state', 'preview'])
    .executeTakeFirst()
  if (!file) throw notFound('This photo was not found.')
  return file
}

/** Deletes a photo in the same transaction as `work`. Removes the file from the store after the commit. */
export async function removePhoto<Body extends { photoId: string }>(call: Call<Body>, work: (tx: Tx) => Promise<void>) {
  const removed = await call.inCompany(async (tx) => {
    await work(tx)
    return tx
      .deleteFrom('attachment')
      .where('company_id', '=', call.company.id)
      .where('id', '=', call.body.photoId)
      .returning('path')
      .execute()
  })
  await removeFiles(call.context, removed)
  return { success: true as const, message: 'The photo was removed.' }
}
