import { Trans, useLingui } from '@lingui/react/macro'
import { ArrowDown, ArrowUp, GripVertical, type LucideIcon, Pencil, Plus, Trash2, TriangleAlert } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { GridList, GridListItem } from 'react-aria-components/GridList'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { DropIndicator, useDragAndDrop } from 'react-aria-components/useDragAndDrop'
import type { Definition, Field, FormStep } from '../../../shared/fields/definition.ts'
import { mistakesIn } from '../../../shared/fields/mistakes.ts'
import { cx } from '../../ui/cx.ts'
import { moveBy, moveTo, type NodeRef } from './changes.ts'
import { conditionText } from './condition-text.ts'
import { typeLabels } from './labels.ts'
import { Text } from '../../ui/Text.tsx'

interface FieldListProps {
  definition: Definition
  onMove: (definition: Definition, nodeRef: NodeRef) => void
  onEdit: (nodeRef: NodeRef) => void
  /** Adds a field at the end of this step. */
  onAdd: (step: string) => void
  onRemove: (nodeRef: NodeRef) => void
}

interface Row {
  id: string
  nodeRef: NodeRef
  item: FormStep | Field
  isFaulty: boolean
}

const keyOf = (node: NodeRef): string => ('step' in node ? `step ${node.step}` : `field ${node.field}`)
const nodeRefOf = (key: unknown): NodeRef => {
  const text = String(key)
  const name = text.slice(text.indexOf(' ') + 1)
  return text.startsWith('step ') ? { step: name } : { field: name }
}

/**
 * List of all steps and fields. People reorder them by dragging, with the keyboard on the drag handle, or with the
 * arrow buttons.
 */
export function FieldList({ definition, onMove, onEdit, onAdd, onRemove }: FieldListProps) {
  const { t } = useLingui()
  const faults = mistakesIn(definition).map(({ path }) => `${path.join('.')}.`)
  const isFaulty = (start: string, except?: string) =>
    faults.some((at) => at.startsWith(start) && !(except && at.startsWith(except)))
  const rows = definition.steps.flatMap((step, s): Row[] => [
    {
      id: keyOf({ step: step.id }),
      nodeRef: { step: step.id },
      item: step,
      // Omits mistakes in fields, because the fields' own rows show them. An empty step is not marked as faulty,
      // because staff may have just added it.
      isFaulty:
        step.fields.length > 0 &&
        faults.some((at) => at.startsWith(`steps.${s}.`) && !/^steps\.\d+\.fields\.\d/.test(at)),
    },
    ...step.fields.map((field, f) => ({
      id: keyOf({ field: field.name }),
      nodeRef: { field: field.name },
      item: field,
      isFaulty: isFaulty(`steps.${s}.fields.${f}.`),
    })),
  ])
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys) => [...keys].map((key) => ({ 'text/plain': String(key) })),
    onReorder: ({ keys, target }) => {
      const [key] = keys
      if (key === undefined || target.dropPosition === 'on') return
      const node = nodeRefOf(key)
      onMove(moveTo(definition, node, nodeRefOf(target.key), target.dropPosition), node)
    },
    renderDropIndicator: (target) => (
      <DropIndicator target={target} className="h-1 rounded-sm data-drop-target:bg-link" />
    ),
  })
  const container = useRef<HTMLDivElement>(null)
  const labelRef = useRef('')
  useEffect(() => {
    // A moved row loses the focus. This code restores the focus after rendering, so that the same key can move the row
    // again.
    const label = labelRef.current
    labelRef.current = ''
    if (label === '') return
    const frame = requestAnimationFrame(() =>
      container.current?.querySelector<HTMLElement>(`[aria-label="${CSS.escape(label)}"]`)?.focus(),
    )
    return () => cancelAnimationFrame(frame)
  }, [definition])
  const onMoveClick = (label: string) => void (labelRef.current = label)
  return (
    <I18nProvider locale="en-US">
      <GridList
        ref={container}
        aria-label={t`Steps and fields`}
        items={rows}
        // Renders rows again when other parts of the definition change.
        dependencies={[definition]}
        dragAndDropHooks={dragAndDropHooks}
        keyboardNavigationBehavior="tab"
        className="flex flex-col"
        renderEmptyState={() => (
          <p className="text-muted">
            <Trans>No steps yet. Add the first step.</Trans>
          </p>
        )}
      >
        {(row: Row) => (
          <ListRow
            row={row}
            definition={definition}
            onMove={onMove}
            onEdit={onEdit}
            onAdd={onAdd}
            onRemove={onRemove}
            onMoveClick={onMoveClick}
          />
        )}
      </GridList>
    </I18nProvider>
  )
}

