import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { COUNT_CAP } from '../../../../shared/table.ts'
import { queries } from '../../../query.ts'
import type { TableData } from './column.ts'
import type { TableQuestion, TableState } from './table-state.ts'

/** Maximum number of rows in one request. */
const STRIDE = 100

type Load<Filter extends string> = (
  question: TableQuestion<Filter>,
  signal: AbortSignal | undefined,
) => Promise<Pick<TableData<unknown, unknown>, 'rows' | 'next' | 'count'>>

/** Finds the page with a number, or the last page if fewer exist, by paging forward. @returns its cursor and number */
async function walkTo<Filter extends string>(
  load: Load<Filter>,
  question: TableQuestion<Filter>,
  page: number,
  signal: AbortSignal,
) {
  const { count } = await load({ ...question, pageSize: 1 }, signal)
  const requestedPage = Math.min(
    page,
    Math.max(1, Math.ceil(Math.min(count ?? COUNT_CAP, COUNT_CAP) / question.pageSize)),
  )
  let cursor: string | null = null
  for (let before = (requestedPage - 1) * question.pageSize; before > 0; before -= STRIDE) {
    const here: TableQuestion<Filter> = { ...question, cursor: cursor ?? undefined, pageSize: Math.min(before, STRIDE) }
    cursor = (await load(here, signal)).next
  }
  return { cursor, page: cursor === null ? 1 : requestedPage }
}

/**
 * Finds the page for a URL with a page number but no cursor, such as a typed URL.
 * @returns true while it searches
 */
export function useNamedPage<Filter extends string>(
  { question, page, turnPage }: TableState<Filter>,
  queryKey: readonly unknown[],
  load: Load<Filter>,
): boolean {
  const isLost = page > 1 && question.cursor === undefined
  const { data, isError } = useQuery(
    {
      queryKey: [...queryKey, 'page', page, question],
      queryFn: ({ signal }) => walkTo(load, question, page, signal),
      enabled: isLost,
    },
    queries,
  )
  const position = isError ? { cursor: null, page: 1 } : data
  useEffect(() => {
    if (isLost && position) turnPage(position.cursor, position.page)
    // Opens the page once it is found. The table's state changes with each URL, so it is not a dependency.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [isLost, position])
  return isLost
}
