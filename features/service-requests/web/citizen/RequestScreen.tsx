import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { ResponseOf } from '../../../../shared/endpoint.ts'
import { useAct } from '../../../../web/act.ts'
import { call } from '../../../../web/call.ts'
import { CaseMessages } from '../../../../web/cases/CaseMessages.tsx'
import { shortDay } from '../../../../web/clock.ts'
import { reload, useResponse } from '../../../../web/query.ts'
import { type ScreenUrl, useParam } from '../../../../web/routes.tsx'
import { LinkButton } from '../../../../web/ui/Button.tsx'
import { Card, DetailList } from '../../../../web/ui/Card.tsx'
import { ConfirmButton } from '../../../../web/ui/ConfirmButton.tsx'
import { Notice } from '../../../../web/ui/Notice.tsx'
import { cancelRequest, requestByLink, requestCase } from '../../contract.ts'
import { Repair } from './Repair.tsx'
import { FeedbackForm } from './FeedbackForm.tsx'
import { requestStatus } from '../../rules.ts'

type RequestByLinkResponse = ResponseOf<typeof requestByLink>

export const calls = ({ params: { token = '' } }: ScreenUrl) =>
  [
    [requestByLink, { token }],
    [requestCase.messages, { token }],
  ] as const

/** Screen that opens from the emailed link of a request. Shows the report, its status and the requester's actions. */
export default function RequestScreen() {
  const { t } = useLingui()
  const token = useParam('token')
  const { data, error } = useResponse(requestByLink, { token })
  // Waits for both responses, so that the content does not move while the requester reads.
  return (
    <CaseMessages
      of={requestCase}
      token={token}
      title={<Trans>Your Request</Trans>}
      loading={<Trans>Loading your request</Trans>}
      failed={<Trans>Your request could not be loaded</Trans>}
      nextLink={
        <LinkButton className="mt-5" to="/communication/new">
          <Trans>Submit a new request</Trans>
        </LinkButton>
      }
      closed={
        <Notice>
          <Trans>This request is closed. For anything else, submit a new request.</Trans>
        </Notice>
      }
      reopensHint={t`Your message will reopen the request.`}
      byline={(by) => by}
      beside={data && <Beside token={token} request={data} />}
      waits={!data && !error}
    />
  )
}

function Beside({ token, request }: { token: string; request: RequestByLinkResponse }) {
  const { t } = useLingui()
  const { number, location, dueAt, answers, followers, mergedInto, status, can, feedback, reopenUntil, photos } =
    request
  const { act, busy, refusal } = useAct(() => Promise.all([reload(requestByLink), reload(requestCase.messages)]))
  const isOpen =
    status === requestStatus.new || status === requestStatus.inProgress || status === requestStatus.reopened
  return (
    <div className="mb-8 flex flex-col gap-5">
      {refusal && <Notice tone="danger">{refusal}</Notice>}
      {mergedInto && (
        <Notice>
          <Trans>
            This problem was already reported as request {mergedInto}. You will get updates on that request.
          </Trans>
        </Notice>
      )}
      <Card as="div">
        <DetailList
          details={[
            ...(location ? ([[t`Location`, location]] as const) : []),
            ...(isOpen ? ([[t`Target date`, shortDay(dueAt)]] as const) : []),
            ...answers.map(({ label, value }) => [label, value] as const),
            ...(followers > 0
              ? ([[t`Followed by`, <Plural value={followers} one="# other person" other="# other people" />]] as const)
              : []),
            ...(feedback
              ? ([[t`Your feedback`, feedback === 'fixed' ? t`Problem fixed` : t`Problem not fixed`]] as const)
              : []),
          ]}
        />
        <ConfirmButton
          call={cancelRequest}
          label={<Trans>Cancel request</Trans>}
          title={<Trans>Cancel request {number}?</Trans>}
          isAllowed={can.cancel}
          busy={busy}
          onConfirm={() => act(() => call(cancelRequest, { token }))}
        >
          <Trans>We will not work on this request. Its status will be “Cancelled”.</Trans>
        </ConfirmButton>
      </Card>
      {photos.length > 0 && <Repair token={token} photos={photos} />}
      {can.giveFeedback && (
        <FeedbackForm token={token} number={number} reopenUntil={reopenUntil} hasPhotos={photos.length > 0} />
      )}
    </div>
  )
}
