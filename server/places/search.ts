import type { Schema } from '../db/schema.ts'
import { sql } from 'kysely'
import type { AddressMatch, AddressResult } from '../../shared/places.ts'
import { say } from '../../shared/messages.ts'
import type { CompanyId, Tx } from '../tenancy.ts'
import { isBesideName, readAddress, type ParsedAddress, streetCloseness } from './words.ts'

/** Maximum number of streets that the index search returns for detailed comparison. */
const CANDIDATES = 40
/**
 * Minimum score for accepting the matches from the index. If none reaches it, all streets of the company are compared.
 */
const GOOD = 0.8
/** Minimum score of a match. */
const MIN_SCORE = 0.55
const STREETS = 8
const OF_EACH_STREET = 8
const MAX_RESULTS = 8

interface Street {
  id: number
  name: string
  name_key: string
}

interface NearStreet extends Street {
  score: number
  unused: string[]
}

type AddressColumn =
  | 'id'
  | 'street_id'
  | 'house_number'
  | 'number'
  | 'unit'
  | 'city'
  | 'state'
  | 'zipcode'
  | 'lat'
  | 'lon'

export interface AddressRow extends Pick<Schema['found_address'], AddressColumn> {
  street: string
  x: number
  y: number
}

/** Formats an address as people write it: '214 Sycamore Lane, Unit 3, Maple Grove, PA 17011'. */
export const addressText = ({ house_number, street, unit, city, state, zipcode }: AddressRow): string =>
  [`${house_number} ${street}`.trim(), unit && say`Unit ${unit}`, city, `${state} ${zipcode}`.trim()]
    .filter(Boolean)
    .join(', ')

export const toAddressResult = (row: AddressRow): AddressResult => ({
  id: row.id,
  text: addressText(row),
  lat: row.lat,
  lon: row.lon,
  metres: { x: row.x, y: row.y },
})

/** Columns of every address query, which selects from `found_address a` and `found_street s`. */
export const addressColumns = sql`a.id, a.street_id, s.name AS street, a.house_number, a.number, a.unit, a.city, a.state, a.zipcode, a.lat, a.lon,
  (a.at)[0] AS x, (a.at)[1] AS y`

/**
 * Finds the addresses that a person may mean, best match first. Searches for similar street names first, then for the
 * house numbers. Tolerates other spellings, abbreviations, word orders and omissions, but not a wrong house number.
 */
export async function searchAddresses(tx: Tx, company: CompanyId, search: string): Promise<AddressMatch[]> {
  const query = readAddress(search)
  if (query.terms.length === 0) return []
  const streets = await nearStreets(tx, company, query.terms)
  if (streets.length === 0) return []
  const rows = await housesOn(tx, company, streets, query.number)
  const byId = new Map(streets.map((street) => [street.id, street]))
  const scored = rows.map((row) => ({ row, score: scoreOf(row, byId.get(row.street_id), query) }))
  const whole = rows.filter((row) => isTypedWhole(row, byId.get(row.street_id), query))
  return scored
    .toSorted((a, b) => b.score - a.score || a.row.number - b.row.number || a.row.id - b.row.id)
    .slice(0, MAX_RESULTS)
    .map(({ row }) => ({ ...toAddressResult(row), isMeant: whole.length === 1 && row === whole[0] }))
}

async function nearStreets(tx: Tx, company: CompanyId, terms: readonly string[]): Promise<NearStreet[]> {
  const own = terms.filter((word) => !isBesideName(word))
  const telling = (own.length > 0 ? own : terms).slice(0, 8)
  // Sends both statements together. The similarity threshold applies only to this transaction.
  const [, candidates] = await Promise.all([
    sql`SET LOCAL pg_trgm.word_similarity_threshold = 0.3`.execute(tx),
    sql<Street>`
      SELECT id, name, name_key FROM found_street
      WHERE company_id = ${company} AND (${sql.join(
        telling.map((word) => sql`name_key %> ${word}`),
        sql` OR `,
      )})
      ORDER BY ${sql.join(
        terms.slice(0, 12).map((word) => sql`word_similarity(${word}, name_key)`),
        sql` + `,
      )} DESC, length(name_key), id LIMIT ${CANDIDATES}`.execute(tx),
  ])
  const near = closestOf(candidates.rows, terms)
  if ((near[0]?.score ?? 0) >= GOOD) return near
  // If the person swapped letters in a short name, the name may share no trigram with the index. All streets are then
  // compared.
  const { rows } = await sql<Street>`SELECT id, name, name_key FROM found_street WHERE company_id = ${company}`.execute(
    tx,
  )
  return closestOf(rows, terms)
}

