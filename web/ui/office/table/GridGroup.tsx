import { Trans, useLingui } from '@lingui/react/macro'
import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '../../cx.ts'
import { Failed } from '../../States.tsx'
import type { ActionableRow } from './actions.ts'
import { cellClasses, totalText, type TableColumn, type TableGroup } from './column.ts'
import { type ServerGroups, useGroup } from './groups.ts'
import { Pager } from './Pager.tsx'
import { Text } from '../../Text.tsx'

export interface GroupHeadProps {
  group: TableGroup
  noun: (count: number) => string
  open: boolean
  toggle: () => void
}

/** Button with the label and count of a group. A press shows or hides the rows of the group. */
export const GroupHead = ({ group, noun, open, toggle }: GroupHeadProps) => (
  <button
    type="button"
    aria-expanded={open}
    onClick={toggle}
    className="focus-inside inline-flex min-h-8 items-center gap-2 rounded-sm pe-2 text-start"
  >
    <ChevronRight size={18} aria-hidden className={cx('shrink-0 text-link', open && 'rotate-90')} />
    <span>
      <span className="wrap-anywhere font-bold">{group.label}</span>{' '}
      <span className="whitespace-nowrap text-muted">
        <Text>{group.count.toLocaleString('en-US')}</Text> <Text>{noun(group.count)}</Text>
      </span>
    </span>
  </button>
)

interface GridGroupProps<Row extends ActionableRow> {
  group: TableGroup
  of: ServerGroups<Row>
  noun: (count: number) => string
  columns: readonly TableColumn<Row>[]
  /** Number of leading columns for checkboxes and buttons. */
  lead: number
  row: (rows: readonly Row[]) => (data: Row) => ReactNode
}

/** Group of matching rows, with totals below their columns. An open group shows one page of its rows. */
export function GridGroup<Row extends ActionableRow>({ group, of, noun, columns, lead, row }: GridGroupProps<Row>) {
  const { t } = useLingui()
  const { data, error, isPending, isFetching, refetch, open, toggle, page, pages, turnPage } = useGroup(of, group)
  const totalled = columns.findIndex(({ id }) => group.totals.some(({ column }) => column === id))
  const first = totalled > 0 ? totalled : columns.length
  const width = lead + columns.length + 1
  return (
    <tbody aria-busy={open && isFetching}>
      <tr className="h-11 border-line border-b bg-tint">
        <th scope="rowgroup" colSpan={lead + first} className={cx(cellClasses, 'py-0.5! text-start font-normal')}>
          <GroupHead group={group} noun={noun} open={open} toggle={toggle} />
        </th>
        {columns.slice(first).map(({ id }) => {
          const total = group.totals.find(({ column }) => column === id)
          return (
            <td key={id} className={cx(cellClasses, 'whitespace-nowrap text-end font-bold')}>
              {total && totalText(total)}
            </td>
          )
        })}
        <td />
      </tr>
      {open && isPending && !error && (
        <tr>
          <td colSpan={width} className="px-3 py-2 text-muted">
            <Trans>Loading {noun(2)}</Trans>
          </td>
        </tr>
      )}
      {open && error && (
        <tr>
          <td colSpan={width} className="p-3">
            <Failed error={error} onRetry={() => void refetch()} />
          </td>
        </tr>
      )}
      {open && data?.rows.map(row(data.rows))}
      {open && data && (data.next || data.previous) && (
        <tr className="border-line border-b">
          <td colSpan={width} className="px-3 py-2">
            <Pager data={data} page={page} pages={pages} label={t`Pages for ${group.label}`} turnPage={turnPage} />
          </td>
        </tr>
      )}
    </tbody>
  )
}
