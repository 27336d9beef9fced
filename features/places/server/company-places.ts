import { createReadStream } from 'node:fs'
import { sql } from 'kysely'
import { attach, type ReceivedFile, scanFile } from '../../../server/attachments/keep.ts'
import { type Call, implement, signedIn } from '../../../server/call.ts'
import { notFound, rejected } from '../../../server/errors.ts'
import { columnsInput } from '../../../server/import-columns.ts'
import { importSource } from '../../../server/imported-rows.ts'
import { importPlaces as importFile } from '../../../server/places/import.ts'
import { validateMap, mapFiles } from '../../../server/places/map-file.ts'
import { originOf } from '../../../server/places/at-point.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { may } from '../../../shared/privileges.ts'
import { importPlaces, placeCounts, removeCompanyMap, saveCompanyMap } from '../contract.ts'

export const placeCountsCall = implement(placeCounts, async (call) => {
  const company = call.company.id
  const { privileges } = signedIn(call)
  return call.inCompany(async (tx) => {
    const { rows } = await sql<Record<'addresses' | 'parcels' | 'streets' | 'zones', number>>`
      SELECT (SELECT count(*)::int FROM address WHERE company_id = ${company}) AS addresses,
        (SELECT count(*)::int FROM parcel WHERE company_id = ${company}) AS parcels,
        (SELECT count(*)::int FROM street WHERE company_id = ${company}) AS streets,
        (SELECT count(*)::int FROM zone WHERE company_id = ${company}) AS zones`.execute(tx)
    const map = await tx
      .selectFrom('company_map as m')
      .innerJoin('attachment as f', (on) =>
        on.onRef('f.company_id', '=', 'm.company_id').onRef('f.id', '=', 'm.file_id'),
      )
      .select(['f.name', 'f.bytes', 'f.created_at'])
      .where('m.company_id', '=', company)
      .executeTakeFirst()
    return {
      ...(rows[0] ?? { addresses: 0, parcels: 0, streets: 0, zones: 0 }),
      map: map ? { name: map.name, bytes: map.bytes, since: map.created_at.toISOString() } : null,
      can: {
        upload: may(privileges, 'places', 'create'),
        removeMap: may(privileges, 'places', 'delete') && map !== undefined,
      },
    }
  })
})

export const importPlacesCall = implement(importPlaces, (call) => {
  const { context, company, body, largeFile } = call
  const { kind, mode, rowErrors, digest } = body
  const input = {
    kind,
    mode,
    rowErrors,
    digest,
    file: largeFile.path,
    columns: columnsInput(call),
    source: importSource(call, kind, largeFile),
  }
  return importFile({ inCompany: context.inCompany, clock: context.clock }, company.id, call, input)
})

/**
 * Saves the map file and shows it immediately. The previous file stays in the company's files, as previous logos do.
 */
export const saveCompanyMapCall = implement(saveCompanyMap, async (call) => {
  const { context, company, largeFile } = call
  const covers = await validateMap(company.id, largeFile.path)
  const name = largeFile.name.slice(0, 200)
  const content = () => createReadStream(largeFile.path)
  const state = await scanFile(call, mapFiles, company.id, { name, content })
  const storedFile = await context.files.write(company.id, content())
  const received: ReceivedFile = {
    ...storedFile,
    call,
    use: mapFiles,
    owner: company.id,
    name,
    contentType: 'application/vnd.pmtiles',
    preview: null,
    takenAt: null,
    state,
  }
  try {
    await call.inCompany(async (tx) => {
      const origin = await originOf(tx, company.id)
      if (!origin)
        throw rejected('Import addresses, streets or zones first. They define the location of the municipality.')
      const { lat, lon } = origin
      if (lat < covers.south || lat > covers.north || lon < covers.west || lon > covers.east)
        throw rejected('This map shows a different area. Choose a map that includes the municipality.')
      await lockMap(tx, company.id)
      const { id } = await attach(tx, received, company.id)
      await showMap(call, tx, id)
      await call.audit(tx, { action: 'places.map_saved', detail: { file: largeFile.name, bytes: storedFile.bytes } })
    })
  } catch (error) {
    await context.files.remove(storedFile.path)
    throw error
  }
  return { success: true as const, message: 'The map is now in use.' }
})

export const removeCompanyMapCall = implement(removeCompanyMap, async (call) => {
  await call.inCompany(async (tx) => {
    const changed = await showMap(call, tx, null)
    if (!changed) throw notFound('The municipality has no map file.')
    await call.audit(tx, { action: 'places.map_removed' })
  })
  return { success: true as const, message: 'The map file was removed. The map now shows the imported streets.' }
})

/** Locks the company's map row, so that parallel uploads run one after another and the count of maps stays correct. */
const lockMap = (tx: Tx, company: CompanyId) =>
  tx.selectFrom('company_map').select('company_id').where('company_id', '=', company).forUpdate().execute()

async function showMap(call: Call, tx: Tx, map: string | null) {
  const changes = tx.updateTable('company_map').set({ file_id: map }).where('company_id', '=', call.company.id)
  const { numUpdatedRows } = await (map ? changes : changes.where('file_id', 'is not', null)).executeTakeFirst()
  return numUpdatedRows > 0n
}
