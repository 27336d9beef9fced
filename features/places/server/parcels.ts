import { sql } from 'kysely'
import { changeRow } from '../../../server/db/rows.ts'
import { type Call, implement } from '../../../server/call.ts'
import { applyEdit, editBy } from '../../../server/edits.ts'
import { notFound } from '../../../server/errors.ts'
import { implementList } from '../../../server/list.ts'
import { zonesAt } from '../../../server/places/at-point.ts'
import type { Position } from '../../../shared/places.ts'
import { may } from '../../../shared/privileges.ts'
import { say } from '../../../shared/messages.ts'
import { returnParcel, saveParcel } from '../contract.ts'
import { parcels } from '../list.ts'

const mayEdit = ({ session }: Call) => may(session?.privileges ?? {}, 'places', 'update')

export const parcelsCalls = implementList(parcels, {
  table: sql`found_parcel`,
  columns: { number: 'parcel_number', address: 'address', owner: 'owner_name', landUse: 'land_use' },
  search: sql`r.search_text`,
  row: (_row, call) => ({ can: { view: true, edit: mayEdit(call) } }),
  exported: 'export.parcels',
})

const unknown = () =>
  notFound('This parcel was not found. The list may have changed since you loaded it. Reload the list.')

interface ParcelRow {
  id: number
  number: string
  address: string
  owner: string
  landUse: string
  lat: number
  lon: number
  outline: Position[][][]
  x: number
  y: number
}

export const parcelCall = implement(returnParcel, async (call) => {
  const company = call.company.id
  return call.inCompany(async (tx) => {
    const { rows } = await sql<ParcelRow>`
      SELECT id, parcel_number AS number, address, owner_name AS owner, land_use AS "landUse", lat, lon,
        outline, (at)[0] AS x, (at)[1] AS y FROM parcel
      WHERE company_id = ${company} AND id = ${call.body.parcelId}`.execute(tx)
    const [row] = rows
    if (!row) throw unknown()
    const { x, y, ...parcel } = row
    return { ...parcel, can: { edit: mayEdit(call) }, zones: await zonesAt(tx, company, { x, y }) }
  })
})

export const saveParcelCall = implement(saveParcel, async (call) => {
  const { parcelId, basis, address, owner, landUse } = call.body
  const company = call.company.id
  return call.inCompany(async (tx) => {
    const row = await tx
      .selectFrom('parcel')
      .select(['parcel_number', 'address', 'owner_name as owner', 'land_use as landUse'])
      .where('company_id', '=', company)
      .where('id', '=', parcelId)
      .forUpdate()
      .executeTakeFirst()
    if (!row) throw unknown()
    const { parcel_number: number, ...before } = row
    const edit = editBy(tx, call, `parcel ${parcelId}`)
    const { after, isChanged } = await applyEdit(edit, { basis, own: { address, owner, landUse }, before })
    if (isChanged) {
      await changeRow(tx, 'parcel', company, parcelId, {
        address: after.address,
        owner_name: after.owner,
        land_use: after.landUse,
      })
      await call.audit(tx, {
        action: 'parcel.changed',
        subject: { kind: 'parcel', id: number },
        detail: { before, after },
      })
    }
    return { success: true as const, message: say`Parcel ${number} saved.` }
  })
})
