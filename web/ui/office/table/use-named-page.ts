import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { COUNT_CAP } from '../../../../shared/table.ts'
import { queries } from '../../../query.ts'
import type { TableData } from './column.ts'
import type { TableQuestion, TableState } from './table-state.ts'

/** The most rows that a call answers at once. */
const STRIDE = 100

type Load<Filter extends string> = (
  question: TableQuestion<Filter>,
  signal: AbortSignal | undefined,
) => Promise<Pick<TableData<unknown, unknown>, 'rows' | 'next' | 'count'>>

/** Walks to a page by its number, or to the last one where there are fewer. @returns its cursor and its number */
async function walkTo<Filter extends string>(
  load: Load<Filter>,
  question: TableQuestion<Filter>,
  page: number,
  signal: AbortSignal,
) {
  const { count } = await load({ ...question, pageSize: 1 }, signal)
  const wanted = Math.min(page, Math.max(1, Math.ceil(Math.min(count ?? COUNT_CAP, COUNT_CAP) / question.pageSize)))
  let cursor: string | null = null
  for (let before = (wanted - 1) * question.pageSize; before > 0; before -= STRIDE) {
    const here: TableQuestion<Filter> = { ...question, cursor: cursor ?? undefined, pageSize: Math.min(before, STRIDE) }
    cursor = (await load(here, signal)).next
  }
  return { cursor, page: cursor === null ? 1 : wanted }
}

/**
 * An address that names a page without its cursor, as one that somebody typed, is led to that page. @returns whether it is
 * on its way there
 */
export function useNamedPage<Filter extends string>(
  { question, page, turn }: TableState<Filter>,
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
  const place = isError ? { cursor: null, page: 1 } : data
  useEffect(() => {
    if (isLost && place) turn(place.cursor, place.page)
    // Turned to once it is known; the table's state is made anew with each address.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [isLost, place])
  return isLost
}
