import { Trans, useLingui } from '@lingui/react/macro'
import { allFields } from '../../../../shared/fields/walk.ts'
import { answerText } from '../../../../shared/fields/labels.ts'
import { FinalReview } from '../../../../web/cases/SendingSteps.tsx'
import { type Choices, hasQuestions, type Report } from './steps.ts'

interface Props {
  choices: Choices
  report: Required<Pick<Report, 'where' | 'details' | 'questions' | 'answers'>>
  moved: boolean
  /** Sends the report. If it throws an error, this step shows the error. */
  onSend: () => Promise<void>
  onChange: (step: 'where' | 'questions' | 'details') => void
}

/** Summary of the report before it is sent. */
export function ReviewStep({ choices, report, moved, onSend, onChange }: Props) {
  const { t } = useLingui()
  const { where, details, questions, answers } = report
  const category = choices.categories.find(({ id }) => id === where.categoryId)
  const answerRows = allFields(questions.definition).flatMap((field) => {
    const answer = answers[field.name]
    return answer === undefined ? [] : [[field.label, answerText(field, answer)] as const]
  })
  const files = (details.files ?? []).map(({ name }) => name).join(', ')
  return (
    <FinalReview
      details={[
        [t`About`, category?.name ?? ''],
        [t`Location`, where.location.text || (where.location.lat === null ? t`None` : t`At the pin on the map`)],
        ...answerRows,
        [
          t`Problem`,
          <span key="wrong" className="whitespace-pre-line">
            {details.description}
          </span>,
        ],
        [t`Photos`, files || t`None`],
        [t`Name`, details.name],
        ...(details.email ? ([[t`Email`, details.email]] as const) : []),
        ...(details.phone ? ([[t`Phone`, details.phone]] as const) : []),
      ]}
      moved={moved}
      send={<Trans>Submit the request</Trans>}
      onSend={onSend}
      changes={[
        { key: 'where', label: <Trans>Edit topic and location</Trans>, onPress: () => onChange('where') },
        ...(hasQuestions(questions)
          ? [{ key: 'questions', label: <Trans>Edit answers</Trans>, onPress: () => onChange('questions') }]
          : []),
        { key: 'details', label: <Trans>Edit description and contact</Trans>, onPress: () => onChange('details') },
      ]}
    >
      {category && (
        <p className="mt-4 text-muted text-sm">
          {category.days === 1 ? (
            <Trans>We aim to complete your request within one business day.</Trans>
          ) : (
            <Trans>We aim to complete your request within {category.days} business days.</Trans>
          )}
        </p>
      )}
    </FinalReview>
  )
}
