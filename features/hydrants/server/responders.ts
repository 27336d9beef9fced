import { sql } from 'kysely'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { may } from '../../../shared/privileges.ts'
import { implement, signedIn } from '../../../server/call.ts'
import { METRES_PER_FOOT } from '../../../shared/units.ts'
import { resolveLocation } from '../../../server/places/at-point.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { atAddress, hydrantMap } from '../contract.ts'

const NEAREST = 6
/**
 * Maximum distance between a note and the requested location, in meters. A house may be far behind its gate at the
 * street.
 */
const NOTE_METRES = 80

type AtAddressResponse = ResponseOf<typeof atAddress>

export const mapCall = implement(hydrantMap, (call) =>
  call.reading(async (tx) => {
    const { rows } = await sql<ResponseOf<typeof hydrantMap>['hydrants'][number]>`
      SELECT id, number, lat, lon, flow_class AS "flowClass", service FROM hydrant
      WHERE company_id = ${call.company.id} AND lat IS NOT NULL AND service <> 'retired' ORDER BY number LIMIT 10000`.execute(
      tx,
    )
    return { hydrants: rows }
  }),
)

export const atAddressCall = implement(atAddress, (call) =>
  call.reading(async (tx) => {
    const company = call.company.id
    const { metres, addressId, text } = await resolveLocation(tx, company, call.body.location)
    const mayView = may(signedIn(call).privileges, 'premise_notes', 'view')
    const at = metres && sql`point(${metres.x}::float8, ${metres.y}::float8)`
    const near = at ? sql`(at <-> ${at}) <= ${NOTE_METRES}` : sql`false`
    const same = sql`(${near} OR address_id = ${addressId}::bigint OR lower(location) = lower(${text}))`
    return {
      isLocated: metres !== null,
      hydrants: at ? await nearest(tx, company, at) : [],
      notes: mayView ? await notesAt(tx, company, same) : null,
    }
  }),
)

/** Finds the nearest hydrants by straight-line distance, not by road. */
async function nearest(tx: Tx, company: CompanyId, at: ReturnType<typeof sql>): Promise<AtAddressResponse['hydrants']> {
  const { rows } = await sql<AtAddressResponse['hydrants'][number]>`
    SELECT id, number, location, round((at <-> ${at}) / ${METRES_PER_FOOT}::float8)::int AS feet, available_gpm AS "availableGpm",
      flow_class AS "flowClass", service
    FROM hydrant WHERE company_id = ${company} AND at IS NOT NULL AND service <> 'retired'
    ORDER BY at <-> ${at} LIMIT ${NEAREST}`.execute(tx)
  return rows
}

async function notesAt(tx: Tx, company: CompanyId, here: ReturnType<typeof sql>) {
  const { rows } = await sql<NonNullable<AtAddressResponse['notes']>[number]>`
    SELECT id, kind, location FROM premise_note WHERE company_id = ${company} AND NOT is_ended AND ${here}
    ORDER BY kind = 'hazard' DESC, id LIMIT 20`.execute(tx)
  return rows
}
