import { type KeyboardEvent, type PointerEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { minutesOf } from '../../../shared/dates.ts'
import type { PlannerRow } from '../contract.ts'
import { type Block, blockAt, extend, lastOfMinimum, type Selection, timesOf } from './blocks.ts'

/** Position of the focus: a row, and a time of the day. A null time is the heading of the row. */
interface Focus {
  row: number
  minute: number | null
}

export interface GridInput {
  rows: readonly PlannerRow[]
  blocks: readonly (readonly Block[])[]
  /** Called with the chosen time. */
  onBook: (row: PlannerRow, times: { from: string; until: string }) => void
  /** Called for a block that is not free. */
  onOther: (row: PlannerRow, block: Block) => void
}

/**
 * Roving focus of the planner: the Tab key reaches one block, and the arrow keys move to the others. Shift with an arrow
 * key extends the selection, as does dragging with a mouse.
 */
export function useGrid({ rows, blocks, onBook, onOther }: GridInput) {
  const table = useRef<HTMLTableElement>(null)
  const [chosen, setFocus] = useState<Focus | null>(null)
  // A selection ends when another day appears.
  const view = rows[0]?.day
  const [selected, setSelected] = useState<{ of: Selection; view: string | undefined } | null>(null)
  const selection = selected?.view === view ? (selected?.of ?? null) : null
  const setSelection = (of: Selection | null) => setSelected(of && { of, view })
  const dragged = useRef<{ row: number; first: number } | null>(null)
  const focus = chosen && chosen.row < rows.length ? chosen : firstFree(blocks)
  const at = focus.minute === null ? -1 : blockAt(blocks[focus.row] ?? [], focus.minute)

  const moveTo = (row: number, block: number, minute?: number) => {
    const start = minutesOf(blocks[row]?.[block]?.from ?? '00:00')
    setFocus({ row, minute: block < 0 ? null : (minute ?? start) })
    table.current?.querySelector<HTMLElement>(`[data-at="${row},${block}"]`)?.focus()
  }
  const book = (row: number, of: Omit<Selection, 'row'>) => {
    const [planned, line] = [rows[row], blocks[row]]
    if (planned && line) onBook(planned, timesOf(line, of))
  }
  const press = (row: number, block: number) => {
    const [planned, line] = [rows[row], blocks[row] ?? []]
    const pressed = line[block]
    if (!planned || !pressed) return
    if (pressed.is !== 'free') return onOther(planned, pressed)
    const isSelected = selection?.row === row && isIn(selection, block)
    book(row, isSelected ? selection : { first: block, last: lastOfMinimum(line, block, planned.minMinutes) })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const line = blocks[focus.row] ?? []
    const across = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    const down = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Escape' && selection) setSelection(null)
    else if (across && event.shiftKey) extendBy(across)
    else if (across) step(focus.row, Math.min(line.length - 1, Math.max(-1, at + across)))
    else if (down) {
      const row = Math.min(rows.length - 1, Math.max(0, focus.row + down))
      step(row, focus.minute === null ? -1 : blockAt(blocks[row] ?? [], focus.minute), focus.minute ?? undefined)
    } else if (event.key === 'Home') step(focus.row, 0)
    else if (event.key === 'End') step(focus.row, line.length - 1)
    else return
    event.preventDefault()

    function step(row: number, block: number, minute?: number) {
      setSelection(null)
      moveTo(row, block, minute)
    }
    function extendBy(by: number) {
      const from = selection?.row === focus.row ? selection : { row: focus.row, first: at, last: at }
      if (line[from.first]?.is !== 'free') return
      const last = extend(line, from.first, Math.min(line.length - 1, Math.max(0, from.last + by)))
      setSelection({ ...from, last })
      moveTo(focus.row, last)
    }
  }
  const onPointerDown = (event: PointerEvent, row: number, block: number) => {
    setSelection(null)
    const isMouse = event.pointerType === 'mouse' && event.button === 0
    dragged.current = isMouse && blocks[row]?.[block]?.is === 'free' ? { row, first: block } : null
  }
  const onPointerEnter = (event: PointerEvent, row: number, block: number) => {
    const from = dragged.current
    if (!from || from.row !== row || event.buttons !== 1) return
    setSelection({ ...from, last: extend(blocks[row] ?? [], from.first, block) })
  }
  const onPointerUp = useEffectEvent(() => {
    const from = dragged.current
    dragged.current = null
    // A press without a drag is a click.
    if (from && selection && selection.first !== selection.last) book(from.row, selection)
  })
  useEffect(() => {
    const end = () => onPointerUp()
    addEventListener('pointerup', end)
    return () => removeEventListener('pointerup', end)
  }, [])
  const isFocus = (row: number, block: number) => row === focus.row && block === at
  const isSelected = (row: number, block: number) => selection?.row === row && isIn(selection, block)
  const handlersOf = (row: number, block: number) => ({
    'data-at': `${row},${block}`,
    tabIndex: isFocus(row, block) ? 0 : -1,
    onFocus: () => {
      if (!isFocus(row, block)) moveTo(row, block)
    },
    onKeyDown,
  })
  return { table, selection, press, onPointerDown, onPointerEnter, isSelected, handlersOf }
}

const isIn = ({ first, last }: Selection, block: number): boolean =>
  Math.min(first, last) <= block && block <= Math.max(first, last)

function firstFree(blocks: readonly (readonly Block[])[]): Focus {
  const row = Math.max(
    0,
    blocks.findIndex((line) => line.some(({ is }) => is === 'free')),
  )
  const block = blocks[row]?.find(({ is }) => is === 'free') ?? blocks[row]?.[0]
  return { row, minute: minutesOf(block?.from ?? '00:00') }
}
