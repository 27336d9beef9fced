import { type RawBuilder, sql } from 'kysely'
import { implementList } from '../../../server/list.ts'
import { allOf, hasPart, matchesSearch, searchTerms } from '../../../server/list-sql.ts'
import { propertyCustomers } from '../list.ts'

const accountAddress = sql`lower(a.service_address) COLLATE "C"`

/**
 * True if account `a` is at the parcel's address or at a unit of that address. The prefix condition uses an index. The
 * last condition excludes names such as "12 Elm Streetfield".
 */
export const isAt = (parcel: RawBuilder<unknown>): RawBuilder<boolean> => sql<boolean>`(
  ${parcel}.address <> '' AND ${accountAddress} >= lower(${parcel}.address) COLLATE "C"
  AND ${accountAddress} < (lower(${parcel}.address) || '~') COLLATE "C"
  AND substr(lower(a.service_address), length(${parcel}.address) + 1) ~ '^($|,| #| apt| unit| suite| lot)')`

/** Amount due on account `a`. Negative is a credit. */
export const owedOn = sql<number>`(
  (SELECT coalesce(sum(amount_cents - paid_elsewhere_cents), 0) FROM utility_bill b WHERE b.company_id = a.company_id AND b.account_id = a.id)
  - (SELECT coalesce(sum(CASE kind WHEN 'credit' THEN amount_cents ELSE -amount_cents END), 0) FROM remittance m
     WHERE m.company_id = a.company_id AND m.account_id = a.id))::bigint`

/** Selects parcels by location, because a zone may cover any part of a company's area. */
const inZone = (company: number | undefined, zone: string) => sql`r.id = ANY (ARRAY(
  SELECT p.id FROM zone z
  JOIN zone_ring border ON border.company_id = z.company_id AND border.zone_id = z.id AND border.ring = 0
  JOIN found_parcel p ON p.company_id = z.company_id AND p.at <@ border.shape
  WHERE z.company_id = ${company} AND ${hasPart(sql`z.name`, zone)} AND NOT EXISTS (
    SELECT FROM zone_ring hole WHERE hole.company_id = border.company_id AND hole.zone_id = border.zone_id
      AND hole.part = border.part AND hole.ring > 0 AND p.at <@ hole.shape)))`

export const propertyCalls = implementList(propertyCustomers, {
  table: sql`found_parcel`,
  joins: sql`LEFT JOIN LATERAL (
    SELECT string_agg(a.customer_name, ', ' ORDER BY a.account_number) AS customers,
      string_agg(a.account_number, ', ' ORDER BY a.account_number) AS accounts, sum(${owedOn})::bigint AS owed
    FROM found_utility_account a WHERE a.company_id = r.company_id AND ${isAt(sql`r`)}) AS u ON true`,
  columns: {
    parcel: 'parcel_number',
    address: 'address',
    owner: 'owner_name',
    landUse: 'land_use',
    customers: sql`coalesce(u.customers, '')`,
    accounts: sql`coalesce(u.accounts, '')`,
    owedCents: sql`u.owed`,
  },
  filters: {
    // The first condition uses the index. The second narrows its result to the address.
    street: (street) =>
      allOf(
        searchTerms(street).map(
          (word) => sql`${hasPart(sql`r.search_text`, word)} AND ${hasPart(sql`r.address`, word)}`,
        ),
      ),
    zone: (zone, query) => inZone(query.company?.id, zone),
  },
  search: (text) => matchesSearch(sql`r.search_text`, text),
  row: () => ({ can: { view: true } }),
  unindexed: { zone: 'A zone can cover any part of a municipality. The zone filter selects parcels by location.' },
  exported: 'export.properties',
})
