import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { keepPreviousOf, queries } from '../../../query.ts'
import type { TableData, TableGroup } from './column.ts'
import type { TableQuestion } from './table-state.ts'

/** Groups of all that match, as the server counted and summed them, and how to get at the rows of one. */
export interface ServerGroups<Row> {
  groups: readonly TableGroup[]
  question: TableQuestion
  queryKey: readonly unknown[]
  load: (question: TableQuestion, signal: AbortSignal | undefined) => Promise<TableData<Row>>
}

/** One group: shut until somebody opens it, then a page of its rows at a time. */
export function useGroup<Row>({ question, queryKey, load }: ServerGroups<Row>, { value, count }: TableGroup) {
  const [open, setOpen] = useState(false)
  const [{ cursor, page }, turn] = useState<{ cursor: string | undefined; page: number }>({
    cursor: undefined,
    page: 1,
  })
  const by = question.group?.by ?? ''
  const asked: TableQuestion = { ...question, cursor, group: { by, value } }
  const answer = useQuery(
    {
      queryKey: [...queryKey, 'group', asked],
      queryFn: ({ signal }) => load(asked, signal),
      placeholderData: keepPreviousOf([...queryKey, 'group']),
      enabled: open,
    },
    queries,
  )
  return {
    ...answer,
    open,
    toggle: () => setOpen(!open),
    page,
    pages: Math.ceil(count / question.pageSize),
    turn: (to: string | null, number: number) =>
      turn(number <= 1 ? { cursor: undefined, page: 1 } : { cursor: to ?? undefined, page: number }),
  }
}
