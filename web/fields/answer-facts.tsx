import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { Answer, Answers, SignatureAnswer } from '../../shared/fields/answer.ts'
import type { Field, FormStep } from '../../shared/fields/definition.ts'
import { SIGNATURE_SIDE } from '../../shared/fields/signature.ts'
import { answerText } from '../../shared/fields/labels.ts'
import { say } from '../../shared/messages.ts'

export interface AnswerDetail {
  name: string
  label: string
  value: ReactNode
}

/** Lists the visible questions of a step with their answers. A drawn signature is shown as an image. */
export const answerDetails = (step: FormStep, visible: ReadonlySet<string>, answers: Answers): AnswerDetail[] =>
  step.fields
    .filter(({ name, type }) => visible.has(name) && type !== 'reading')
    .map((field) => ({ name: field.name, label: field.label, value: valueOf(field, answers[field.name]) }))

function valueOf(field: Field, answer: Answer | undefined): ReactNode {
  if (field.type === 'checkbox') return answer ? <Trans>Yes</Trans> : <Trans>No</Trans>
  if (answer === undefined) return <Trans>Not answered</Trans>
  const isDrawing = field.type === 'signature' && 'drawn' in (answer as SignatureAnswer)
  return isDrawing ? <SignatureDrawing lines={(answer as Drawing).drawn} /> : answerText(field, answer)
}

type Drawing = Extract<SignatureAnswer, { drawn: unknown }>

const SignatureDrawing = ({ lines }: { lines: Drawing['drawn'] }) => (
  <svg
    role="img"
    aria-label={say`Signature`}
    viewBox={`0 0 ${SIGNATURE_SIDE} ${SIGNATURE_SIDE}`}
    preserveAspectRatio="none"
    className="aspect-5/2 w-60 border border-line bg-white"
  >
    {lines.map((line, at) => (
      <polyline
        key={at}
        points={line.map((point) => point.join()).join(' ')}
        fill="none"
        stroke="#111111"
        strokeWidth="2"
        strokeLinecap="round"
        vectorEffect="non-scaling-stroke"
      />
    ))}
  </svg>
)
