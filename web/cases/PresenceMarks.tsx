import { Trans } from '@lingui/react/macro'
import { Eye, PenLine } from 'lucide-react'
import { cx } from '../ui/cx.ts'
import type { Present } from './presence.ts'

/** Other staff who have the case open. */
export const PresenceMarks = ({ people = [] }: { people: readonly Present[] | undefined }) =>
  people.map(({ name, isWriting }) => {
    const Icon = isWriting ? PenLine : Eye
    return (
      <span
        key={name}
        className={cx(
          'me-2 inline-flex max-w-full items-center gap-1 rounded-sm px-1.5 font-bold text-xs',
          isWriting ? 'bg-warning-tint text-warning' : 'bg-info-tint text-info',
        )}
      >
        <Icon size={13} aria-hidden className="shrink-0" />
        {isWriting ? <Trans>{name} is answering</Trans> : <Trans>{name} is viewing</Trans>}
      </span>
    )
  })
