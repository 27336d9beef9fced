import { sql } from 'kysely'
import { say } from '../../../shared/messages.ts'
import { matchesSearch } from '../../../server/list-sql.ts'
import { locationFromRow } from '../../../server/places/stored-location.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { defineWorkOrderAsset, ordersOn } from '../../work-orders/api.ts'
import { HYDRANT, HYDRANTS_PATH } from '../rules.ts'

/** Label of a hydrant in work orders and inspections. */
const nameOf = (number: string): string => say`Hydrant ${number}`

const MAX_ORDERS = 20

/** Registers hydrants as work order assets, identified by their number. */
defineWorkOrderAsset({
  kind: HYDRANT,
  search: async (tx, company, searchText, max) => {
    // A hydrant's search text has only the number, so the search removes the label "Hydrant" before the number.
    const label = nameOf('').trim().toLowerCase()
    const numberText = searchText.toLowerCase().startsWith(label) ? searchText.slice(label.length).trim() : searchText
    const { rows } = await sql<{ number: string; location: string }>`
      SELECT number, location FROM found_hydrant r
      WHERE r.company_id = ${company} AND r.service <> 'retired' AND ${matchesSearch(sql`r.search_text`, numberText.toLowerCase())}
      ORDER BY number LIMIT ${max}`.execute(tx)
    return rows.map(({ number, location }) => ({ name: nameOf(number), location }))
  },
  named: async (tx, company, name) => {
    const row = await tx
      .selectFrom('hydrant')
      .selectAll()
      .where('company_id', '=', company)
      // A hydrant number has no spaces, so it is the last word of the label.
      .where('number', '=', name.split(' ').at(-1)?.toUpperCase() ?? '')
      .where('service', '<>', 'retired')
      .executeTakeFirst()
    if (!row || nameOf(row.number).toLowerCase() !== name.toLowerCase()) return null
    return { id: row.id, name: nameOf(row.number), location: locationFromRow(row) }
  },
  path: (id) => `${HYDRANTS_PATH}?hydrant=${id}`,
})

export const ordersOnHydrant = (tx: Tx, company: CompanyId, id: number) =>
  ordersOn(tx, company, { kind: HYDRANT, id }, MAX_ORDERS)
