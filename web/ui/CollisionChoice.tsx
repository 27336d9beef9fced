import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useEffect, useRef } from 'react'
import { longInstant } from '../clock.ts'
import { RadioCards } from './Choice.tsx'
import { Notice } from './Notice.tsx'
import { Text } from './Text.tsx'

export type Side = 'mine' | 'theirs' | 'both'

interface CollisionChoiceProps {
  name: string
  label: string
  /** Who changed it, and when; '' where nobody knows. */
  by: string
  at: string
  mine: ReactNode
  theirs: ReactNode
  /** Whose `mine` is, where it is not that of whoever chooses. */
  whose?: string
  /** Both can be taken in one; or the words for how. */
  both?: boolean | string
  value: Side | undefined
  /** All is to be chosen now, and this was not. */
  unchosen: boolean
  onChoose: (side: Side) => void
}

/** What two people changed, side by side, with who changed it when. */
export function CollisionChoice({
  name,
  label,
  by,
  at,
  mine,
  theirs,
  whose,
  both = false,
  value,
  unchosen,
  onChoose,
}: CollisionChoiceProps) {
  const { t } = useLingui()
  return (
    <div data-open={value ? undefined : ''}>
      <RadioCards<Side>
        name={name}
        label={label}
        columns={2}
        error={unchosen && !value ? t`Choose one of the two.` : undefined}
        value={value ?? null}
        onChange={onChoose}
        options={[
          {
            value: 'theirs',
            label: by || t`Somebody else`,
            aside: at && <span className="font-normal text-sm">{longInstant(at)}</span>,
            note: theirs,
          },
          { value: 'mine', label: whose ?? t`You`, note: mine },
          ...(both
            ? [
                {
                  value: 'both' as const,
                  label: t`Both`,
                  note: both === true ? t`In one list, to be put in order by hand.` : both,
                },
              ]
            : []),
        ]}
      />
    </div>
  )
}

interface SideBySideProps {
  /** Save was pressed before all was chosen: the keyboard goes to the first that is not. */
  unchosen: boolean
  className?: string
  /** What is to be done. */
  says: ReactNode
  children: ReactNode
}

/** All that two people changed. The keyboard is led here when it appears. */
export function SideBySide({ unchosen, className, says, children }: SideBySideProps) {
  const { t } = useLingui()
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const open = unchosen ? place.current?.querySelector<HTMLElement>('[data-open] input') : place.current
    open?.focus()
  }, [unchosen])
  return (
    <Notice tone="warning" title={<Trans>Somebody else changed the same</Trans>} {...(className && { className })}>
      <div
        ref={place}
        tabIndex={-1}
        role="group"
        aria-label={t`What two people changed`}
        className="flex flex-col gap-4"
      >
        <p>{says}</p>
        <Text>{children}</Text>
      </div>
    </Notice>
  )
}
