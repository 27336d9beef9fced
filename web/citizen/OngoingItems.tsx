import { Plural, Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { myOngoingItems, openOngoingItem } from '../../shared/ongoing-items.ts'
import { translated } from '../../shared/messages.ts'
import { call } from '../call.ts'
import { CaseRow, openingPath, useOpenFromAddress } from '../cases/CaseRow.tsx'
import { shortDay } from '../clock.ts'
import { preload, useResponse } from '../query.ts'
import { Panel } from '../ui/Card.tsx'
import { Notice } from '../ui/Notice.tsx'
import { StatusBadge } from '../ui/StatusBadge.tsx'

/** Loads the data of this section. If loading fails, the page omits the section. */
export const loadOngoingItems = () => preload(myOngoingItems, {})

/** Number of items shown first. A button shows the others. */
const FIRST = 3

/**
 * A resident's open requests and drafts in all parts of the portal. Shows nothing while loading or after a failure,
 * since each part also has its own list.
 */
export default function OngoingItems() {
  const { data } = useResponse(myOngoingItems, {})
  const [all, setAll] = useState(false)
  const { refusal } = useOpenFromAddress(async (name) => {
    const [kind = '', id] = name.split('.')
    return (await call(openOngoingItem, { kind, id: Number(id) })).path
  })
  if (!data || data.ongoingItems.length === 0) return null
  const { ongoingItems } = data
  return (
    <Panel id="under-way" title={<Trans>In progress</Trans>} className="print:hidden">
      {refusal && <Notice tone="danger">{refusal}</Notice>}
      <ul className="divide-y divide-line">
        {ongoingItems.slice(0, all ? ongoingItems.length : FIRST).map((item) => {
          const { kind, id, title, number, at, state, path } = item
          return (
            <CaseRow
              key={`${kind} ${id}`}
              title={title}
              number={number}
              to={path ?? openingPath(location.pathname, `${kind}.${id}`)}
              badge={<StatusBadge kind={state.kind}>{translated(state.label)}</StatusBadge>}
            >
              {shortDay(at)}
            </CaseRow>
          )
        })}
      </ul>
      {!all && ongoingItems.length > FIRST && (
        <p className="mt-3">
          <button type="button" className="link" onClick={() => setAll(true)}>
            <Plural value={ongoingItems.length} one="Show #" other="Show all #" />
          </button>
        </p>
      )}
    </Panel>
  )
}
