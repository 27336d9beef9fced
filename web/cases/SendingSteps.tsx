import { Trans } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { sentenceOf } from '../call.ts'
import { Button } from '../ui/Button.tsx'
import { Card, Facts } from '../ui/Card.tsx'
import { Notice } from '../ui/Notice.tsx'
import { useStepHeading } from '../ui/step-heading.ts'
import { Text } from '../ui/Text.tsx'

interface StepCardProps {
  title: ReactNode
  /** Whether somebody came from another step: the title then gets the focus. */
  moved: boolean
  children: ReactNode
}

/** One step of what a resident sends: its title, and what it asks. */
export function StepCard({ title, moved, children }: StepCardProps) {
  const heading = useStepHeading(moved)
  return (
    <Card as="div">
      <h2 ref={heading} tabIndex={-1} className="mb-4 text-h3">
        {title}
      </h2>
      <Text>{children}</Text>
    </Card>
  )
}

interface StepButtonsProps {
  form: { formState: { isSubmitting: boolean } }
  /** While files are on their way. */
  disabled?: boolean
  /** The step before; without one this is the first. */
  onBack?: () => void
  /** The last look comes next. */
  isLast?: boolean
}

/** The buttons under a step: on, and back. */
export const StepButtons = ({ form, disabled = false, onBack, isLast = false }: StepButtonsProps) => (
  <div className="flex flex-wrap gap-3">
    <Button type="submit" look="primary" busy={form.formState.isSubmitting} disabled={disabled}>
      {isLast ? <Trans>Look at it once more</Trans> : <Trans>Go on</Trans>}
    </Button>
    {onBack && (
      <Button onClick={onBack}>
        <Trans>Back</Trans>
      </Button>
    )}
  </div>
)

interface LastLookProps {
  facts: readonly (readonly [ReactNode, ReactNode])[]
  moved: boolean
  /** What the button says that sends it. */
  send: ReactNode
  /** What it throws is shown here. */
  onSend: () => Promise<void>
  /** The steps that can be gone back to. */
  changes: readonly { key: string; label: ReactNode; onPress: () => void }[]
  /** What is said beneath. */
  children?: ReactNode
}

/** Everything once more, before it is sent. */
export function LastLook({ facts, moved, send, onSend, changes, children }: LastLookProps) {
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState('')
  const press = async () => {
    setBusy(true)
    setRefusal('')
    try {
      await onSend()
    } catch (error) {
      setRefusal(sentenceOf(error))
      setBusy(false)
    }
  }
  return (
    <StepCard title={<Trans>Is everything right?</Trans>} moved={moved}>
      {refusal && (
        <Notice tone="danger" focusable className="mb-4">
          {refusal}
        </Notice>
      )}
      <Facts facts={facts} />
      <Text>{children}</Text>
      <div className="mt-5 flex flex-wrap gap-3">
        <Button look="primary" busy={busy} busyLabel={<Trans>Sending...</Trans>} onClick={() => void press()}>
          {send}
        </Button>
        {changes.map(({ key, label, onPress }) => (
          <Button key={key} onClick={onPress} disabled={busy}>
            {label}
          </Button>
        ))}
      </div>
    </StepCard>
  )
}
