import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useId, useLayoutEffect, useRef } from 'react'
import { Button } from '../../Button.tsx'
import { Text } from '../../Text.tsx'
import type { TableColumn } from './column.ts'
import { positionPopover } from './MoreMenu.tsx'

interface PeekProps<Row> {
  row: Row
  name: string
  /** Element of the row, which the preview is next to. */
  anchor: Element
  /** All columns of the list, also those that the table does not show. */
  columns: readonly TableColumn<Row>[]
  onOpen: ((row: Row) => void) | undefined
  onClose: () => void
}

/** Small preview of a record: all columns with their whole texts. The browser closes it on Escape and on a click outside. */
export default function Peek<Row>({ row, name, anchor, columns, onOpen, onClose }: PeekProps<Row>) {
  const { t } = useLingui()
  const id = useId()
  const panel = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = panel.current
    if (!element) return
    const rect = anchor.getBoundingClientRect()
    positionPopover(element, rect, 2, { left: `${rect.left + 48}px` })
    element.showPopover()
    element.focus()
    return () => element.hidePopover()
  }, [anchor])
  useEffect(() => {
    addEventListener('scroll', onClose, { passive: true })
    return () => removeEventListener('scroll', onClose)
  }, [onClose])
  return (
    // The preview has the focus, so that Space closes it and arrow keys scroll it.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      ref={panel}
      popover="auto"
      role="dialog"
      aria-labelledby={id}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key !== ' ' || event.target !== panel.current) return
        event.preventDefault()
        onClose()
      }}
      onToggle={({ newState }) => newState === 'closed' && onClose()}
      className="fixed m-0 w-max max-w-xl overflow-y-auto rounded-sm border border-edge bg-surface p-4 text-ink shadow-overlay print:hidden"
    >
      <h2 id={id} className="spoken">{t`All fields of ${name}`}</h2>
      <dl className="grid grid-cols-[fit-content(40%)_1fr] gap-x-4 gap-y-1 text-table tabular-nums">
        {columns.map(({ id: columnId, header, cell }) => (
          <div key={columnId} className="col-span-2 grid grid-cols-subgrid">
            <dt className="text-muted">{header}</dt>
            <dd className="wrap-anywhere min-w-0">{cell(row)}</dd>
          </div>
        ))}
      </dl>
      {onOpen && (
        <div className="mt-3">
          <Button
            size="small"
            onClick={() => {
              onClose()
              onOpen(row)
            }}
          >
            <Text>
              <Trans>Open {name}</Trans>
            </Text>
          </Button>
        </div>
      )}
    </div>
  )
}
