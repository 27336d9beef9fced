import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import type { CaseCalls, CaseEntry, CasePayment } from '../../shared/cases.ts'
import { formatCents } from '../../shared/money.ts'
import { translated } from '../../shared/messages.ts'
import { longInstant, shortInstant } from '../clock.ts'
import { cx } from '../ui/cx.ts'
import { EntryFiles, type FileOwnerRef } from './EntryFiles.tsx'
import { Text } from '../ui/Text.tsx'

interface TimelineProps {
  of: CaseCalls
  fileOwner: FileOwnerRef
  entries: readonly CaseEntry[]
  /** Last entry that the viewer had read. Null if they never opened the case. */
  seenId: number | null
  /** Viewer of the timeline. The requester sees the same entries as staff except internal ones, with more space. */
  audience: 'staff' | 'person'
  /** Formats the name of the person who replied, for example 'Sylvia, Website Support'. */
  byline?: (by: string) => ReactNode
}

const appearances: Record<CaseEntry['kind'], string> = {
  message: 'border-line bg-surface',
  reply: 'border-line border-s-4 border-s-link bg-tint',
  note: 'border-edge border-dashed',
  step: 'border-transparent',
  assignment: 'border-transparent',
  payment: 'border-transparent',
}
const isMessage = ({ kind }: CaseEntry) => kind === 'message' || kind === 'reply' || kind === 'note'

/** All entries of a case, oldest first. Entries that are newer than the viewer's last visit are marked. */
export function Timeline({ of, fileOwner, entries, seenId, audience, byline = (by) => by }: TimelineProps) {
  const { t } = useLingui()
  // Entries that were new when the case opened stay marked while it is open, even after they count as read.
  const [since] = useState(seenId)
  const isNew = (entry: CaseEntry) => since !== null && isMessage(entry) && entry.id > since && !entry.isOwn
  const isStaff = audience === 'staff'
  const newCount = entries.filter(isNew).length
  return (
    <>
      <p role="status" className="spoken">
        {newCount > 0 && <Plural value={newCount} one="# new message" other="# new messages" />}
      </p>
      <ol aria-label={t`Timeline`} data-case={of.kind} className={cx('flex flex-col', isStaff ? 'gap-3' : 'gap-4')}>
        {entries.map((entry) => (
          <li
            key={entry.key}
            className={cx(
              'rounded-sm border',
              appearances[entry.kind],
              isMessage(entry) ? 'px-4 py-3' : 'px-1',
              isStaff ? 'text-table' : isMessage(entry) && 'md:w-[88%]',
              !isStaff && entry.kind === 'reply' && 'md:self-end',
            )}
          >
            {isMessage(entry) ? (
              <>
                <p className="mb-1 text-muted text-sm">
                  <strong className="text-ink">{entry.kind === 'reply' ? byline(entry.by) : entry.by}</strong>
                  {entry.kind === 'note' && (
                    <>
                      {' · '}
                      <Trans>internal note</Trans>
                    </>
                  )}
                  {' · '}
                  <At at={entry.at} isStaff={isStaff} />
                  {isNew(entry) && (
                    <strong className="ms-2 rounded-sm bg-info-tint px-1.5 py-0.5 text-info text-xs">
                      <Trans>New</Trans>
                    </strong>
                  )}
                </p>
                <p className="whitespace-pre-wrap wrap-anywhere">{entry.text}</p>
                {entry.files.length > 0 && <EntryFiles of={of} fileOwner={fileOwner} files={entry.files} />}
              </>
            ) : (
              <p className="text-muted text-sm wrap-anywhere">
                <Text>
                  {entry.payment ? (
                    <Paid {...entry.payment} />
                  ) : entry.kind === 'step' ? (
                    translated(entry.label)
                  ) : (
                    <Assigned to={entry.label} />
                  )}
                </Text>
                <Text>{entry.by && ` · ${entry.by}`}</Text>
                {' · '}
                <At at={entry.at} isStaff={isStaff} />
                {entry.text && <span className="block text-ink">{entry.text}</span>}
              </p>
            )}
          </li>
        ))}
      </ol>
    </>
  )
}

const At = ({ at, isStaff }: { at: string; isStaff: boolean }) => (
  <time dateTime={at}>{isStaff ? shortInstant(at) : longInstant(at)}</time>
)

const Assigned = ({ to }: { to: string }) => (to ? <Trans>Assigned to {to}</Trans> : <Trans>Unassigned</Trans>)

/** Current state of a payment, including a later refund, in one line. */
function Paid({ state, cents, refundCents, number }: CasePayment) {
  const amount = formatCents(cents)
  const back = formatCents(refundCents)
  if (state === 'pending')
    return (
      <Trans>
        Payment {number} for {amount} is processing
      </Trans>
    )
  if (state === 'refunded')
    return (
      <Trans>
        Payment {number} for {amount} was refunded
      </Trans>
    )
  return refundCents > 0 ? (
    <Trans>
      Paid {amount} (payment {number}), {back} refunded
    </Trans>
  ) : (
    <Trans>
      Paid {amount} (payment {number})
    </Trans>
  )
}
