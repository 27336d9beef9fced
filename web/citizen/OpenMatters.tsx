import { Plural, Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { myMatters, openMatter } from '../../shared/ongoing-items.ts'
import { translated } from '../../shared/words.ts'
import { call } from '../call.ts'
import { CaseRow, openingPath, useOpenFromAddress } from '../cases/CaseRow.tsx'
import { shortDay } from '../clock.ts'
import { preload, useAnswer } from '../query.ts'
import { Panel } from '../ui/Card.tsx'
import { Notice } from '../ui/Notice.tsx'
import { StatusBadge } from '../ui/StatusBadge.tsx'

/** Resolves when they are there; a failure leaves them out. */
export const loadMatters = () => preload(myMatters, {})

/** So many stand there at first; the others come by a press. */
const FIRST = 3

/**
 * Whatever a resident began or sent in any part of the portal and that has not ended. It says nothing while it is asked
 * for or where it can't be: each part of the portal has a list of its own besides.
 */
export default function OpenMatters() {
  const { data } = useAnswer(myMatters, {})
  const [all, setAll] = useState(false)
  const { refusal } = useOpenFromAddress(async (name) => {
    const [kind = '', id] = name.split('.')
    return (await call(openMatter, { kind, id: Number(id) })).path
  })
  if (!data || data.matters.length === 0) return null
  const { matters } = data
  return (
    <Panel id="under-way" title={<Trans>What you have under way</Trans>} className="print:hidden">
      {refusal && <Notice tone="danger">{refusal}</Notice>}
      <ul className="divide-y divide-line">
        {matters.slice(0, all ? matters.length : FIRST).map((matter) => {
          const { kind, id, title, number, at, state, path } = matter
          return (
            <CaseRow
              key={`${kind} ${id}`}
              {...{ title, number }}
              to={path ?? openingPath(location.pathname, `${kind}.${id}`)}
              badge={<StatusBadge kind={state.kind}>{translated(state.label)}</StatusBadge>}
            >
              {shortDay(at)}
            </CaseRow>
          )
        })}
      </ul>
      {!all && matters.length > FIRST && (
        <p className="mt-3">
          <button type="button" className="link" onClick={() => setAll(true)}>
            <Plural value={matters.length} one="Show #" other="Show all #" />
          </button>
        </p>
      )}
    </Panel>
  )
}
