import type { TableColumn } from './column.ts'
import { groupingIn } from './groups.ts'
import type { TableState, TableQuestion } from './table-state.ts'
import type { LoadTable, ListLayout } from './props.ts'
import { useNamedPage } from './use-named-page.ts'
import { useQuery } from '@tanstack/react-query'
import { queries, keepPreviousOf } from '../../../query.ts'
import { useBusy } from './use-busy.ts'

interface TableResponseInput<Row, Totals> {
  columns: readonly TableColumn<Row>[]
  state: TableState
  queryKey: readonly unknown[]
  load: LoadTable<Row, Totals>
  layout: ListLayout<Row> | undefined
}

export type TableResponse<Row, Totals> = ReturnType<typeof useTableResponse<Row, Totals>>

/** Loads the table's page for the current state, with the groups if the server builds them. */
export function useTableResponse<Row, Totals>(input: TableResponseInput<Row, Totals>) {
  const { columns, state, queryKey, load, layout } = input
  const grouping = groupingIn(columns, state.group)
  const groupColumn = grouping?.column
  const isGroupedByServer = groupColumn?.groupBy === 'server'
  const question = questionOf(state, layout, isGroupedByServer ? (grouping?.group ?? null) : null)
  const isPageSought = useNamedPage(state, queryKey, load)
  const viewKey = [...queryKey, 'table', layout?.name ?? 'rows']
  const tableKey = [...viewKey, question]
  const { data, error, isPending, isFetching, refetch } = useQuery(
    {
      queryKey: tableKey,
      queryFn: ({ signal }) => load(question, signal, (early) => void queries.setQueryData(tableKey, early)),
      placeholderData: keepPreviousOf(viewKey),
      enabled: !isPageSought,
    },
    queries,
  )
  const addUp = useBusy(async () => {
    queries.setQueryData(tableKey, await load({ ...question, addAll: true }, undefined))
  })
  return {
    question,
    data,
    rows: data?.rows ?? [],
    error,
    isPending,
    isFetching,
    refetch,
    groupColumn,
    isGroupedByServer,
    /** Groups that the server built. Null if the server does not group the rows. */
    groups: isGroupedByServer ? (data?.groups ?? null) : null,
    /** Requests the totals of a search that matches too many rows for automatic totals. */
    addUp,
  }
}

function questionOf<Row>(
  { question }: TableState,
  layout: ListLayout<Row> | undefined,
  group: TableQuestion['group'] | null,
): TableQuestion {
  if (layout)
    return {
      ...question,
      cursor: undefined,
      pageSize: layout.rows,
      filters: { ...question.filters, ...layout.filters },
    }
  return group ? { ...question, group } : question
}
