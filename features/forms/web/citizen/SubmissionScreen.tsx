import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { ResponseOf } from '../../../../shared/endpoint.ts'
import { formatCents } from '../../../../shared/money.ts'
import { useAct } from '../../../../web/act.ts'
import { call, messageOf } from '../../../../web/call.ts'
import { CaseMessages } from '../../../../web/cases/CaseMessages.tsx'
import { shortInstant } from '../../../../web/clock.ts'
import { go } from '../../../../web/go.ts'
import { reload, useResponse } from '../../../../web/query.ts'
import { type ScreenUrl, useParam } from '../../../../web/routes.tsx'
import { Button, LinkButton } from '../../../../web/ui/Button.tsx'
import { Card, DetailList } from '../../../../web/ui/Card.tsx'
import { ConfirmButton } from '../../../../web/ui/ConfirmButton.tsx'
import { Notice, Refusal } from '../../../../web/ui/Notice.tsx'
import { issuedDocumentByLink } from '../../contract-documents.ts'
import { IssuedToMe } from '../documents/IssuedToMe.tsx'
import { payForm, submissionByLink, submissionCase, withdrawForm } from '../../contract.ts'
import { submissionStatus } from '../../rules.ts'

type SubmissionByLinkResponse = ResponseOf<typeof submissionByLink>

export const calls = ({ params: { token = '' } }: ScreenUrl) =>
  [
    [submissionByLink, { token }],
    [issuedDocumentByLink, { token }],
    [submissionCase.messages, { token }],
  ] as const

/** One submission for its sender: status, answers, timeline and actions. */
export default function SubmissionScreen() {
  const token = useParam('token')
  const { data, error } = useResponse(submissionByLink, { token })
  const { isPending } = useResponse(issuedDocumentByLink, { token })
  return (
    <CaseMessages
      of={submissionCase}
      token={token}
      title={<Trans>Your Form</Trans>}
      loading={<Trans>Loading your form</Trans>}
      failed={<Trans>Could not load your form</Trans>}
      nextLink={
        <LinkButton className="mt-5" to="/forms-documents">
          <Trans>Your forms</Trans>
        </LinkButton>
      }
      closed={
        <Notice>
          <Trans>This form is closed. If you need something else, fill out the form again.</Trans>
        </Notice>
      }
      reopensHint=""
      byline={(by) => by}
      beside={data && <Beside token={token} submission={data} />}
      waits={isPending || (!data && !error)}
    />
  )
}

function Beside({ token, submission }: { token: string; submission: SubmissionByLinkResponse }) {
  const { t } = useLingui()
  const { id, number, status, sentAt, enteredBy, answers, feeCents, paidCents, requestedInfo, signer, can } = submission
  const [paying, setPaying] = useState(false)
  const [unpaid, setUnpaid] = useState<string | null>(null)
  const { act, busy, refusal } = useAct(() => Promise.all([reload(submissionByLink), reload(submissionCase.messages)]))
  const pay = async () => {
    setPaying(true)
    try {
      const { token: checkout } = await call(payForm, { token })
      go(`/guest/payment/${checkout}`)
    } catch (error) {
      setUnpaid(messageOf(error))
      setPaying(false)
    }
  }
  return (
    <div className="mb-8 flex flex-col gap-5">
      <Refusal>{refusal || unpaid}</Refusal>
      {can.pay && (
        <Notice tone="warning" title={<Trans>Your fee has not been paid yet</Trans>}>
          <p className="mb-3">
            <Trans>We will start the review after you pay {formatCents(feeCents - paidCents)}.</Trans>
          </p>
          <Button variant="primary" busy={paying} onClick={() => void pay()}>
            <Trans>Pay {formatCents(feeCents - paidCents)}</Trans>
          </Button>
        </Notice>
      )}
      {sentAt === null && status === submissionStatus.draft && (
        <Notice tone="info">
          <Trans>We emailed {signer.name} a link to sign this form. The form will be submitted after they sign.</Trans>
        </Notice>
      )}
      {requestedInfo && (
        <Notice
          tone="warning"
          title={
            status === submissionStatus.moreInfoNeeded ? (
              <Trans>We have a question</Trans>
            ) : status === submissionStatus.rejected ? (
              <Trans>Your form was rejected</Trans>
            ) : (
              <Trans>The approval was revoked</Trans>
            )
          }
        >
          <p className="whitespace-pre-line wrap-anywhere">{requestedInfo}</p>
          {can.change ? (
            <LinkButton className="mt-3" variant="primary" to={`/forms-documents/fill/${id}`}>
              <Trans>Make changes and resubmit</Trans>
            </LinkButton>
          ) : (
            (status === submissionStatus.rejected || status === submissionStatus.moreInfoNeeded) && (
              <p className="mt-2">
                <Trans>Sign in to make changes and resubmit.</Trans>
              </p>
            )
          )}
        </Notice>
      )}
      <IssuedToMe token={token} id={id} sent={sentAt !== null} />
      <Card as="div">
        <DetailList
          details={[
            ...(sentAt ? ([[t`Submitted`, shortInstant(sentAt)]] as const) : []),
            ...(enteredBy ? ([[t`Filled out by`, enteredBy]] as const) : []),
            ...answers.map(({ label, value }) => [label, value || '–'] as const),
            ...(feeCents > 0
              ? ([[t`Fee`, paidCents >= feeCents ? t`${formatCents(feeCents)}, paid` : formatCents(feeCents)]] as const)
              : []),
            ...(signer.signedAt
              ? ([[t`Signed by`, t`${signer.name}, ${shortInstant(signer.signedAt)}`]] as const)
              : []),
          ]}
        />
        <ConfirmButton
          call={withdrawForm}
          label={<Trans>Withdraw submission</Trans>}
          title={<Trans>Withdraw form {number}?</Trans>}
          isAllowed={can.withdraw}
          busy={busy}
          onConfirm={() => act(() => call(withdrawForm, { token }))}
        >
          <Trans>We will not review this form. It will stay in your list as “Withdrawn”.</Trans>
        </ConfirmButton>
      </Card>
    </div>
  )
}
