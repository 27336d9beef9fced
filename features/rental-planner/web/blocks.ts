import { minutesOf, timeAt } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import type { PlannerCell, PlannerRow } from '../contract.ts'

/** Block of a row: a cell of the planner, or the entire day if the space is closed. */
export type Block = Omit<PlannerCell, 'is'> & { is: PlannerCell['is'] | 'closed' }

/** Hours of the planner, as minutes of the day. */
export interface Hours {
  from: number
  until: number
}

const HOUR = 60
const OFFICE_HOURS: Hours = { from: 8 * HOUR, until: 18 * HOUR }

/** Finds the full hours in which all rows fit. */
export function hoursOf(rows: readonly PlannerRow[]): Hours {
  const cells = rows.flatMap((row) => row.cells)
  if (cells.length === 0) return OFFICE_HOURS
  return {
    from: Math.floor(Math.min(...cells.map(({ from }) => minutesOf(from))) / HOUR) * HOUR,
    until: Math.ceil(Math.max(...cells.map(({ until }) => minutesOf(until))) / HOUR) * HOUR,
  }
}

export const blocksOf = ({ cells }: PlannerRow, { from, until }: Hours): readonly Block[] =>
  cells.length > 0
    ? cells
    : [
        {
          ...{ from: timeAt(from), until: timeAt(until), is: 'closed' as const },
          ...{ residentCents: 0, left: 0, reservation: null },
        },
      ]

/** Finds the block that contains a time, or the nearest one. */
export function blockAt(blocks: readonly Block[], minute: number): number {
  const at = blocks.findIndex(({ until }) => minute < minutesOf(until))
  return at < 0 ? blocks.length - 1 : at
}

/** A person extends a selection from block `first` to block `last`, in either direction. */
export interface Selection {
  row: number
  first: number
  last: number
}

/** Extends a selection to a block if all blocks between are free. Otherwise, it ends before the first other block. */
export function extend(blocks: readonly Block[], first: number, to: number): number {
  const step = to < first ? -1 : 1
  let last = first
  while (last !== to && blocks[last + step]?.is === 'free') last += step
  return last
}

/** Finds the last block that a press on one block selects, so that the time has the minimum length. */
export function lastOfMinimum(blocks: readonly Block[], first: number, minMinutes: number): number {
  const start = minutesOf(blocks[first]?.from ?? '')
  let last = first
  while (minutesOf(blocks[last]?.until ?? '') - start < minMinutes && blocks[last + 1]?.is === 'free') last += 1
  return last
}

/** Times of a selection. */
export function timesOf(blocks: readonly Block[], { first, last }: Omit<Selection, 'row'>) {
  const [low, high] = [Math.min(first, last), Math.max(first, last)]
  return { from: blocks[low]?.from ?? '', until: blocks[high]?.until ?? '' }
}

/** Formats a price without cents that are zero, for example `$25`. */
export const priceText = (cents: number): string => formatCents(cents).replace(/\.00$/, '')
