import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import type { Answers } from '../../../shared/fields/answer.ts'
import { answersOf } from '../../../shared/fields/answers.ts'
import { allFields } from '../../../shared/fields/walk.ts'
import { call } from '../../../web/call.ts'
import { longInstant } from '../../../web/clock.ts'
import { AnswerSheet } from '../../../web/fields/StaffFields.tsx'
import { reload } from '../../../web/query.ts'
import { OwnOnly } from '../../../web/ui/OwnOnly.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { Card } from '../../../web/ui/Card.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { myAgreement, type SignedAgreement, signRental } from '../contract-agreements.ts'
import Questions from './Questions.tsx'

interface AgreementProps {
  reservationId: number
  resourceId: number
  of: ResponseOf<typeof myAgreement>
}

/** Signed agreement of a reservation, or the request to sign it. Renders nothing if the resource has no agreement. */
export function Agreement({ reservationId, resourceId, of }: AgreementProps) {
  const [signs, setSigns] = useState(false)
  if (!of.signed && !of.canSign) return null
  return (
    <Card>
      <h2 className="mb-3 text-h3">
        <Trans>Questions and agreement</Trans>
      </h2>
      {of.signed ? (
        <SignedSheet of={of.signed} />
      ) : (
        <>
          <Notice className="mb-4" tone="warning" title={<Trans>The agreement is not signed yet</Trans>}>
            <Trans>
              Answer the questions and sign the agreement before you arrive. You can't check in without a signed
              agreement.
            </Trans>
          </Notice>
          {signs ? (
            <Questions
              {...{ resourceId, reservationId }}
              doneLabel={<Trans>Sign and submit agreement</Trans>}
              onDone={async (input) => {
                toast((await call(signRental, { reservationId, ...input })).message)
                await reload(myAgreement)
              }}
            />
          ) : (
            <OwnOnly>
              <Button variant="primary" onClick={() => setSigns(true)}>
                <Trans>Answer and sign</Trans>
              </Button>
            </OwnOnly>
          )}
        </>
      )}
    </Card>
  )
}

type AgreementText = Pick<SignedAgreement, 'definition' | 'answers' | 'today'>

/** Agreement texts of the questions that these answers show. */
export function AgreementTexts({ of: { definition, answers, today } }: { of: AgreementText }) {
  const { visibleKeys } = answersOf(definition, answers, today)
  const texts = allFields(definition).flatMap((field) =>
    field.type === 'reading' && visibleKeys.has(field.name) ? [field] : [],
  )
  return texts.map(({ name, label, text }) => (
    <details key={name} className="mb-3">
      <summary className="link w-fit cursor-pointer">{label}</summary>
      <p className="mt-2 rounded-sm bg-tint p-4 whitespace-pre-line wrap-anywhere">{text}</p>
    </details>
  ))
}

/** Answers, agreed texts, signer and time of a signed agreement. */
export const SignedSheet = ({ of }: { of: SignedAgreement }) => (
  <>
    <p className="mb-3 text-muted">
      {of.byStaff ? (
        <Trans>
          Answered on {longInstant(of.at)} by staff member {of.by}, using version {of.version} of the questions
        </Trans>
      ) : (
        <Trans>
          Signed on {longInstant(of.at)} by {of.by}, using version {of.version} of the questions
        </Trans>
      )}
    </p>
    <AgreementTexts of={of} />
    <AnswerSheet definition={of.definition} answers={of.answers as Answers} today={of.today} />
  </>
)
