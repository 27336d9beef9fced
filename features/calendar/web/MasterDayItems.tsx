import { Trans, useLingui } from '@lingui/react/macro'
import { X } from 'lucide-react'
import { useEffect, useMemo, useRef } from 'react'
import { call } from '../../../web/call.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { DataTable } from '../../../web/ui/office/DataTable.tsx'
import type { TableColumn } from '../../../web/ui/office/table/column.ts'
import type { TableQuestion, TableState } from '../../../web/ui/office/table/table-state.ts'
import type { AnswerOf } from '../../../shared/endpoint.ts'
import { masterDayItems } from '../contract.ts'
import { typeLabels } from '../rules.ts'
import { longDay, startThere } from './days.ts'
import { ItemBadge } from './item-status.tsx'
import type { MasterItem } from './MasterDay.tsx'
import { filtersOf, type MasterFilter } from './master-filters.ts'

type Row = AnswerOf<typeof masterDayItems>['rows'][number]

interface Props {
  day: string
  state: TableState<MasterFilter>
  onItem: (item: MasterItem) => void
  onClose: () => void
}

/** Everything on one day in all towns, as the filters above narrow it. */
export function MasterDayItems({ day, state, onItem, onClose }: Props) {
  const { t } = useLingui()
  const columns = useColumns()
  const place = useRef<HTMLDivElement>(null)
  // Whoever chose another day is led to it.
  useEffect(() => {
    place.current?.scrollIntoView()
    place.current?.focus()
  }, [day])
  return (
    <div ref={place} tabIndex={-1} className="mt-8 scroll-mt-4 outline-none">
      <DataTable
        name="master-calendar-day"
        level={2}
        title={longDay(day)}
        state={state}
        queryKey={[masterDayItems.path]}
        load={({ search, sort, direction, cursor, pageSize, filters }: TableQuestion<MasterFilter>, signal) =>
          call(
            masterDayItems,
            {
              ...{ day, search, direction, cursor, pageSize, filters: filtersOf(filters) },
              sort: sort === 'town' ? 'town' : 'time',
            },
            signal && { signal },
          )
        }
        columns={columns}
        rowKey={({ companyId, id }) => `${companyId}/${id}`}
        rowName={({ title }) => title}
        noun={(n) => (n === 1 ? t`item` : t`items`)}
        searchLabel={t`Search the titles`}
        onRow={onItem}
        headActions={
          <Button icon={X} onClick={onClose}>
            <Trans>Close the day</Trans>
          </Button>
        }
      />
    </div>
  )
}

function useColumns(): readonly TableColumn<Row>[] {
  const { t } = useLingui()
  return useMemo(
    () => [
      { id: 'time', header: t`Time`, sort: 'time', sortFirst: 'asc', cell: startThere },
      {
        ...{ id: 'title', header: t`Title`, primary: true },
        cell: ({ title }: Row) => <span className="inline-block min-w-44 whitespace-normal">{title}</span>,
      },
      { id: 'town', header: t`Company`, sort: 'town', cell: ({ company }) => company },
      { id: 'type', header: t`Type`, cell: ({ type }) => typeLabels[type] },
      { id: 'status', header: t`Status`, cell: (row) => <ItemBadge item={row} /> },
    ],
    [t],
  )
}
