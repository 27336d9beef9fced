import { type RawBuilder, sql } from 'kysely'
import { implement, signedIn } from '../../../server/call.ts'
import { isText, pageOf, readCursor } from '../../../server/cursor.ts'
import { type Edit, mergeEdit, noteChanges } from '../../../server/edits.ts'
import { notFound } from '../../../server/errors.ts'
import { allOf, countUpTo, hasWords, walkOf } from '../../../server/list-sql.ts'
import { zonesAt } from '../../../server/places/at-point.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { same } from '../../../shared/edits.ts'
import type { BodyOf } from '../../../shared/endpoint.ts'
import type { Position } from '../../../shared/places.ts'
import { may, type Privileges } from '../../../shared/privileges.ts'
import { returnParcel, returnParcels, saveParcel } from '../contract.ts'

interface Row {
  id: number
  parcel_number: string
  address: string
  owner_name: string
  land_use: string
  lat: number
  lon: number
}

const COLUMNS = sql`id, parcel_number, address, owner_name, land_use, lat, lon`

const shown = (row: Row, privileges: Privileges) => ({
  id: row.id,
  number: row.parcel_number,
  address: row.address,
  owner: row.owner_name,
  landUse: row.land_use,
  lat: row.lat,
  lon: row.lon,
  can: { view: true, edit: may(privileges, 'parcel_registration', 'update') },
})

const matching = (company: CompanyId, search: string, more: readonly RawBuilder<unknown>[] = []) => sql`
  SELECT ${COLUMNS} FROM found_parcel
  WHERE ${allOf([sql`company_id = ${company}`, hasWords(sql`search_text`, search.toLowerCase()), ...more])}`

async function onePage(
  tx: Tx,
  company: CompanyId,
  { search, sort, direction, cursor, pageSize }: BodyOf<typeof returnParcels>,
) {
  const at = readCursor(cursor, isText)
  const { way, beyond } = walkOf(direction, at)
  const column = sql.ref(sort === 'address' ? 'address' : 'parcel_number')
  const from = at ? [sql`(${column}, id) ${beyond} (${at.key}, ${at.id})`] : []
  const { rows } = await sql<Row>`
    ${matching(company, search, from)} ORDER BY ${column} ${way}, id ${way} LIMIT ${pageSize + 1}`.execute(tx)
  return pageOf(rows, at, pageSize, (row) => (sort === 'address' ? row.address : row.parcel_number))
}

export const parcelsCall = implement(returnParcels, async (call) => {
  const company = call.company.id
  const { privileges } = signedIn(call)
  const [page, count] = await call.inCompany((tx) =>
    Promise.all([onePage(tx, company, call.body), countUpTo(tx, matching(company, call.body.search))]),
  )
  return { ...page, rows: page.rows.map((row) => shown(row, privileges)), count, totals: null }
})

const unknown = () =>
  notFound('This parcel was not found. It may have been in a list that is older than the last import.')

export const parcelCall = implement(returnParcel, async (call) => {
  const company = call.company.id
  return call.inCompany(async (tx) => {
    const { rows } = await sql<Row & { outline: Position[][][]; x: number; y: number }>`
      SELECT ${COLUMNS}, outline, (at)[0] AS x, (at)[1] AS y FROM parcel
      WHERE company_id = ${company} AND id = ${call.body.parcelId}`.execute(tx)
    const [row] = rows
    if (!row) throw unknown()
    return { ...shown(row, signedIn(call).privileges), outline: row.outline, zones: await zonesAt(tx, company, row) }
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
    const edit: Edit = { tx, clock: call.house.clock, doer: call, company, subject: `parcel ${parcelId}` }
    const after = await mergeEdit(edit, { basis, mine: { address, owner, landUse }, now: before })
    if (!same(before, after)) {
      await tx
        .updateTable('parcel')
        .set({ address: after.address, owner_name: after.owner, land_use: after.landUse })
        .where('company_id', '=', company)
        .where('id', '=', parcelId)
        .execute()
      await noteChanges(edit, before, after)
      await call.audit(tx, {
        action: 'parcel.changed',
        subject: { kind: 'parcel', id: number },
        detail: { before, after },
      })
    }
    return { success: true as const, message: `Parcel ${number} is saved.` }
  })
})