interface ListRowProps extends FieldListProps {
  row: Row
  /** Receives the label of the pressed move button. */
  onMoveClick: (label: string) => void
}

function ListRow({ row, definition, onMove, onEdit, onAdd, onRemove, onMoveClick }: ListRowProps) {
  const { t } = useLingui()
  const { nodeRef, item, isFaulty } = row
  const isStep = 'id' in item
  const nodeLabel = (isStep ? item.title : item.label) || (isStep ? t`Step without a title` : t`Field without a label`)
  const when = conditionText(item.showWhen, definition, t)
  const move = (by: 1 | -1, label: string) => {
    const moved = moveBy(definition, nodeRef, by)
    if (!moved) return
    onMoveClick(label)
    onMove(moved, nodeRef)
  }
  const [up, down] = [t`Move ${nodeLabel} up`, t`Move ${nodeLabel} down`]
  return (
    <GridListItem
      id={row.id}
      textValue={nodeLabel}
      className={cx(
        'flex flex-wrap items-center gap-x-1 border-line border-b py-1 data-dragging:opacity-60',
        isStep ? 'mt-3 bg-tint first:mt-0' : 'ps-3',
      )}
    >
      <AriaButton slot="drag" aria-label={t`Drag ${nodeLabel}`} className={iconClasses}>
        <GripVertical size={18} aria-hidden />
      </AriaButton>
      <span className="min-w-32 flex-1 wrap-anywhere">
        <span className={isStep ? 'font-bold font-display' : 'font-bold'}>{nodeLabel}</span>
        <span className="block text-muted text-sm">
          <Text>{isStep ? t`Step` : t(typeLabels[item.type])}</Text>
          {!isStep && item.required && <Trans>, required</Trans>}
          {isStep && item.fields.length === 0 && <Trans>, no fields yet</Trans>}
          <Text>{when && `. ${when}`}</Text>
        </span>
        {isFaulty && (
          <span className="flex items-center gap-1 font-bold text-danger text-sm">
            <TriangleAlert size={16} aria-hidden />
            <Trans>Needs correction</Trans>
          </span>
        )}
      </span>
      <span className="flex">
        {isStep && <Icon icon={Plus} label={t`Add a field to ${nodeLabel}`} onPress={() => onAdd(item.id)} />}
        <Icon icon={ArrowUp} label={up} off={!moveBy(definition, nodeRef, -1)} onPress={() => move(-1, up)} />
        <Icon icon={ArrowDown} label={down} off={!moveBy(definition, nodeRef, 1)} onPress={() => move(1, down)} />
        <Icon icon={Pencil} label={t`Edit ${nodeLabel}`} onPress={() => onEdit(nodeRef)} />
        <Icon icon={Trash2} label={t`Remove ${nodeLabel}`} onPress={() => onRemove(nodeRef)} />
      </span>
    </GridListItem>
  )
}

const iconClasses =
  'inline-grid size-8 shrink-0 cursor-pointer place-items-center rounded-sm text-link hover:bg-tint-2 ' +
  'aria-disabled:cursor-not-allowed aria-disabled:text-muted'

interface IconProps {
  icon: LucideIcon
  label: string
  /**
   * True if the button is disabled. A disabled button keeps the focus, for people who move an item to the end by
   * keyboard.
   */
  off?: boolean
  onPress: () => void
}

const Icon = ({ icon: FieldIcon, label, off, onPress }: IconProps) => (
  <AriaButton aria-label={label} aria-disabled={off || undefined} onPress={onPress} className={iconClasses}>
    <FieldIcon size={18} aria-hidden />
  </AriaButton>
)
