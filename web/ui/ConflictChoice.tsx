import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useEffect, useRef } from 'react'
import { longInstant } from '../clock.ts'
import { RadioCards } from './Choice.tsx'
import { Notice } from './Notice.tsx'
import { Text } from './Text.tsx'

export type Side = 'own' | 'others' | 'both'

interface ConflictChoiceProps {
  name: string
  label: string
  /** Author of the other change. `at` is the time of the change. Both are '' if unknown. */
  by: string
  at: string
  own: ReactNode
  others: ReactNode
  /** Author of `own`, if that is not the person who chooses between the values. */
  ownLabel?: string
  /** True if both values can be combined. If it is a string, the string describes the combination. */
  both?: boolean | string
  value: Side | undefined
  /** True if a choice is required and missing. */
  unchosen: boolean
  onChoose: (side: Side) => void
}

/** Choice between two conflicting values, with the author and time of the other change. */
export function ConflictChoice({
  name,
  label,
  by,
  at,
  own,
  others,
  ownLabel,
  both = false,
  value,
  unchosen,
  onChoose,
}: ConflictChoiceProps) {
  const { t } = useLingui()
  return (
    <div data-open={value ? undefined : ''}>
      <RadioCards<Side>
        name={name}
        label={label}
        columns={2}
        error={unchosen && !value ? t`Choose which value to use.` : undefined}
        value={value ?? null}
        onChange={onChoose}
        options={[
          {
            value: 'others',
            label: by || t`Someone else`,
            aside: at && <span className="font-normal text-sm">{longInstant(at)}</span>,
            note: others,
          },
          { value: 'own', label: ownLabel ?? t`You`, note: own },
          ...(both
            ? [
                {
                  value: 'both' as const,
                  label: t`Both`,
                  note: both === true ? t`Both lists will be combined into one list that you can reorder.` : both,
                },
              ]
            : []),
        ]}
      />
    </div>
  )
}

interface SideBySideProps {
  /** True if Save was pressed before all choices were made. The first missing choice then gets the focus. */
  unchosen: boolean
  className?: string
  /** Instruction for the person. */
  text: ReactNode
  children: ReactNode
}

/** Group of all conflicts of a form. The group gets the focus when it appears. */
export function SideBySide({ unchosen, className, text, children }: SideBySideProps) {
  const { t } = useLingui()
  const container = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const open = unchosen ? container.current?.querySelector<HTMLElement>('[data-open] input') : container.current
    open?.focus()
  }, [unchosen])
  return (
    <Notice
      tone="warning"
      title={<Trans>Someone else changed the same information</Trans>}
      {...(className && { className })}
    >
      <div
        ref={container}
        tabIndex={-1}
        role="group"
        aria-label={t`Conflicting changes`}
        className="flex flex-col gap-4"
      >
        <p>{text}</p>
        <Text>{children}</Text>
      </div>
    </Notice>
  )
}
