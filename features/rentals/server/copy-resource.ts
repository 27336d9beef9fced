import { implementCopy } from '../../../server/copies.ts'
import { workOf } from '../../../server/fields/calls.ts'
import { copyFieldSet } from '../../../server/fields/sets.ts'
import { copyResource } from '../contract.ts'
import { resourcePhotos } from '../contract-photos.ts'
import { findResource, type Resource, spacesOf } from './resources.ts'

/**
 * Copies a resource with its prices, seasons, rules, spaces, questions and photos. The copy is a draft without closures
 * and reservations. It has no door, because a code for the copy must not open the original.
 */
export const copyResourceCall = implementCopy<Resource>(copyResource, {
  read: findResource,
  names: { table: 'rental_resource', column: 'name', maxLength: 80 },
  nameOf: ({ name }) => name,
  audit: { action: 'rental.resource_added', subject: 'rental_resource' },
  async create({ call, tx, company, from, name, copyFiles }, { id: _id, ...source }) {
    const set = source.field_set_id
    const { id } = await tx
      .insertInto('rental_resource')
      .values({
        ...source,
        ...{ name, status: 'draft' as const, door: '', created_at: call.context.clock.now() },
        ...{ seasons: JSON.stringify(source.seasons), addons: JSON.stringify(source.addons) },
        field_set_id: set === null ? null : await copyFieldSet(workOf(call, tx), set, name),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const copies = new Map<number, number>()
    // The space of the whole resource comes before its parts.
    for (const { id: space, parent_id, ...of } of await spacesOf(tx, company, from)) {
      const parent = parent_id === null ? null : (copies.get(parent_id) ?? null)
      const copy = await tx
        .insertInto('rental_space')
        .values({ ...of, resource_id: id, parent_id: parent })
        .returning('id')
        .executeTakeFirstOrThrow()
      copies.set(space, copy.id)
    }
    const files = await copyFiles(resourcePhotos, from, id)
    const photos = await tx
      .selectFrom('rental_photo')
      .selectAll()
      .where('company_id', '=', company)
      .where('resource_id', '=', from)
      .execute()
    const rows = photos.flatMap((photo) => {
      const file_id = files.get(photo.file_id)
      return file_id === undefined ? [] : [{ ...photo, file_id, resource_id: id }]
    })
    if (rows.length > 0) await tx.insertInto('rental_photo').values(rows).execute()
    return id
  },
})
