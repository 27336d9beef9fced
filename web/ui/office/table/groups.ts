import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { keepPreviousOf, queries } from '../../../query.ts'
import { groupUnits } from '../../../../shared/list.ts'
import type { TableColumn, TableData, TableGroup } from './column.ts'
import type { TableQuestion } from './table-state.ts'

/** Reads the grouping column and its period, as in 'receivedAt:month'. Null for a column without groups. */
export function groupingIn<Row>(columns: readonly TableColumn<Row>[], text: string) {
  const [by = '', named] = text.split(':')
  const column = columns.find(({ id, groupBy }) => id === by && groupBy)
  const unit = column?.groupUnits ? groupUnits.find((one) => one === named) : undefined
  return column ? { column, group: { by, ...(unit && { unit }) } } : null
}

/** Groups with counts and totals from the server, and the query that loads their rows. */
export interface ServerGroups<Row> {
  groups: readonly TableGroup[]
  question: TableQuestion
  queryKey: readonly unknown[]
  load: (question: TableQuestion, signal: AbortSignal | undefined) => Promise<TableData<Row>>
}

/**
 * Manages the state of one group. The group is closed until the person opens it. An open group shows one page of its
 * rows.
 */
export function useGroup<Row>({ question, queryKey, load }: ServerGroups<Row>, { value, count }: TableGroup) {
  const [open, setOpen] = useState(false)
  const [{ cursor, page }, goToPage] = useState<{ cursor: string | undefined; page: number }>({
    cursor: undefined,
    page: 1,
  })
  const query: TableQuestion = { ...question, cursor, group: { by: '', ...question.group, value } }
  const response = useQuery(
    {
      queryKey: [...queryKey, 'group', query],
      queryFn: ({ signal }) => load(query, signal),
      placeholderData: keepPreviousOf([...queryKey, 'group']),
      enabled: open,
    },
    queries,
  )
  return {
    ...response,
    open,
    toggle: () => setOpen(!open),
    page,
    pages: Math.ceil(count / question.pageSize),
    turnPage: (to: string | null, number: number) =>
      goToPage(number <= 1 ? { cursor: undefined, page: 1 } : { cursor: to ?? undefined, page: number }),
  }
}
