import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { call, CallError } from '../../../web/call.ts'
import FieldSteps from '../../../web/fields/FieldSteps.tsx'
import { uploadNothing } from '../../../web/fields/surroundings.tsx'
import { reload, useResponse } from '../../../web/query.ts'
import { type ScreenUrl, useParam } from '../../../web/routes.tsx'
import { ResponseView } from '../../../web/ui/ResponseView.tsx'
import { Card } from '../../../web/ui/Card.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { Measure, PageHead } from '../../../web/ui/Page.tsx'
import { Scripted } from '../../../web/ui/PlainForm.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { rentalToSign, signByLink } from '../contract-agreements.ts'
import { AgreementTexts, SignedSheet } from './Agreement.tsx'
import { spanText } from '../../../web/time-text.ts'
import { Text } from '../../../web/ui/Text.tsx'

export const calls = ({ params: { token = '' } }: ScreenUrl) => [[rentalToSign, { token }]] as const

/** Screen where a renter who reserved by phone answers questions and signs. The emailed link opens the screen. */
export default function SignScreen() {
  const token = useParam('token')
  // Loaded only once, so that the questions do not change while the renter answers.
  const response = useResponse(rentalToSign, { token }, { staleTime: Number.POSITIVE_INFINITY, gcTime: 0 })
  return (
    <Measure className="min-h-dvh py-10 md:py-14">
      <div className="mx-auto max-w-text">
        <PageHead title={<Trans>Your Agreement</Trans>}>
          {response.data && (
            <>
              <span className="block font-bold">
                <Text>{response.data.title}</Text>, <Text>{response.data.number}</Text>
              </span>
              <Text>{spanText(response.data)}</Text>
              {response.data.dates > 1 && (
                <span className="block">
                  <Trans>This is the first of {response.data.dates} dates. Your answers apply to all of them.</Trans>
                </span>
              )}
            </>
          )}
        </PageHead>
        <ResponseView response={response} loading={<Trans>Loading questions</Trans>} shape="lines">
          {(view) =>
            view.questions && !view.signed ? (
              <>
                <noscript>
                  <AgreementTexts of={{ ...view.questions, answers: view.questions.start }} />
                </noscript>
                <Scripted>
                  <Card as="div">
                    <SignForm key={view.questions.version} token={token} questions={view.questions} />
                  </Card>
                </Scripted>
              </>
            ) : (
              <Card as="div">
                {view.signed ? (
                  <>
                    <Notice tone="success" className="mb-4">
                      <Trans>The agreement has been signed. Thank you.</Trans>
                    </Notice>
                    <SignedSheet of={view.signed} />
                  </>
                ) : (
                  <Notice>
                    <Trans>This reservation no longer needs a signature.</Trans>
                  </Notice>
                )}
              </Card>
            )
          }
        </ResponseView>
      </div>
    </Measure>
  )
}

interface SignQuestionsProps {
  token: string
  questions: NonNullable<ResponseOf<typeof rentalToSign>['questions']>
}

function SignForm({ token, questions }: SignQuestionsProps) {
  const [start] = useState(questions.start)
  return (
    <FieldSteps
      {...{ definition: questions.definition, start, today: questions.today }}
      upload={uploadNothing}
      draft={`rental-sign-${token.slice(0, 8)}-${questions.version}`}
      doneLabel={<Trans>Sign and submit agreement</Trans>}
      onDone={async (answers) => {
        try {
          toast((await call(signByLink, { token, version: questions.version, answers: { ...answers } })).message)
        } catch (error) {
          if (!(error instanceof CallError) || error.code !== 'questions_changed') throw error
          toast(error.message, 'danger')
        }
        await reload(rentalToSign)
      }}
    />
  )
}
