import { malformed } from './errors.ts'

/** Position in a sorted list: the sort key and id of a row. `back` requests the rows before the position. */
export interface CursorPosition {
  key: string | number
  id: number
  back?: true | undefined
}

export const cursorOf = ({ key, id, back }: CursorPosition): string =>
  Buffer.from(JSON.stringify([key, id, back ? 1 : 0])).toString('base64url')

type Key = CursorPosition['key']

/**
 * Type guards: `isText` accepts a sort key that is text, `isInstant` one that is an instant. They reject the cursor of
 * a list with another type of sort key.
 */
export const isText = (key: Key): key is string => typeof key === 'string' && !key.includes('\0')
export const isInstant = (key: Key): key is string =>
  typeof key === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(key) && !Number.isNaN(Date.parse(key))

export const isWhole = (key: Key): key is number => Number.isSafeInteger(key)

/** True if the key is an amount in cents, as a string of digits. Sums may exceed the exact range of JSON numbers. */
export const isCents = (key: Key): key is string => typeof key === 'string' && /^\d{1,15}$/.test(key)

/** Largest possible company id, because the column is an int. Other ids are bigint. */
export const COMPANY_IDS = 2_147_483_647

/**
 * Parses a cursor. `highest` is the largest possible id in the list.
 * @throws 400 if the string is not a cursor, or is the cursor of a list with another sort order
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
    // The code below reports the error.
  }
  throw malformed('This page of the list was not found. Start again from the first page.')
}

/** One page of a list, with the cursors of the previous and next page. */
export interface Page<Row> {
  rows: Row[]
  next: string | null
  previous: string | null
}

/**
 * Builds a page from the rows read after `at`. The query reads one extra row, which shows whether more pages exist. If
 * `at` points back, the rows arrive in reverse order. `keyOf` returns the sort key of a row.
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
