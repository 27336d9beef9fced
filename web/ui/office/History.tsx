import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { HistoryEntry } from '../../../shared/responses.ts'
import { shortInstant } from '../../clock.ts'
import { Code, Text } from '../Text.tsx'

interface HistoryProps {
  title?: ReactNode
  history: readonly HistoryEntry[]
  children?: ReactNode
}

/** History of a record, oldest first: actor, time, and the reason if one was entered. */
export const History = ({ title = <Trans>Actions taken</Trans>, history, children }: HistoryProps) => (
  <section className="mt-7">
    <h3 className="mb-2 text-lg">{title}</h3>
    <ol className="flex flex-col gap-2 text-sm">
      {history.map(({ at, label, by, reason }) => (
        <li key={at + label} className="wrap-anywhere">
          <strong>{label}</strong> · <Code>{by}</Code> · <Text>{shortInstant(at)}</Text>
          {reason && <span className="block">{reason}</span>}
        </li>
      ))}
      <Text>{children}</Text>
    </ol>
  </section>
)
