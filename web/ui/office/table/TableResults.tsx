import type { Selection } from './selection.ts'
import type { RowChoices } from './use-row-choices.ts'
import { focusRow, listKeyOf } from './row-keys.ts'
import type { ActionableRow } from './actions.ts'
import type { DataTableProps, LoadTable } from './props.ts'
import type { TableResponse } from './use-table-response.ts'
import type { TableState } from './table-state.ts'
import { type TableColumn, type TableData, groupRows } from './column.ts'
import type { ComponentType } from 'react'
import type { RowsProps } from './TableGrid.tsx'
import { useLingui, Trans } from '@lingui/react/macro'
import { Failed, LoadingState } from '../../States.tsx'
import { Text } from '../../Text.tsx'
import { NoResults } from './NoResults.tsx'
import { TableFoot } from './Pager.tsx'
import { formatCents } from '../../../../shared/money.ts'
import { MAX_GROUPS } from '../../../../shared/list.ts'
import { COUNT_CAP } from '../../../../shared/table.ts'
import { Button } from '../../Button.tsx'

interface TableResultsProps<Row extends ActionableRow, Totals> extends Pick<
  DataTableProps<Row, Totals, never>,
  | 'title'
  | 'queryKey'
  | 'columns'
  | 'rowKey'
  | 'rowName'
  | 'noun'
  | 'totals'
  | 'layout'
  | 'actions'
  | 'onRow'
  | 'empty'
  | 'failure'
  | 'fields'
> {
  id: string
  response: TableResponse<Row, Totals>
  state: TableState
  load: LoadTable<Row, Totals>
  /** Visible columns, in order. */
  visible: readonly TableColumn<Row>[]
  /** Available width in pixels. */
  room: number
  Results: ComponentType<RowsProps<Row>>
  selection: Selection<Row> | null
  choices: RowChoices
  totalsOf: (totals: Totals | null) => Pick<RowsProps<Row>, 'totals' | 'rest'>
}

export const NO_TOTALS = { totals: [], rest: [] }

/** Rows of the table or their alternative display, or the reason why the table is empty. */
export function TableResults<Row extends ActionableRow, Totals>(props: TableResultsProps<Row, Totals>) {
  const { id, response: reply, state, noun, layout, empty, fields } = props
  const { data, rows, error, isPending, isFetching } = reply
  const { t } = useLingui()
  const failed = error && <Failed title={props.failure} error={error} onRetry={() => void reply.refetch()} />
  return (
    // After "Skip to results", the keys of the list start at its first row.
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      id={id}
      tabIndex={-1}
      aria-busy={isFetching}
      className="outline-none"
      onKeyDown={(event) => {
        if (event.target !== event.currentTarget || !listKeyOf(event, props.choices.hasShortcuts)) return
        event.preventDefault()
        focusRow(event.currentTarget, 'first')
      }}
    >
      {error && !data && failed}
      {isPending && !error && <LoadingState rows={state.question.pageSize}>{t`Loading ${noun(2)}`}</LoadingState>}
      {data && layout && (
        <>
          <Text>{layout.render(rows)}</Text>
          {(data.count ?? 0) > rows.length && (
            <p className="mt-3 text-muted">
              <Trans>These are the first {rows.length} rows. Narrow the filters to see the others.</Trans>
            </p>
          )}
        </>
      )}
      <Text>
        {data &&
          !layout &&
          rows.length === 0 &&
          !reply.groups?.length &&
          (empty ?? <NoResults state={state} noun={noun} changed={fields?.filter(({ changed }) => changed) ?? []} />)}
      </Text>
      {data && !layout && (rows.length > 0 || reply.groups?.length) && (
        <>
          {failed}
          <LoadedRows {...props} data={data} />
          <TableFoot data={data} state={state} />
        </>
      )}
    </div>
  )
}

function LoadedRows<Row extends ActionableRow, Totals>(
  props: TableResultsProps<Row, Totals> & { data: TableData<Row, Totals> },
) {
  const { data, response: reply, state, columns, room, Results, rowKey, rowName, noun } = props
  const { rows, groups, groupColumn } = reply
  return (
    <>
      <Results
        columns={props.visible}
        all={columns}
        dense={props.choices.dense}
        hasShortcuts={props.choices.hasShortcuts}
        onHelp={() => props.choices.setHelping(true)}
        room={room}
        groups={
          groupColumn && !reply.isGroupedByServer
            ? groupRows(
                rows,
                groupColumn,
                columns.find((column) => column.cents),
              )
            : null
        }
        groupText={({ rows: { length }, cents }) => (
          <>
            <Trans>
              {length} {noun(length)} on this page
            </Trans>
            <Text>{cents !== null && ` · ${formatCents(cents)}`}</Text>
          </>
        )}
        serverGroups={groups && { groups, question: reply.question, queryKey: props.queryKey, load: props.load }}
        rows={rows}
        rowKey={rowKey}
        rowName={rowName}
        noun={noun}
        handlers={props.actions}
        selection={props.selection}
        onRow={props.onRow}
        {...(data.count === null ? NO_TOTALS : props.totalsOf(data.totals))}
        state={state}
        caption={props.title}
      />
      {groups && groups.length >= MAX_GROUPS && (
        <p className="mt-3 text-muted">
          <Trans>These are the first {MAX_GROUPS} groups. Narrow the filters to see the others.</Trans>
        </p>
      )}
      {props.totals && data.count !== null && data.totals === null && (
        <p className="mt-3 flex flex-wrap items-center gap-3 text-muted">
          <Trans>
            This search found {COUNT_CAP.toLocaleString('en-US')} or more {noun(COUNT_CAP)}. Their totals take longer to
            load.
          </Trans>
          <Button busy={reply.addUp.busy} onClick={reply.addUp.run}>
            <Trans>Add up all {noun(COUNT_CAP)}</Trans>
          </Button>
        </p>
      )}
    </>
  )
}
