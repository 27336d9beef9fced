import { useLingui } from '@lingui/react/macro'
import { useSession } from '../../../session.ts'
import { IconButton } from '../../Button.tsx'
import { type ActionableRow, type ActionKind, actionKinds } from './actions.ts'
import { MenuAction, MoreMenu } from './MoreMenu.tsx'

export type RowHandlers<Row> = { readonly [Kind in ActionKind]?: (row: Row) => void }

interface RowActionsProps<Row> {
  row: Row
  /** Name of the row for the label of each button: 'View P104465'. */
  name: string
  handlers: RowHandlers<Row>
  /** True to show all actions as buttons, as the cards of a phone do. */
  all?: boolean
}

const BUTTON_PX = 36

/** Returns the actions of a list that are buttons. The others are in a menu, unless the list has only one of them. */
function visibleKinds<Row>(handlers: RowHandlers<Row>): ActionKind[] {
  const kinds = (Object.keys(actionKinds) as ActionKind[]).filter((kind) => handlers[kind])
  return kinds.length === 1 ? kinds : kinds.filter((kind) => kind === 'view' || kind === 'complete')
}

/** Returns the width of the actions column in pixels. */
export function actionsWidth<Row>(handlers: RowHandlers<Row>): number {
  const visible = visibleKinds(handlers).length
  return (visible + (Object.keys(handlers).length > visible ? 1 : 0)) * BUTTON_PX
}

/**
 * Actions that the server permits on a row. A table shows View as a button, and the others in a menu. Impersonators
 * cannot pay.
 */
export function RowActions<Row extends ActionableRow>({ row, name, handlers, all = false }: RowActionsProps<Row>) {
  const { t } = useLingui()
  const impersonating = useSession()?.impersonating === true
  const visible = visibleKinds(handlers)
  const kinds = (Object.keys(actionKinds) as ActionKind[]).filter(
    (kind) =>
      handlers[kind] &&
      !(kind === 'pay' && impersonating) &&
      (row.can?.[kind] || (kind === 'complete' && row.iscomplete === 'Yes')),
  )
  const buttons = kinds.filter((kind) => all || visible.includes(kind))
  const rest = kinds.filter((kind) => !buttons.includes(kind))
  const labelOf = (kind: ActionKind) => `${t(actionKinds[kind].label)} ${name}`.trim()
  return (
    <div className="flex gap-0.5">
      {buttons.map((kind) => {
        const act = () => handlers[kind]?.(row)
        const label = labelOf(kind)
        if (kind !== 'complete')
          return <IconButton key={kind} icon={actionKinds[kind].icon} label={label} onClick={act} />
        const done = row.iscomplete === 'Yes'
        return (
          <span key={kind} className="grid size-8 place-items-center">
            <input
              type="checkbox"
              className="size-6"
              aria-label={label}
              checked={done}
              disabled={done}
              onChange={act}
            />
          </span>
        )
      })}
      {rest.length > 0 && (
        <MoreMenu label={t`More actions for ${name}`}>
          {rest.map((kind) => (
            <MenuAction
              key={kind}
              icon={actionKinds[kind].icon}
              label={labelOf(kind)}
              onClick={() => handlers[kind]?.(row)}
            >
              {t(actionKinds[kind].label)}
            </MenuAction>
          ))}
        </MoreMenu>
      )}
    </div>
  )
}
