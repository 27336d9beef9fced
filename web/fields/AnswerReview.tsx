import { Trans } from '@lingui/react/macro'
import type { Answers } from '../../shared/fields/answer.ts'
import { answersOf, stepKey } from '../../shared/fields/answers.ts'
import type { Definition } from '../../shared/fields/definition.ts'
import { answerDetails } from './answer-facts.tsx'

interface AnswerReviewProps {
  definition: Definition
  answers: Answers
  today: string
  /** Returns the person to the field with this name, so that they can change the answer. */
  onChange: (name: string) => void
}

/** Review of all answers before sending, each with a link to its field. */
export function AnswerReview({ definition, answers, today, onChange }: AnswerReviewProps) {
  const { visibleKeys } = answersOf(definition, answers, today)
  const details = definition.steps
    .filter((step) => visibleKeys.has(stepKey(step.id)))
    .flatMap((step) => answerDetails(step, visibleKeys, answers))
  const computed = new Set(
    definition.steps.flatMap(({ fields }) => fields.flatMap(({ name, type }) => (type === 'computed' ? [name] : []))),
  )
  return (
    <dl>
      {details.map(({ name, label, value }) => (
        <div key={name} className="grid grid-cols-[1fr_auto] gap-x-4 border-line border-b py-2">
          <dt className="text-muted text-sm">{label}</dt>
          <dd className="col-start-1 min-w-0 whitespace-pre-line wrap-anywhere">{value}</dd>
          {!computed.has(name) && (
            <dd className="col-start-2 row-span-2 row-start-1">
              <button type="button" className="link min-h-6" onClick={() => onChange(name)}>
                <Trans>
                  Change<span className="spoken"> {label}</span>
                </Trans>
              </button>
            </dd>
          )}
        </div>
      ))}
    </dl>
  )
}