function closestOf(streets: readonly Street[], terms: readonly string[]): NearStreet[] {
  const near = streets.map((street) => ({ ...street, ...streetCloseness(terms, street.name_key.split(' ')) }))
  return near
    .filter(({ score }) => score >= MIN_SCORE)
    .toSorted((a, b) => b.score - a.score || a.unused.length - b.unused.length)
    .slice(0, STREETS)
}

/** Finds the addresses on these streets. For each street, the addresses with the nearest house numbers come first. */
async function housesOn(
  tx: Tx,
  company: CompanyId,
  streets: readonly NearStreet[],
  number: number | null,
): Promise<AddressRow[]> {
  const order = number === null ? sql`a.number, a.id` : sql`abs(a.number - ${number}::int), a.number, a.id`
  const { rows } = await sql<AddressRow>`
    SELECT ${addressColumns} FROM unnest(${streets.map(({ id }) => id)}::bigint[]) AS wanted(id)
    JOIN found_street s ON s.company_id = ${company} AND s.id = wanted.id
    CROSS JOIN LATERAL (
      SELECT * FROM found_address a WHERE a.company_id = ${company} AND a.street_id = wanted.id
      ORDER BY ${order} LIMIT ${OF_EACH_STREET}) a`.execute(tx)
  return rows
}

/** Returns the search words that match neither the street, the city nor the state. */
const unmatchedTerms = ({ city, state }: AddressRow, { unused }: NearStreet): string[] => {
  const cityTerms = new Set(`${city} ${state}`.toLowerCase().split(/\s+/))
  return unused.filter((word) => !cityTerms.has(word))
}

/**
 * True if the query matches the number, street and unit of this address exactly. An abbreviation matches its full word.
 * If the query has a ZIP code, it must match too.
 */
const isTypedWhole = (row: AddressRow, street: NearStreet | undefined, query: ParsedAddress): boolean =>
  street !== undefined &&
  street.score > 0.99 &&
  row.house_number.toUpperCase() === query.houseNumber &&
  row.unit.toUpperCase() === query.unit &&
  (query.zip === '' || query.zip === row.zipcode) &&
  unmatchedTerms(row, street).length === 0

function scoreOf(row: AddressRow, street: NearStreet | undefined, query: ParsedAddress): number {
  if (!street) return 0
  const away = query.number === null ? 0 : Math.abs(row.number - query.number)
  const context =
    query.number === null
      ? 0
      : away === 0
        ? 0.5
        : String(row.number).startsWith(String(query.number))
          ? 0.3
          : 0.1 / away
  const exactNumber =
    query.number !== null && away === 0 && row.house_number.toUpperCase() === query.houseNumber ? 0.05 : 0
  const zip = query.zip === '' ? 0 : row.zipcode === query.zip ? 0.15 : -0.1
  const unit = query.unit === '' ? (row.unit === '' ? 0.02 : 0) : row.unit.toUpperCase() === query.unit ? 0.1 : -0.05
  return street.score + context + exactNumber + zip + unit - 0.08 * unmatchedTerms(row, street).length
}

const beginsWith = (terms: readonly string[], first: readonly string[]): boolean =>
  first.every((word, at) => terms[at] === word)

/**
 * Finds the address that a text spells out. The house number, unit, street and all other parts of the text must match.
 * Null if the match is only similar or is ambiguous.
 */
export async function addressSpelledOut(tx: Tx, company: CompanyId, text: string): Promise<AddressResult | null> {
  const query = readAddress(text)
  const isMeant = (address: AddressResult): boolean => {
    const whole = readAddress(address.text)
    const street = readAddress(address.text.split(',')[0] ?? '').terms
    return (
      query.houseNumber === whole.houseNumber &&
      query.unit === whole.unit &&
      (query.zip === '' || query.zip === whole.zip) &&
      beginsWith(query.terms, street) &&
      beginsWith(whole.terms, query.terms)
    )
  }
  const [only, other] = (await searchAddresses(tx, company, text)).filter(isMeant)
  return only && !other ? only : null
}
