import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useEffectEvent, useLayoutEffect } from 'react'
import { clockText, minutesOf, timeAt } from '../../../shared/dates.ts'
import { cx } from '../../../web/ui/cx.ts'
import { Text } from '../../../web/ui/Text.tsx'
import type { PlannerRow } from '../contract.ts'
import { type Block, blocksOf, type Hours, hoursOf, priceText, timesOf } from './blocks.ts'
import { type GridInput, useGrid } from './use-grid.ts'

/** One column of the table is a quarter of an hour, because reservations may start at each quarter. */
const COLUMN_MINUTES = 15
const COLUMNS_PER_HOUR = 4
/** Two columns are wide enough to press half an hour. */
const COLUMN_PX = 12.5
const HEADING_PX = 176

const columnsOf = ({ from, until }: Pick<Block, 'from' | 'until'>): number =>
  (minutesOf(until) - minutesOf(from)) / COLUMN_MINUTES

interface PlannerGridProps extends Pick<GridInput, 'rows' | 'onBook' | 'onOther'> {
  label: string
  /** Name of a row in the names of its buttons: the space, or the day of a week. */
  nameOf: (row: PlannerRow) => string
  /** Visible heading of a row, which opens another view. `props` make it a part of the grid. */
  headingOf: (row: PlannerRow, props: object) => ReactNode
}

