import type { Schema } from '../db/schema.ts'
import { sql } from 'kysely'
import type { AddressMatch, FoundAddress } from '../../shared/places.ts'
import { say } from '../../shared/words.ts'
import type { CompanyId, Tx } from '../tenancy.ts'
import { isBesideName, readAddress, type ReadAddress, streetCloseness } from './words.ts'

/** Streets that are looked at closely, of those that the index finds. */
const CANDIDATES = 40
/** A town's streets are all compared where the index found none that is this close. */
const GOOD = 0.8
/** Less alike than this is another street. */
const LEAST = 0.55
const STREETS = 8
const OF_EACH_STREET = 8
const SHOWN = 8

interface Street {
  id: number
  name: string
  name_key: string
}

interface Near extends Street {
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

/** As people write it: '214 Sycamore Lane, Unit 3, Maple Grove, PA 17011'. */
export const addressText = ({ house_number, street, unit, city, state, zipcode }: AddressRow): string =>
  [`${house_number} ${street}`.trim(), unit && say`Unit ${unit}`, city, `${state} ${zipcode}`.trim()]
    .filter(Boolean)
    .join(', ')

export const shownAddress = (row: AddressRow): FoundAddress => ({
  id: row.id,
  text: addressText(row),
  lat: row.lat,
  lon: row.lon,
  metres: { x: row.x, y: row.y },
})

/** What every query of addresses answers, of `found_address a` and `found_street s`. */
export const addressColumns = sql`a.id, a.street_id, s.name AS street, a.house_number, a.number, a.unit, a.city, a.state, a.zipcode, a.lat, a.lon,
  (a.at)[0] AS x, (a.at)[1] AS y`

/**
 * The addresses that somebody means, the likeliest first: streets are found by words that are alike, then the house on
 * them. Spelling, abbreviations, the order of words and what is left out are forgiven; the house number is not.
 */
export async function searchAddresses(tx: Tx, company: CompanyId, search: string): Promise<AddressMatch[]> {
  const asked = readAddress(search)
  if (asked.words.length === 0) return []
  const streets = await nearStreets(tx, company, asked.words)
  if (streets.length === 0) return []
  const rows = await housesOn(tx, company, streets, asked.number)
  const byId = new Map(streets.map((street) => [street.id, street]))
  const scored = rows.map((row) => ({ row, score: scoreOf(row, byId.get(row.street_id), asked) }))
  const whole = rows.filter((row) => isTypedWhole(row, byId.get(row.street_id), asked))
  return scored
    .toSorted((a, b) => b.score - a.score || a.row.number - b.row.number || a.row.id - b.row.id)
    .slice(0, SHOWN)
    .map(({ row }) => ({ ...shownAddress(row), isMeant: whole.length === 1 && row === whole[0] }))
}

async function nearStreets(tx: Tx, company: CompanyId, words: readonly string[]): Promise<Near[]> {
  const own = words.filter((word) => !isBesideName(word))
  const telling = (own.length > 0 ? own : words).slice(0, 8)
  // Sent at once: how alike a word has to be holds for this transaction.
  const [, found] = await Promise.all([
    sql`SET LOCAL pg_trgm.word_similarity_threshold = 0.3`.execute(tx),
    sql<Street>`
      SELECT id, name, name_key FROM found_street
      WHERE company_id = ${company} AND (${sql.join(
        telling.map((word) => sql`name_key %> ${word}`),
        sql` OR `,
      )})
      ORDER BY ${sql.join(
        words.slice(0, 12).map((word) => sql`word_similarity(${word}, name_key)`),
        sql` + `,
      )} DESC, length(name_key), id LIMIT ${CANDIDATES}`.execute(tx),
  ])
  const near = closestOf(found.rows, words)
  if ((near[0]?.score ?? 0) >= GOOD) return near
  // Letters changed about in a short name leave nothing in common that an index knows.
  const { rows } = await sql<Street>`SELECT id, name, name_key FROM found_street WHERE company_id = ${company}`.execute(
    tx,
  )
  return closestOf(rows, words)
}

function closestOf(streets: readonly Street[], words: readonly string[]): Near[] {
  const near = streets.map((street) => ({ ...street, ...streetCloseness(words, street.name_key.split(' ')) }))
  return near
    .filter(({ score }) => score >= LEAST)
    .toSorted((a, b) => b.score - a.score || a.unused.length - b.unused.length)
    .slice(0, STREETS)
}

/** The houses of some streets, on each the nearest to the number first. */
async function housesOn(
  tx: Tx,
  company: CompanyId,
  streets: readonly Near[],
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

/** Words of the town itself, beside those of the street, tell nothing. */
const strangeWords = ({ city, state }: AddressRow, { unused }: Near): string[] => {
  const town = new Set(`${city} ${state}`.toLowerCase().split(/\s+/))
  return unused.filter((word) => !town.has(word))
}

/** Number, street and unit are this address's own, however they are abbreviated: nothing is left to guess. */
const isTypedWhole = (row: AddressRow, street: Near | undefined, asked: ReadAddress): boolean =>
  street !== undefined &&
  street.score > 0.99 &&
  row.house_number.toUpperCase() === asked.houseNumber &&
  row.unit.toUpperCase() === asked.unit &&
  (asked.zip === '' || asked.zip === row.zipcode) &&
  strangeWords(row, street).length === 0

function scoreOf(row: AddressRow, street: Near | undefined, asked: ReadAddress): number {
  if (!street) return 0
  const away = asked.number === null ? 0 : Math.abs(row.number - asked.number)
  const house =
    asked.number === null
      ? 0
      : away === 0
        ? 0.5
        : String(row.number).startsWith(String(asked.number))
          ? 0.3
          : 0.1 / away
  const letter = asked.number !== null && away === 0 && row.house_number.toUpperCase() === asked.houseNumber ? 0.05 : 0
  const zip = asked.zip === '' ? 0 : row.zipcode === asked.zip ? 0.15 : -0.1
  const unit = asked.unit === '' ? (row.unit === '' ? 0.02 : 0) : row.unit.toUpperCase() === asked.unit ? 0.1 : -0.05
  return street.score + house + letter + zip + unit - 0.08 * strangeWords(row, street).length
}

const beginsWith = (words: readonly string[], first: readonly string[]): boolean =>
  first.every((word, at) => words[at] === word)

/**
 * The one address of the town that a text spells out: house, unit and street, and of the rest what is said of it. What only
 * resembles one, or could be several, is none.
 */
export async function addressSpelledOut(tx: Tx, company: CompanyId, text: string): Promise<FoundAddress | null> {
  const asked = readAddress(text)
  const isMeant = (found: FoundAddress): boolean => {
    const whole = readAddress(found.text)
    const street = readAddress(found.text.split(',')[0] ?? '').words
    return (
      asked.houseNumber === whole.houseNumber &&
      asked.unit === whole.unit &&
      (asked.zip === '' || asked.zip === whole.zip) &&
      beginsWith(asked.words, street) &&
      beginsWith(whole.words, asked.words)
    )
  }
  const [only, other] = (await searchAddresses(tx, company, text)).filter(isMeant)
  return only && !other ? only : null
}
