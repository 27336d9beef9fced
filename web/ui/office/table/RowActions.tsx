import { useLingui } from '@lingui/react/macro'
import { useSession } from '../../../session.ts'
import { IconButton } from '../../Button.tsx'
import { type ActionableRow, type ActionKind, actionKinds } from './actions.ts'

export type RowHandlers<Row> = { readonly [Kind in ActionKind]?: (row: Row) => void }

interface RowActionsProps<Row> {
  row: Row
  /** Name of the row for the label of each button: 'View P104465'. */
  name: string
  handlers: RowHandlers<Row>
}

/** Buttons for the actions that the server permits on a row. Impersonators cannot pay. */
export function RowActions<Row extends ActionableRow>({ row, name, handlers }: RowActionsProps<Row>) {
  const { t } = useLingui()
  const impersonating = useSession()?.impersonating === true
  const kinds = (Object.keys(actionKinds) as ActionKind[]).filter(
    (kind) => handlers[kind] && !(kind === 'pay' && impersonating),
  )
  return (
    <div className="flex gap-0.5">
      {kinds.map((kind) => {
        const label = `${t(actionKinds[kind].label)} ${name}`.trim()
        const act = () => handlers[kind]?.(row)
        if (kind === 'complete') {
          const done = row.iscomplete === 'Yes'
          if (!done && !row.can?.complete) return null
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
        }
        return row.can?.[kind] ? (
          <IconButton key={kind} icon={actionKinds[kind].icon} label={label} onClick={act} />
        ) : null
      })}
    </div>
  )
}
