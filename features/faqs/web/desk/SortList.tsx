import { useLingui } from '@lingui/react/macro'
import { ArrowDown, ArrowUp, GripVertical } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { GridList, GridListItem } from 'react-aria-components/GridList'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { DropIndicator, useDragAndDrop } from 'react-aria-components/useDragAndDrop'
import { Text } from '../../../../web/ui/Text.tsx'

export interface SortItem {
  id: number
  name: string
  /** Shown below the name. */
  note?: ReactNode
  /** Buttons other than those that move the row. */
  actions?: ReactNode
}

interface Props {
  label: string
  rows: readonly SortItem[]
  mayMove: boolean
  onOrder: (order: number[], moved: number) => void
}

const without = (order: readonly number[], id: number) => order.filter((one) => one !== id)

/** A sortable list. Users move rows by dragging, with the keyboard on the drag handle, or with arrow buttons. */
export function SortList({ label, rows, mayMove, onOrder }: Props) {
  const { t } = useLingui()
  const order = rows.map(({ id }) => id)
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys) => [...keys].map((key) => ({ 'text/plain': String(key) })),
    onReorder: ({ keys, target }) => {
      const [key] = keys
      if (key === undefined || target.dropPosition === 'on') return
      const left = without(order, Number(key))
      const at = left.indexOf(Number(target.key)) + (target.dropPosition === 'after' ? 1 : 0)
      onOrder(left.toSpliced(at, 0, Number(key)), Number(key))
    },
    renderDropIndicator: (target) => (
      <DropIndicator target={target} className="h-1 rounded-sm data-drop-target:bg-link" />
    ),
  })
  const listRef = useRef<HTMLDivElement>(null)
  const labelRef = useRef('')
  useEffect(() => {
    // A moved row loses the focus. The focus returns after rendering, so that the same key can move the row further.
    const clickedLabel = labelRef.current
    labelRef.current = ''
    if (clickedLabel === '') return
    const frame = requestAnimationFrame(() =>
      listRef.current?.querySelector<HTMLElement>(`[aria-label="${CSS.escape(clickedLabel)}"]`)?.focus(),
    )
    return () => cancelAnimationFrame(frame)
  }, [rows])
  const moveBy = (id: number, by: number, button: string) => {
    const at = order.indexOf(id) + by
    if (at < 0 || at >= order.length) return
    labelRef.current = button
    onOrder(without(order, id).toSpliced(at, 0, id), id)
  }
  return (
    <I18nProvider locale="en-US">
      <GridList
        ref={listRef}
        aria-label={label}
        items={rows}
        dependencies={[rows, mayMove]}
        {...(mayMove && { dragAndDropHooks })}
        keyboardNavigationBehavior="tab"
        className="flex flex-col border-line border-t"
      >
        {({ id, name, note, actions }: SortItem) => {
          const [up, down] = [t`Move ${name} up`, t`Move ${name} down`]
          return (
            <GridListItem
              id={id}
              textValue={name}
              className="flex flex-wrap items-center gap-x-1 border-line border-b py-1 data-dragging:opacity-60"
            >
              {mayMove && (
                <AriaButton slot="drag" aria-label={t`Drag ${name}`} className={iconClasses}>
                  <GripVertical size={18} aria-hidden />
                </AriaButton>
              )}
              <span className="min-w-32 flex-1 py-1 wrap-anywhere">
                <Text>{name}</Text>
                {note && <span className="block text-muted text-sm">{note}</span>}
              </span>
              <span className="flex">
                {mayMove && (
                  <>
                    <Arrow icon={ArrowUp} label={up} off={order[0] === id} onPress={() => moveBy(id, -1, up)} />
                    <Arrow
                      icon={ArrowDown}
                      label={down}
                      off={order.at(-1) === id}
                      onPress={() => moveBy(id, 1, down)}
                    />
                  </>
                )}
                <Text>{actions}</Text>
              </span>
            </GridListItem>
          )
        }}
      </GridList>
    </I18nProvider>
  )
}

const iconClasses =
  'inline-grid size-8 shrink-0 cursor-pointer place-items-center rounded-sm text-link hover:bg-tint-2 ' +
  'aria-disabled:cursor-not-allowed aria-disabled:text-muted'

interface ArrowProps {
  icon: typeof ArrowUp
  label: string
  /**
   * True if the button is disabled. A disabled button stays focusable, for users who move a row to the end by keyboard.
   */
  off: boolean
  onPress: () => void
}

const Arrow = ({ icon: Icon, label, off, onPress }: ArrowProps) => (
  <AriaButton aria-label={label} aria-disabled={off || undefined} onPress={onPress} className={iconClasses}>
    <Icon size={18} aria-hidden />
  </AriaButton>
)
