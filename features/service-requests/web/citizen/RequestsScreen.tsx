import { Plural, Trans } from '@lingui/react/macro'
import { Map as MapIcon, MessageSquarePlus } from 'lucide-react'
import type { ResponseOf } from '../../../../shared/endpoint.ts'
import { call } from '../../../../web/call.ts'
import { CaseRow, openingPath, useOpenCase } from '../../../../web/cases/CaseRow.tsx'
import { shortDay } from '../../../../web/clock.ts'
import { useResponse } from '../../../../web/query.ts'
import { ResponseView } from '../../../../web/ui/ResponseView.tsx'
import { LinkButton } from '../../../../web/ui/Button.tsx'
import { Panel } from '../../../../web/ui/Card.tsx'
import { Notice } from '../../../../web/ui/Notice.tsx'
import { Measure, PageHead } from '../../../../web/ui/Page.tsx'
import { EmptyState } from '../../../../web/ui/States.tsx'
import { StateBadge } from '../../../../web/ui/StatusBadge.tsx'
import { myRequests, openMyRequest } from '../../contract.ts'
import { requestStates } from '../../states.ts'
import { Text } from '../../../../web/ui/Text.tsx'

type MyRequestsResponse = ResponseOf<typeof myRequests>

/** Requests that a resident sent or follows (spec 2.1). */
export default function RequestsScreen() {
  const response = useResponse(myRequests, {})
  const report = (
    <LinkButton to="/communication/new" variant="primary" icon={MessageSquarePlus}>
      <Trans>Report a problem</Trans>
    </LinkButton>
  )
  return (
    <Measure className="py-10 md:py-14">
      <PageHead title={<Trans>Communication</Trans>} actions={report}>
        <Trans>
          Submit a complaint, or report a problem such as a pothole, street light or stray dog. You can then follow the
          status of your request.
        </Trans>
      </PageHead>
      <ResponseView response={response} loading={<Trans>Loading your requests</Trans>}>
        {(own) => (
          <>
            {own.hasMap && <Reported />}
            {own.requests.length === 0 && own.followed.length === 0 ? (
              <EmptyState title={<Trans>No requests yet</Trans>} action={report}>
                <Trans>Your requests appear here, with their number and status.</Trans>
              </EmptyState>
            ) : (
              <Lists loaded={own} />
            )}
          </>
        )}
      </ResponseView>
    </Measure>
  )
}

/** Link to the public requests. Renders together with the lists, so that the content does not move later. */
const Reported = () => (
  <LinkButton to="/communication/reported" icon={MapIcon} className="mb-6">
    <Trans>Reported problems</Trans>
  </LinkButton>
)

function Lists({ loaded: { requests, followed, more } }: { loaded: MyRequestsResponse }) {
  const { refusal } = useOpenCase((requestId) => call(openMyRequest, { requestId }), '/communication/request')
  return (
    <div className="grid gap-6">
      {refusal && <Notice tone="danger">{refusal}</Notice>}
      {requests.length > 0 && (
        <Panel id="mine" title={<Trans>Your requests</Trans>}>
          <ul className="divide-y divide-line">
            {requests.map(({ id, number, title, location, at, status, isNew }) => (
              <CaseRow
                key={id}
                title={title}
                number={number}
                isNew={isNew}
                to={openingPath('/communication', id)}
                badge={<StateBadge of={requestStates} state={status} />}
              >
                <Text>{location && `${location} · `}</Text>
                <Trans>Submitted on {shortDay(at)}</Trans>
              </CaseRow>
            ))}
          </ul>
          {more && (
            <p className="mt-3 text-muted text-sm">
              <Plural
                value={requests.length}
                one="The list shows the newest request."
                other="The list shows the # newest requests."
              />
            </p>
          )}
        </Panel>
      )}
      {followed.length > 0 && (
        <Panel id="followed" title={<Trans>Requests you follow</Trans>}>
          <ul className="divide-y divide-line">
            {followed.map(({ number, title, location, at, status, path }) => (
              <CaseRow
                key={number}
                title={title}
                number={number}
                to={path}
                badge={<StateBadge of={requestStates} state={status} />}
              >
                <Text>{location && `${location} · `}</Text>
                <Trans>Reported on {shortDay(at)}</Trans>
              </CaseRow>
            ))}
          </ul>
        </Panel>
      )}
    </div>
  )
}
