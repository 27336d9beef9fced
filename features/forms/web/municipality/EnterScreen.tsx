import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import type { ResponseOf } from '../../../../shared/endpoint.ts'
import { formatCents } from '../../../../shared/money.ts'
import { call } from '../../../../web/call.ts'
import { draftOwner, dropDraft, readDraft, writeDraft } from '../../../../web/drafts.ts'
import { useSent } from '../../../../web/use-sent.ts'
import FieldSteps from '../../../../web/fields/FieldSteps.tsx'
import type { Upload } from '../../../../web/fields/surroundings.tsx'
import { reload, useResponse } from '../../../../web/query.ts'
import { useParam, useTitle } from '../../../../web/routes.tsx'
import { sendFile } from '../../../../web/send-file.ts'
import { ResponseView } from '../../../../web/ui/ResponseView.tsx'
import { LinkButton } from '../../../../web/ui/Button.tsx'
import { Card } from '../../../../web/ui/Card.tsx'
import { Link } from '../../../../web/ui/Link.tsx'
import { Notice } from '../../../../web/ui/Notice.tsx'
import { PageHead } from '../../../../web/ui/Page.tsx'
import { answerFiles, counterForm, enterAnswerFile, enterForm } from '../../contract.ts'
import { submissions } from '../../list.ts'
import { Review } from '../citizen/Review.tsx'
import { useReview } from '../use-review.ts'

const HOME = '/municipality/manage/manage-forms-and-docs'
type CounterFormResponse = ResponseOf<typeof counterForm>
type EnterFormResponse = ResponseOf<typeof enterForm>

const upload: Upload = async (_field, file) => {
  const { file_id, name } = await sendFile({ takes: enterAnswerFile, by: answerFiles, file })
  return { owner: answerFiles.kind, id: file_id, name }
}

/** Screen in which staff fill in a form for a person at the counter or on the phone. */
export default function EnterScreen() {
  const { t } = useLingui()
  const typeId = Number(useParam('typeId')) || 1
  // Loaded once. If staff publish a newer version, the server reports it when the form is sent.
  const reply = useResponse(counterForm, { typeId }, { staleTime: Number.POSITIVE_INFINITY, gcTime: 0 })
  useTitle(reply.data?.title ?? t`Form`)
  return (
    <>
      <PageHead title={reply.data?.title ?? <Trans>Form</Trans>}>
        <Trans>
          Fill out this form for a person at the counter.{' '}
          <Link className="link" to={`${HOME}?form=${typeId}`}>
            Back to the form
          </Link>
        </Trans>
      </PageHead>
      <ResponseView response={reply} loading={<Trans>Loading questions</Trans>} shape="lines">
        {(form) => <Entering key={form.version} typeId={typeId} form={form} refresh={() => void reply.refetch()} />}
      </ResponseView>
    </>
  )
}

const nobody = { name: '', email: '', phone: '' }

function Entering({ typeId, form, refresh }: { typeId: number; form: CounterFormResponse; refresh: () => void }) {
  const { definition, version, today, fee } = form
  const [owner] = useState(draftOwner)
  const name = `enter-form-${typeId}`
  const [round, setRound] = useState(0)
  const [start, setStart] = useState(() => readDraft<FieldValues>(name, owner) ?? {})
  const review = useReview(refresh)
  const { answers } = review
  const [sent, setSent] = useSent<EnterFormResponse>(name)
  if (sent)
    return (
      <Received
        sent={sent}
        onNext={() => {
          setSent(null)
          review.restart()
          setStart({})
          setRound((count) => count + 1)
        }}
      />
    )
  return (
    <div className="max-w-[38rem]">
      {fee.kind === 'fixed' && fee.cents !== null && answers === null && (
        <p className="mb-4 text-muted">
          <Trans>
            The fee for this form is {formatCents(fee.cents)}. The applicant can pay at the counter or through the link
            in the confirmation email.
          </Trans>
        </p>
      )}
      <Card as="div">
        {answers ? (
          <Review
            of={{
              ...form,
              contact: nobody,
              signer: { name: '', email: '' },
              isSentBefore: false,
              isForOther: true,
            }}
            answers={answers}
            draftName={`${name}-reached`}
            onBack={review.back}
            onSend={(reached) =>
              review.send(async () => {
                const response = await call(enterForm, { typeId, version, answers: { ...answers }, ...reached })
                dropDraft(name, owner)
                await reload(submissions.call)
                setSent(response)
              })
            }
          />
        ) : (
          <FieldSteps
            arrived={review.moved}
            key={round}
            definition={definition}
            start={start}
            today={today}
            upload={upload}
            draft={`${name}-steps`}
            openAt={review.openAt}
            onKeep={(values) => {
              setStart(values)
              writeDraft(name, values, owner)
            }}
            doneLabel={<Trans>Review</Trans>}
            onDone={review.review}
          />
        )}
      </Card>
    </div>
  )
}

function Received({ sent, onNext }: { sent: EnterFormResponse; onNext: () => void }) {
  return (
    <div className="flex max-w-text flex-col items-start gap-5">
      <Notice tone="success">{sent.message}</Notice>
      <div className="flex flex-wrap gap-3">
        {sent.next === 'pay' && (
          <LinkButton variant="primary" to={`/municipality/manage/counter?find=${sent.number}`}>
            <Trans>Take payment</Trans>
          </LinkButton>
        )}
        <LinkButton to={`/municipality/reports/forms-and-docs?submission=${sent.submissionId}`}>
          <Trans>View submission</Trans>
        </LinkButton>
        <button type="button" className="link self-center" onClick={onNext}>
          <Trans>Fill out another form</Trans>
        </button>
      </div>
    </div>
  )
}
