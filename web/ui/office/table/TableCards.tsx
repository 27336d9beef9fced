import { Trans, useLingui } from '@lingui/react/macro'
import { formatCents } from '../../../../shared/money.ts'
import { Failed } from '../../States.tsx'
import type { ActionableRow } from './actions.ts'
import { PageCheckbox, RowCheckbox } from './checkboxes.tsx'
import { totalText, type TableGroup } from './column.ts'
import { GroupHead } from './GridGroup.tsx'
import { type ServerGroups, useGroup } from './groups.ts'
import { Pager } from './Pager.tsx'
import { RowActions } from './RowActions.tsx'
import type { RowsProps } from './TableGrid.tsx'
import { Text } from '../../Text.tsx'

/** Rows of the table as cards, on a phone. */
export function TableCards<Row extends ActionableRow>(props: RowsProps<Row>) {
  const { groups, groupText, serverGroups, rows, selection, totals, rest } = props
  return (
    <div className="flex flex-col gap-4">
      {selection && !serverGroups && (
        // eslint-disable-next-line jsx-a11y/label-has-associated-control
        <label className="flex items-center gap-3">
          <PageCheckbox rows={rows} selection={selection} />
          <span aria-hidden>
            <Trans>All on this page</Trans>
          </span>
        </label>
      )}
      {serverGroups ? (
        serverGroups.groups.map((group) => (
          <CardGroup key={group.value ?? '\0'} {...props} group={group} of={serverGroups} />
        ))
      ) : groups ? (
        groups.map((group) => (
          <section key={group.name} className="flex flex-col gap-2">
            <h3 className="text-lg">
              <Text>{group.name}</Text>{' '}
              <span className="font-body font-normal text-muted text-sm">{groupText(group)}</span>
            </h3>
            <Cards {...props} rows={group.rows} />
          </section>
        ))
      ) : (
        <Cards {...props} />
      )}
      {totals.length > 0 && (
        <dl className="flex flex-col gap-2">
          {totals.map((total) => (
            <div key={total.label} className="flex items-end justify-between gap-4 font-bold">
              <dt>{total.label}</dt>
              <dd className="bookkeeper min-w-28 text-end">{totalText(total)}</dd>
            </div>
          ))}
          {rest.map(({ label, cents }) => (
            <div key={label} className="flex items-end justify-between gap-4 text-muted">
              <dt>{label}</dt>
              {/* The last amount in the line is the sum of the others. */}
              <dd className="min-w-28 text-end tabular-nums">{formatCents(Object.values(cents).at(-1) ?? 0)}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  )
}

function CardGroup<Row extends ActionableRow>({
  group,
  of,
  ...props
}: RowsProps<Row> & { group: TableGroup; of: ServerGroups<Row> }) {
  const { t } = useLingui()
  const { data, error, isFetching, refetch, open, toggle, page, pages, turnPage } = useGroup(of, group)
  return (
    <section aria-label={group.label} aria-busy={open && isFetching} className="flex flex-col gap-3">
      <div className="border-line border-b pb-2">
        <GroupHead group={group} noun={props.noun} open={open} toggle={toggle} />
        {group.totals.map((total) => (
          <p key={total.label} className="flex justify-between gap-4 ps-6.5 text-sm">
            <span className="text-muted">{total.label}</span>
            <span className="font-bold tabular-nums">{totalText(total)}</span>
          </p>
        ))}
      </div>
      {open && error && <Failed error={error} onRetry={() => void refetch()} />}
      {open && data && (
        <>
          <Cards {...props} rows={data.rows} />
          <Pager data={data} page={page} pages={pages} label={t`Pages for ${group.label}`} turnPage={turnPage} />
        </>
      )}
    </section>
  )
}

const Cards = <Row extends ActionableRow>(props: RowsProps<Row>) => (
  <ul className="flex flex-col gap-3">
    {props.rows.map((row) => (
      <CardRow key={props.rowKey(row)} data={row} {...props} />
    ))}
  </ul>
)

function CardRow<Row extends ActionableRow>({
  data,
  columns,
  rows,
  handlers,
  selection,
  onRow,
  rowName,
}: RowsProps<Row> & { data: Row }) {
  const title = columns.find(({ primary }) => primary) ?? columns[0]
  return (
    <li className="rounded-sm border border-line bg-surface p-4">
      <div className="mb-2 flex items-start justify-between gap-3">
        {selection && <RowCheckbox row={data} name={rowName(data)} pageRows={rows} selection={selection} />}
        <div className="wrap-anywhere min-w-0 flex-1 font-bold">
          {onRow ? (
            <button type="button" className="link wrap-anywhere text-start" onClick={() => onRow(data)}>
              {title?.cell(data)}
            </button>
          ) : (
            title?.cell(data)
          )}
        </div>
        {handlers && <RowActions row={data} name={rowName(data)} handlers={handlers} all />}
      </div>
      <dl className="grid grid-cols-[fit-content(50%)_1fr] gap-x-4 gap-y-1 text-table tabular-nums">
        {columns
          .filter((column) => column !== title)
          .map(({ id, header, cell }) => (
            <div key={id} className="col-span-2 grid grid-cols-subgrid">
              <dt className="text-muted">{header}</dt>
              <dd className="wrap-anywhere min-w-0 text-end">{cell(data)}</dd>
            </div>
          ))}
      </dl>
    </li>
  )
}