/** Times of spaces or days as a grid of buttons. */
export function PlannerGrid({ rows, label, nameOf, headingOf, onBook, onOther }: PlannerGridProps) {
  const { t } = useLingui()
  const hours = hoursOf(rows)
  const blocks = rows.map((row) => blocksOf(row, hours))
  const grid = useGrid({ rows, blocks, onBook, onOther })
  const { table, selection } = grid
  const columns = (hours.until - hours.from) / COLUMN_MINUTES
  useStartAt(table, shareBefore(blocks, hours))
  const chosen = selection && timesOf(blocks[selection.row] ?? [], selection)
  return (
    <div className="planner-scroll overflow-auto rounded-sm border border-line md:max-h-[calc(100dvh-14rem)]">
      <p role="status" className="spoken">
        {chosen && t`${clockText(chosen.from)} to ${clockText(chosen.until)} selected`}
      </p>
      <table
        ref={table}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- HTML has no element for a grid
        role="grid"
        aria-label={label}
        className="w-full table-fixed border-separate border-spacing-0 select-none text-sm"
        style={{ minWidth: `${HEADING_PX + columns * COLUMN_PX}px` }}
      >
        <colgroup>
          <col className="w-28 md:w-44" />
          <col span={columns} />
        </colgroup>
        <GridHead hours={hours} />
        <tbody>
          {rows.map((row, y) => (
            <tr key={`${row.spaceId} ${row.day}`}>
              <th
                scope="row"
                className="sticky start-0 z-1 border-line border-e border-b bg-surface px-2 py-1 text-start font-bold leading-tight"
              >
                {headingOf(row, grid.handlersOf(y, -1))}
              </th>
              <Gap minutes={minutesOf(blocks[y]?.[0]?.from ?? '') - hours.from} />
              {blocks[y]?.map((block, x) => (
                <BlockCell
                  key={block.from}
                  {...{ block, row }}
                  name={nameOf(row)}
                  isSelected={grid.isSelected(y, x)}
                  handlers={{
                    ...grid.handlersOf(y, x),
                    onClick: () => grid.press(y, x),
                    onPointerDown: (event) => grid.onPointerDown(event, y, x),
                    onPointerEnter: (event) => grid.onPointerEnter(event, y, x),
                  }}
                />
              ))}
              <Gap minutes={hours.until - minutesOf(blocks[y]?.at(-1)?.until ?? '')} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Returns the share of the hours that is before the first free time of any row. */
function shareBefore(blocks: readonly (readonly Block[])[], { from, until }: Hours): number {
  const starts = blocks.flatMap((row) => row.filter(({ is }) => is === 'free').map((block) => minutesOf(block.from)))
  return starts.length > 0 ? (Math.min(...starts) - from) / (until - from) : 0
}

/** Scrolls a narrow window to the first free time when the grid appears. */
function useStartAt(table: ReturnType<typeof useGrid>['table'], share: number) {
  const scroll = useEffectEvent(() => {
    const width = table.current?.tHead?.rows[0]?.cells[0]?.offsetWidth ?? 0
    table.current?.parentElement?.scrollTo({ left: ((table.current?.offsetWidth ?? 0) - width) * share })
  })
  useLayoutEffect(() => scroll(), [])
}

const GridHead = ({ hours }: { hours: Hours }) => (
  <thead>
    <tr>
      <th scope="col" className="sticky start-0 top-0 z-3 border-line border-e border-b bg-surface">
        <span className="spoken">
          <Trans>Space or day</Trans>
        </span>
      </th>
      {Array.from({ length: (hours.until - hours.from) / 60 }, (_, n) => timeAt(hours.from + n * 60)).map((time) => (
        <th
          key={time}
          scope="col"
          colSpan={COLUMNS_PER_HOUR}
          className="sticky top-0 z-2 border-line border-b bg-surface px-1 py-1.5 text-start font-normal whitespace-nowrap text-muted"
        >
          {clockText(time).replace(':00', '')}
        </th>
      ))}
    </tr>
  </thead>
)

/** Time outside the opening hours of one row. */
const Gap = ({ minutes }: { minutes: number }) =>
  minutes > 0 ? <td colSpan={minutes / COLUMN_MINUTES} className="border-line border-b bg-tint" /> : null

const UNAVAILABLE = 'border-transparent bg-[#e3e3e3] text-[#4d4d4d]'
const variants: Record<Block['is'] | 'chosen' | 'pending', string> = {
  chosen: 'border-brand bg-brand text-on-brand',
  free: 'border-edge bg-white text-muted hover:border-brand',
  taken: 'border-transparent bg-[#d2d9e6] text-ink hover:border-ink',
  pending: 'border-edge border-dashed bg-[#eef1f6] text-ink hover:border-ink',
  buffer: UNAVAILABLE,
  past: UNAVAILABLE,
  closed: UNAVAILABLE,
  skipped: UNAVAILABLE,
  soon: UNAVAILABLE,
  far: UNAVAILABLE,
}
const variantOf = ({ is, reservation }: Block, isSelected: boolean) =>
  variants[
    isSelected
      ? 'chosen'
      : reservation && (reservation.status === 'held' || reservation.status === 'requested')
        ? 'pending'
        : is
  ]

interface CellProps {
  block: Block
  row: PlannerRow
  name: string
  isSelected: boolean
  handlers: React.ButtonHTMLAttributes<HTMLButtonElement>
}

function BlockCell({ block, row, name, isSelected, handlers }: CellProps) {
  return (
    <td colSpan={columnsOf(block)} aria-selected={isSelected} className="border-line border-b p-px">
      <button
        type="button"
        {...handlers}
        aria-label={useName(block, row, name)}
        className={cx(
          'focus-inside block h-9 w-full truncate rounded-sm border px-0.5 text-center text-xs leading-none',
          variantOf(block, isSelected),
        )}
      >
        <Text>{useShortText(block, row)}</Text>
      </button>
    </td>
  )
}

/** Text of a wide block. A free half hour has no room for its price. */
function useShortText(block: Block, { closedFor, pieces }: PlannerRow): string {
  const { t } = useLingui()
  if (block.is === 'closed') return t`Closed: ${closedFor}`
  if (block.is === 'taken') return block.reservation?.name ?? t`Taken`
  if (block.is !== 'free' || columnsOf(block) < COLUMNS_PER_HOUR) return ''
  return pieces > 1 ? String(block.left) : priceText(block.residentCents)
}

/** Full name of a block, for example `Mill Race Pavilion, 2:00 PM, free, $25`. */
function useName(block: Block, { closedFor, pieces }: PlannerRow, name: string): string {
  const { t } = useLingui()
  const { is, from, until, left, reservation } = block
  const time = clockText(from)
  if (is === 'closed') return t`${name}, closed: ${closedFor}`
  if (is === 'free') {
    const price = priceText(block.residentCents)
    return pieces > 1 ? t`${name}, ${time}, ${left} of ${pieces} free, ${price}` : t`${name}, ${time}, free, ${price}`
  }
  const span = t`${name}, ${time} to ${clockText(until)}`
  if (reservation) return t`${span}, taken, ${reservation.number}, ${reservation.name}`
  if (is === 'taken') return t`${span}, taken`
  if (is === 'buffer') return t`${span}, setup or cleanup`
  return is === 'skipped' ? t`${span}, skipped for daylight saving time` : t`${span}, in the past`
}

export const Legend = () => (
  <p aria-hidden className="mt-2 flex flex-wrap gap-x-4 text-muted text-sm">
    {(
      [
        ['free', <Trans>Free, price for residents</Trans>],
        ['taken', <Trans>Taken</Trans>],
        ['pending', <Trans>Awaiting payment or approval</Trans>],
        ['past', <Trans>Setup, cleanup, closed or past</Trans>],
      ] as const
    ).map(([variant, text]) => (
      <span key={variant}>
        <span className={cx('me-1 inline-block size-3 rounded-sm border align-[-1px]', variants[variant])} />
        {text}
      </span>
    ))}
  </p>
)
