import { sql } from 'kysely'
import { implement } from '../../../server/call.ts'
import { notFound } from '../../../server/errors.ts'
import { zonesAt } from '../../../server/places/at-point.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { returnProperty } from '../contract.ts'
import { isAt, owedOn } from './list-properties.ts'

type Property = ResponseOf<typeof returnProperty>

interface PropertyRow extends Omit<Property, 'zones' | 'accounts' | 'openItems'> {
  x: number
  y: number
}

/** Returns a property with its current and past water accounts, and the open items for its number, such as taxes. */
export const propertyCall = implement(returnProperty, (call) => {
  const company = call.company.id
  const parcel = sql`(SELECT * FROM found_parcel WHERE company_id = ${company} AND id = ${call.body.parcelId})`
  return call.reading(async (tx) => {
    const { rows } = await sql<PropertyRow>`
      SELECT p.parcel_number AS number, p.address, p.owner_name AS owner, p.land_use AS "landUse", p.lat, p.lon, p.outline,
        (p.at)[0] AS x, (p.at)[1] AS y FROM ${parcel} p`.execute(tx)
    const [row] = rows
    if (!row) throw notFound('This property was not found. It may have been removed by the last import.')
    const { x, y, ...columns } = row
    const accounts = await sql<Property['accounts'][number]>`
      SELECT a.id, a.account_number AS number, a.customer_name AS name, a.service_address AS address, ${owedOn} AS "owedCents",
        (SELECT min(b.period_start) FROM utility_bill b WHERE b.company_id = a.company_id AND b.account_id = a.id) AS since,
        (SELECT max(b.period_end) FROM utility_bill b WHERE b.company_id = a.company_id AND b.account_id = a.id) AS until
      FROM ${parcel} p JOIN found_utility_account a ON a.company_id = p.company_id AND ${isAt(sql`p`)}
      ORDER BY until DESC NULLS LAST, a.account_number`.execute(tx)
    const items = await sql<Property['openItems'][number]>`
      SELECT t.title, coalesce(c.item_number, '') AS number, c.payer_name AS name, c.due_date AS "dueDate",
        (c.amount_cents - c.paid_cents)::bigint AS "owedCents"
      FROM ${parcel} p JOIN payment_type t ON t.company_id = p.company_id
      JOIN general_charge c ON c.company_id = t.company_id AND c.type_id = t.id AND c.item_key = lower(p.number_key)
      WHERE c.paid_cents < c.amount_cents ORDER BY c.due_date NULLS LAST, c.id`.execute(tx)
    return { ...columns, zones: await zonesAt(tx, company, { x, y }), accounts: accounts.rows, openItems: items.rows }
  })
})
