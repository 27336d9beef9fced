import { createReadStream } from 'node:fs'
import { sql } from 'kysely'
import { type Call, implement, signedIn } from '../../../server/call.ts'
import { FileRefused } from '../../../server/csv-records.ts'
import { notFound, rejected } from '../../../server/errors.ts'
import { importPlaces as importFile } from '../../../server/places/import.ts'
import { judgeMap, MAP_PURPOSE } from '../../../server/places/map-file.ts'
import { originOf } from '../../../server/places/at-point.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { may } from '../../../shared/privileges.ts'
import { importPlaces, placesKnown, removeTownMap, saveTownMap } from '../contract.ts'

export const placesKnownCall = implement(placesKnown, async (call) => {
  const company = call.company.id
  const { privileges } = signedIn(call)
  return call.inCompany(async (tx) => {
    const { rows } = await sql<Record<'addresses' | 'parcels' | 'streets' | 'zones', number>>`
      SELECT (SELECT count(*)::int FROM address WHERE company_id = ${company}) AS addresses,
        (SELECT count(*)::int FROM parcel WHERE company_id = ${company}) AS parcels,
        (SELECT count(*)::int FROM street WHERE company_id = ${company}) AS streets,
        (SELECT count(*)::int FROM zone WHERE company_id = ${company}) AS zones`.execute(tx)
    const map = await tx
      .selectFrom('town_map as m')
      .innerJoin('stored_file as f', (on) =>
        on.onRef('f.company_id', '=', 'm.company_id').onRef('f.id', '=', 'm.file_id'),
      )
      .select(['m.file_name as name', 'f.bytes', 'f.created_at'])
      .where('m.company_id', '=', company)
      .executeTakeFirst()
    return {
      ...(rows[0] ?? { addresses: 0, parcels: 0, streets: 0, zones: 0 }),
      map: map ? { name: map.name, bytes: map.bytes, since: map.created_at.toISOString() } : null,
      can: {
        upload: may(privileges, 'upload_parcel', 'create'),
        removeMap: may(privileges, 'upload_parcel', 'delete') && map !== undefined,
      },
    }
  })
})

export const importPlacesCall = implement(importPlaces, async (call) => {
  const { house, company, body, largeFile } = call
  try {
    return await importFile({ inCompany: house.inCompany, clock: house.clock }, company.id, call, {
      kind: body.kind,
      file: largeFile.path,
      leaveOutWrong: body.wrongRows === 'leave out',
    })
  } catch (error) {
    throw error instanceof FileRefused ? rejected(error.message, { file: error.message }) : error
  }
})

/** Keeps the map file and shows it at once. The one before is kept with the town's files, as logos are. */
export const saveTownMapCall = implement(saveTownMap, async (call) => {
  const { house, company, largeFile } = call
  const covers = await judgeMap(largeFile.path)
  const { path, bytes, sha256 } = await house.files.write(company.id, createReadStream(largeFile.path))
  try {
    await call.inCompany(async (tx) => {
      const origin = await originOf(tx, company.id)
      if (!origin) throw rejected('Import addresses, streets or zones first: they say where the town is.')
      const { lat, lon } = origin
      if (lat < covers.south || lat > covers.north || lon < covers.west || lon > covers.east)
        throw rejected('This map shows another place: the town is not on it.')
      const { id } = await tx
        .insertInto('stored_file')
        .values({
          company_id: company.id,
          path,
          content_type: 'application/vnd.pmtiles',
          bytes,
          sha256,
          purpose: MAP_PURPOSE,
          created_by: signedIn(call).personId,
          created_at: house.clock.now(),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await showMap(call, tx, { id, name: largeFile.name })
      await call.audit(tx, { action: 'places.map_saved', detail: { file: largeFile.name, bytes } })
    })
  } catch (error) {
    await house.files.remove(path)
    throw error
  }
  return { success: true as const, message: 'The map is shown from now on.' }
})

export const removeTownMapCall = implement(removeTownMap, async (call) => {
  await call.inCompany(async (tx) => {
    const changed = await showMap(call, tx, null)
    if (!changed) throw notFound('The town has no map file.')
    await call.audit(tx, { action: 'places.map_removed' })
  })
  return { success: true as const, message: 'The map file is no longer shown. The streets are drawn instead.' }
})

async function showMap(call: Call, tx: Tx, map: { id: string; name: string } | null) {
  const changes = tx
    .updateTable('town_map')
    .set({ file_id: map?.id ?? null, file_name: map?.name.slice(0, 200) ?? '' })
    .where('company_id', '=', call.company.id)
  const { numUpdatedRows } = await (map ? changes : changes.where('file_id', 'is not', null)).executeTakeFirst()
  return numUpdatedRows > 0n
}
