import { Trans } from '@lingui/react/macro'
import type { ResponseOf } from '../../../../shared/endpoint.ts'
import { translated } from '../../../../shared/messages.ts'
import { useAct } from '../../../../web/act.ts'
import { call } from '../../../../web/call.ts'
import { longInstant } from '../../../../web/clock.ts'
import { reload, useResponse } from '../../../../web/query.ts'
import { type ScreenUrl, useParam } from '../../../../web/routes.tsx'
import { ResponseView } from '../../../../web/ui/ResponseView.tsx'
import { Button } from '../../../../web/ui/Button.tsx'
import { Card } from '../../../../web/ui/Card.tsx'
import { Notice } from '../../../../web/ui/Notice.tsx'
import { Measure, PageHead } from '../../../../web/ui/Page.tsx'
import { PlainForm } from '../../../../web/ui/PlainForm.tsx'
import { StateBadge } from '../../../../web/ui/StatusBadge.tsx'
import { changeFollowing, followedRequest } from '../../contract.ts'
import { requestStates } from '../../states.ts'
import { Text } from '../../../../web/ui/Text.tsx'

type FollowedRequestResponse = ResponseOf<typeof followedRequest>

export const calls = ({ params: { token = '' } }: ScreenUrl) => [[followedRequest, { token }]] as const

/**
 * Screen that opens from the link in emails to followers. Shows the status of the request, with buttons to confirm or
 * unfollow.
 */
export default function FollowedScreen() {
  const token = useParam('token')
  const response = useResponse(followedRequest, { token })
  return (
    <Measure className="py-10 md:py-14">
      <div className="mx-auto max-w-text">
        <PageHead title={<Trans>Followed Request</Trans>}>
          {response.data && (
            <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <span>
                <Text>{response.data.number}</Text> · <Text>{response.data.title}</Text>
                <Text>{response.data.location && `, ${response.data.location}`}</Text>
              </span>
              <StateBadge of={requestStates} state={response.data.status} />
            </span>
          )}
        </PageHead>
        <ResponseView response={response} shape="lines" loading={<Trans>Loading the request</Trans>}>
          {(followed) => <FollowedRequest token={token} followed={followed} />}
        </ResponseView>
      </div>
    </Measure>
  )
}

function FollowedRequest({
  token,
  followed: { number, steps, following, mergedInto },
}: {
  token: string
  followed: FollowedRequestResponse
}) {
  const { act, busy, refusal } = useAct(() => reload(followedRequest))
  const change = (follow: boolean) => void act(() => call(changeFollowing, { token, follow }))
  return (
    <div className="flex flex-col gap-6">
      {refusal && <Notice tone="danger">{refusal}</Notice>}
      <Card as="div">
        <p className="mb-4">
          {following === 'asked' && <Trans>Do you want email updates on request {number}?</Trans>}
          {following === 'yes' && <Trans>You are following request {number} and will get updates by email.</Trans>}
          {following === 'stopped' && <Trans>You are no longer following request {number}.</Trans>}
        </p>
        {mergedInto && (
          <p className="mb-4">
            <Trans>
              This problem was already reported as request {mergedInto}. Followers of this request now get updates on
              that one.
            </Trans>
          </p>
        )}
        <PlainForm call={changeFollowing} onSubmit={() => !busy && change(following !== 'yes')}>
          <Button
            type="submit"
            name="follow"
            value={following === 'yes' ? 'no' : 'yes'}
            variant={following === 'yes' ? 'secondary' : 'primary'}
            busy={busy}
          >
            {following === 'yes' && <Trans>Stop following</Trans>}
            {following === 'asked' && <Trans>Follow request</Trans>}
            {following === 'stopped' && <Trans>Follow again</Trans>}
          </Button>
        </PlainForm>
      </Card>
      <section aria-labelledby="steps">
        <h2 id="steps" className="mb-3 text-h3">
          <Trans>Status history</Trans>
        </h2>
        <ol className="flex flex-col gap-2">
          {steps.map(({ at, status }) => (
            <li key={at} className="flex flex-wrap gap-x-3">
              <strong>{translated(requestStates.labels[status])}</strong>
              <span className="text-muted">{longInstant(at)}</span>
            </li>
          ))}
        </ol>
      </section>
    </div>
  )
}
