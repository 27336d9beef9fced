import { malformed } from './errors.ts'

/** A place in a sorted list: what the row there is sorted by, and its id. `back` asks for the rows before it. */
export interface CursorPosition {
  key: string | number
  id: number
  back?: true | undefined
}

export const cursorOf = ({ key, id, back }: CursorPosition): string =>
  Buffer.from(JSON.stringify([key, id, back ? 1 : 0])).toString('base64url')

type Key = CursorPosition['key']

/** What a list is sorted by: a text, or a moment. Another list's cursor is a page that nobody was given. */
export const isText = (key: Key): key is string => typeof key === 'string' && !key.includes('\0')
export const isInstant = (key: Key): key is string =>
  typeof key === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(key) && !Number.isNaN(Date.parse(key))

export const isWhole = (key: Key): key is number => Number.isSafeInteger(key)

/** An amount of cents as text, since sums may be larger than what JSON keeps exactly. */
export const isCents = (key: Key): key is string => typeof key === 'string' && /^\d{1,15}$/.test(key)

/** The largest id of a company, which is an int; others are bigint. */
export const COMPANY_IDS = 2_147_483_647

/**
 * `highest`: the largest id that rows of the list can have.
 * @throws 400 where the text is no cursor of ours, or of a list that is sorted by something else
 */
export function readCursor<Own extends Key>(
  text: string | undefined,
  fits: (key: Key) => key is Own,
  highest = Number.MAX_SAFE_INTEGER,
): (CursorPosition & { key: Own }) | null {
  if (!text) return null
  try {
    const [key, id, back] = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown[]
    const isKey = typeof key === 'string' || typeof key === 'number'
    if (isKey && fits(key) && typeof id === 'number' && Number.isSafeInteger(id) && id >= 0 && id <= highest)
      return { key, id, back: back === 1 || undefined }
  } catch {
    // Said below.
  }
  throw malformed('This page of the list is not known. Start again at its first page.')
}

/** One page of a list and the cursors of its neighbours, as tables answer them. */
export interface Page<Row> {
  rows: Row[]
  next: string | null
  previous: string | null
}

/**
 * Makes a page of what was read from `at` on: one row more than a page holds says that there are more, and a page that
 * was walked back to was read backwards. `keyOf`: what a row is sorted by.
 */
export function pageOf<Row extends { id: number }>(
  read: readonly Row[],
  at: CursorPosition | null,
  pageSize: number,
  keyOf: (row: Row) => CursorPosition['key'],
): Page<Row> {
  const more = read.length > pageSize
  const rows = read.slice(0, pageSize)
  if (at?.back) rows.reverse()
  const [first, last] = [rows[0], rows.at(-1)]
  const cursor = (row: Row, back?: true) => cursorOf({ key: keyOf(row), id: row.id, back })
  return {
    rows,
    next: last && (at?.back || more) ? cursor(last) : null,
    previous: first && at && (!at.back || more) ? cursor(first, true) : null,
  }
}
