import { expect, test } from 'vitest'
import { PRINTED_ROWS } from '../../../../shared/list.ts'
import { gather } from './gather.ts'
import type { TableQuestion } from './table-state.ts'

const question: TableQuestion = { search: '', sort: 'id', direction: 'asc', cursor: 'x', pageSize: 10, filters: {} }

/** Loads a list with this many rows for printing. Returns the loaded rows and the requests. */
async function printed(count: number, stride: number, stopping = new AbortController(), stopAt = Infinity) {
  const queries: TableQuestion[] = []
  const load = async (one: TableQuestion) => {
    queries.push(one)
    const from = Number(one.cursor ?? 0)
    const rows = Array.from({ length: Math.min(one.pageSize, count - from) }, (_, i) => from + i)
    const next = from + rows.length < count ? String(from + rows.length) : null
    return { rows, next, previous: null, count, totals: queries.length }
  }
  const progress: number[] = []
  const all = gather(load, question, stride, stopping.signal, (got) => {
    progress.push(got)
    if (got >= stopAt) stopping.abort()
  })
  return { all: await all.catch((error: Error) => error), initialSearch: queries, progress }
}

test('loads all rows, with the totals of the first page', async () => {
  const { all, initialSearch: queries, progress } = await printed(1234, 500)
  expect(all).toEqual({ rows: Array.from({ length: 1234 }, (_, i) => i), totals: 1, more: false })
  expect(queries.map(({ cursor }) => cursor)).toEqual([undefined, '500', '1000'])
  expect(progress).toEqual([500, 1000, 1234])
})

test.each([
  [PRINTED_ROWS, false],
  [PRINTED_ROWS + 1, true],
])('loads at most the printable part of %i rows and reports more', async (count, more) => {
  const { all, initialSearch: queries } = await printed(count, 700)
  expect(all).toMatchObject({ rows: { length: PRINTED_ROWS }, more })
  expect(queries.at(-1)?.pageSize).toBe(100)
})

test('sends no more requests after it was canceled', async () => {
  const { all, initialSearch: queries } = await printed(5000, 500, new AbortController(), 1000)
  expect(all).toMatchObject({ name: 'AbortError' })
  expect(queries).toHaveLength(2)
})
