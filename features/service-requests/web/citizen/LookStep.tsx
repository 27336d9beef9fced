import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { allFields } from '../../../../shared/fields/walk.ts'
import { inWords } from '../../../../shared/fields/words.ts'
import { sentenceOf } from '../../../../web/call.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { Card, Facts } from '../../../../web/ui/Card.tsx'
import { Notice } from '../../../../web/ui/Notice.tsx'
import { useStepHeading } from '../../../../web/ui/step-heading.ts'
import { type Choices, hasQuestions, type Report } from './steps.ts'

interface Props {
  choices: Choices
  report: Required<Pick<Report, 'where' | 'told' | 'questions' | 'answers'>>
  moved: boolean
  /** What it throws is shown here. */
  onSend: () => Promise<void>
  onChange: (step: 'where' | 'ask' | 'tell') => void
}

/** Everything once more, before it is sent. */
export function LookStep({ choices, report, moved, onSend, onChange }: Props) {
  const { t } = useLingui()
  const { where, told, questions, answers } = report
  const heading = useStepHeading(moved)
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState('')
  const category = choices.categories.find(({ id }) => id === where.categoryId)
  const send = async () => {
    setBusy(true)
    setRefusal('')
    try {
      await onSend()
    } catch (error) {
      setRefusal(sentenceOf(error))
      setBusy(false)
    }
  }
  const asked = allFields(questions.definition).flatMap((field) => {
    const answer = answers[field.name]
    return answer === undefined ? [] : [[field.label, inWords(field, answer)] as const]
  })
  const files = (told.files ?? []).map(({ name }) => name).join(', ')
  return (
    <Card as="div">
      <h2 ref={heading} tabIndex={-1} className="mb-4 text-h3">
        <Trans>Is everything right?</Trans>
      </h2>
      {refusal && (
        <Notice tone="danger" focusable className="mb-4">
          {refusal}
        </Notice>
      )}
      <Facts
        facts={[
          [t`About`, category?.name ?? ''],
          [t`Place`, where.place.text || (where.place.lat === null ? t`None` : t`At the pin on the map`)],
          ...asked,
          [
            t`What is wrong`,
            <span key="wrong" className="whitespace-pre-line">
              {told.description}
            </span>,
          ],
          [t`Photos`, files || t`None`],
          [t`Name`, told.name],
          ...(told.email ? ([[t`Email`, told.email]] as const) : []),
          ...(told.phone ? ([[t`Phone`, told.phone]] as const) : []),
        ]}
      />
      {category && (
        <p className="mt-4 text-muted text-sm">
          {category.days === 1 ? (
            <Trans>We try to have it done within one working day.</Trans>
          ) : (
            <Trans>We try to have it done within {category.days} working days.</Trans>
          )}
        </p>
      )}
      <div className="mt-5 flex flex-wrap gap-3">
        <Button look="primary" busy={busy} busyLabel={<Trans>Sending...</Trans>} onClick={() => void send()}>
          <Trans>Send the request</Trans>
        </Button>
        <Button onClick={() => onChange('where')} disabled={busy}>
          <Trans>Change what and where</Trans>
        </Button>
        {hasQuestions(questions) && (
          <Button onClick={() => onChange('ask')} disabled={busy}>
            <Trans>Change the answers</Trans>
          </Button>
        )}
        <Button onClick={() => onChange('tell')} disabled={busy}>
          <Trans>Change the rest</Trans>
        </Button>
      </div>
    </Card>
  )
}
