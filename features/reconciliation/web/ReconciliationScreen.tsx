import { Trans, useLingui } from '@lingui/react/macro'
import { CircleCheck } from 'lucide-react'
import { useMemo } from 'react'
import type { AnswerOf } from '../../../shared/endpoint.ts'
import { call, sentenceOf } from '../../../web/call.ts'
import { shortInstant } from '../../../web/clock.ts'
import { reload } from '../../../web/query.ts'
import { DataTable } from '../../../web/ui/office/DataTable.tsx'
import type { TableColumn } from '../../../web/ui/office/table/column.ts'
import { type TableQuestion, useTableState } from '../../../web/ui/office/table/table-state.ts'
import { EmptyState } from '../../../web/ui/States.tsx'
import { StatusBadge } from '../../../web/ui/StatusBadge.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { tryEvent, waitingEvents } from '../contract.ts'

type Row = AnswerOf<typeof waitingEvents>['rows'][number]

/** What the payment provider told of a payment and could not be written down: a person looks into it here. */
export default function ReconciliationScreen() {
  const { t } = useLingui()
  const state = useTableState({ sort: 'date' })
  const columns = useColumns()
  const repeat = async (row: Row) => {
    try {
      const { success, error } = await call(tryEvent, { eventId: row.id })
      toast(
        success ? t`It was written down.` : t`It still cannot be written down: ${error}`,
        success ? 'success' : 'danger',
      )
    } catch (failure) {
      toast(sentenceOf(failure), 'danger')
    }
    await reload(waitingEvents)
  }
  return (
    <DataTable
      name="reconciliation"
      title={t`Reconciliation`}
      state={state}
      queryKey={[waitingEvents.path]}
      load={load}
      columns={columns}
      rowKey={({ id }) => id}
      rowName={({ object }) => object}
      noun={(n) => (n === 1 ? t`event` : t`events`)}
      searchLabel={t`Search`}
      actions={{ repeat: (row) => void repeat(row) }}
      {...(!state.question.search && { empty: <NothingWaits /> })}
    >
      <p className="mb-4 max-w-prose text-muted">
        <Trans>
          What the payment provider told of a payment and could not be written down yet. It is tried again by itself
          after growing waits; after a day it is given up and waits for you.
        </Trans>
      </p>
    </DataTable>
  )
}

const load = ({ search, direction, cursor, pageSize }: TableQuestion<never>, signal?: AbortSignal) =>
  call(waitingEvents, { search, direction, cursor, pageSize }, signal && { signal })

const NothingWaits = () => (
  <EmptyState icon={CircleCheck} title={<Trans>Nothing waits</Trans>}>
    <Trans>All that the payment provider told is in the ledgers of the municipalities.</Trans>
  </EmptyState>
)

function useColumns(): readonly TableColumn<Row>[] {
  const { t } = useLingui()
  return useMemo(
    () => [
      { id: 'date', header: t`Time`, sort: 'date', sortFirst: 'desc', cell: ({ at }) => shortInstant(at) },
      {
        id: 'object',
        header: t`About`,
        primary: true,
        cell: ({ type, object }) => (
          <span className="inline-block min-w-40 whitespace-normal wrap-anywhere">
            {type} {object}
          </span>
        ),
      },
      { id: 'town', header: t`Municipality`, cell: ({ town }) => town || t`Not known` },
      {
        id: 'state',
        header: t`Next try`,
        cell: ({ nextTry }) => (nextTry ? shortInstant(nextTry) : <StatusBadge kind="bad">{t`Given up`}</StatusBadge>),
      },
      { id: 'tries', header: t`Tries`, cell: ({ tries }) => tries },
      {
        id: 'error',
        header: t`What is against it`,
        cell: ({ error }) => <span className="inline-block min-w-48 whitespace-normal wrap-anywhere">{error}</span>,
      },
    ],
    [t],
  )
}
