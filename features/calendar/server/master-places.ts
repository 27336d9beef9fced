import { type RawBuilder, sql } from 'kysely'
import { isText, pageOf, type Place, readCursor } from '../../../server/cursor.ts'
import { malformed } from '../../../server/errors.ts'
import type { BodyOf } from '../../../shared/endpoint.ts'
import type { masterDayItems } from '../contract.ts'
import type { ItemType } from '../rules.ts'
import type { ItemStatus } from '../states.ts'

/** Places in the list of one day's items over all towns: an item's own number is one of its town's alone. */

export interface Found {
  id: number
  company_id: number
  company: string
  /** What towns are sorted by. */
  name_key: string
  zone: string
  title: string
  description: string
  starts_at: Date
  ends_at: Date
  status: ItemStatus | null
  category: ItemType
}

type Question = BodyOf<typeof masterDayItems>
type Way = 'ASC' | 'DESC'

const NAME = sql`c.name_key`
const columns = {
  time: [sql`i.starts_at`, sql`i.company_id`, sql`i.id`],
  town: [NAME, sql`c.id`, sql`i.starts_at`, sql`i.id`],
} as const

/** What the list is ordered by, to the last column that tells two items apart. */
export const keyOf = (sort: Question['sort'], way: Way): RawBuilder<unknown> =>
  sql.join(columns[sort].map((column) => sql`${column} ${sql.raw(way)}`))

export const wayOf = ({ direction }: Pick<Question, 'direction'>, back: boolean): Way =>
  (direction === 'desc') === back ? 'ASC' : 'DESC'

/** `2026-11-20T15:00:00.000Z 101 maple grove`: when, which town, and how the town is sorted. */
const SHAPE = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) (\d{1,9}) (.*)$/s

/** @throws 400 for a made-up page */
export function placeIn({ cursor, sort, direction }: Question): (Place & { beyond: RawBuilder<unknown> }) | null {
  const place = readCursor(cursor, isText)
  if (!place) return null
  const [, at = '', company, name = ''] = SHAPE.exec(place.key) ?? []
  if (Number.isNaN(Date.parse(at)))
    throw malformed('This page of the list is not known. Start again at its first page.')
  const values = {
    time: sql`${at}::timestamptz, ${Number(company)}::int, ${place.id}::bigint`,
    town: sql`${name}, ${Number(company)}::int, ${at}::timestamptz, ${place.id}::bigint`,
  }[sort]
  const than = sql.raw(wayOf({ direction }, place.back ?? false) === 'ASC' ? '>' : '<')
  // Which towns can still come is said by itself, since an index knows them.
  const towns = sort === 'town' ? sql`AND ${NAME} ${than}= ${name}` : sql`AND i.starts_at ${than}= ${at}::timestamptz`
  return { ...place, beyond: sql`${towns} AND (${sql.join([...columns[sort]])}) ${than} (${values})` }
}

export const pageOfItems = (rows: readonly Found[], { pageSize }: Question, place: Place | null) =>
  pageOf(rows, place, pageSize, (row) => `${row.starts_at.toISOString()} ${row.company_id} ${row.name_key}`)
