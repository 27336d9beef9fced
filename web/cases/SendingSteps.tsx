import { Trans } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { messageOf } from '../call.ts'
import { Button } from '../ui/Button.tsx'
import { Card, DetailList } from '../ui/Card.tsx'
import { Notice } from '../ui/Notice.tsx'
import { useStepHeading } from '../ui/step-heading.ts'
import { Text } from '../ui/Text.tsx'

interface StepCardProps {
  title: ReactNode
  /** True if the person came from another step. The focus then moves to the title. */
  moved: boolean
  children: ReactNode
}

/** One step of a resident's form: its title and its fields. */
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
  /** True during file uploads. */
  disabled?: boolean
  /** Returns to the previous step. Undefined in the first step. */
  onBack?: () => void
  /** True if the review comes next. */
  isLast?: boolean
}

/** The buttons below a step: continue and back. */
export const StepButtons = ({ form, disabled = false, onBack, isLast = false }: StepButtonsProps) => (
  <div className="flex flex-wrap gap-3">
    <Button type="submit" variant="primary" busy={form.formState.isSubmitting} disabled={disabled}>
      {isLast ? <Trans>Review</Trans> : <Trans>Continue</Trans>}
    </Button>
    {onBack && (
      <Button onClick={onBack}>
        <Trans>Back</Trans>
      </Button>
    )}
  </div>
)

interface FinalReviewProps {
  details: readonly (readonly [ReactNode, ReactNode])[]
  moved: boolean
  send: ReactNode
  /** Sends the form. If this function throws an error, the review shows it. */
  onSend: () => Promise<void>
  /** The steps that the person can return to. */
  changes: readonly { key: string; label: ReactNode; onPress: () => void }[]
  /** Text below the review. */
  children?: ReactNode
}

export function FinalReview({ details, moved, send, onSend, changes, children }: FinalReviewProps) {
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState('')
  const submit = async () => {
    setBusy(true)
    setRefusal('')
    try {
      await onSend()
    } catch (error) {
      setRefusal(messageOf(error))
      setBusy(false)
    }
  }
  return (
    <StepCard title={<Trans>Check your entries</Trans>} moved={moved}>
      {refusal && (
        <Notice tone="danger" focusable className="mb-4">
          {refusal}
        </Notice>
      )}
      <DetailList details={details} />
      <Text>{children}</Text>
      <div className="mt-5 flex flex-wrap gap-3">
        <Button variant="primary" busy={busy} busyLabel={<Trans>Sending...</Trans>} onClick={() => void submit()}>
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
