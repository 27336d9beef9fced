import { Plural, Trans } from '@lingui/react/macro'
import { Map as MapIcon, MessageSquarePlus } from 'lucide-react'
import { useState } from 'react'
import type { AnswerOf } from '../../../../shared/endpoint.ts'
import { call, sentenceOf } from '../../../../web/call.ts'
import { shortDay } from '../../../../web/clock.ts'
import { go } from '../../../../web/go.ts'
import { useAnswer } from '../../../../web/query.ts'
import { Answered } from '../../../../web/ui/Answered.tsx'
import { LinkButton } from '../../../../web/ui/Button.tsx'
import { Panel } from '../../../../web/ui/Card.tsx'
import { Link } from '../../../../web/ui/Link.tsx'
import { Notice } from '../../../../web/ui/Notice.tsx'
import { Measure, PageHead } from '../../../../web/ui/Page.tsx'
import { EmptyState } from '../../../../web/ui/States.tsx'
import { StateBadge } from '../../../../web/ui/StatusBadge.tsx'
import { myRequests, openMyRequest } from '../../contract.ts'
import { requestStates } from '../../states.ts'

type Mine = AnswerOf<typeof myRequests>

/** What a resident reported, and what they follow (specification 2.1). */
export default function RequestsScreen() {
  const answer = useAnswer(myRequests, {})
  const report = (
    <LinkButton to="/communication/new" look="primary" icon={MessageSquarePlus}>
      <Trans>Report something</Trans>
    </LinkButton>
  )
  return (
    <Measure className="py-10 md:py-14">
      <PageHead title={<Trans>Communication</Trans>} actions={report}>
        <Trans>Complaints, potholes, street lights, stray dogs: tell us, and see what becomes of it.</Trans>
      </PageHead>
      <Answered answer={answer} loading={<Trans>Loading your requests</Trans>}>
        {(mine) => (
          <>
            {mine.hasMap && <Reported />}
            {mine.requests.length === 0 && mine.followed.length === 0 ? (
              <EmptyState title={<Trans>No requests yet</Trans>} action={report}>
                <Trans>What you report stands here, with its number and what becomes of it.</Trans>
              </EmptyState>
            ) : (
              <Lists mine={mine} />
            )}
          </>
        )}
      </Answered>
    </Measure>
  )
}

/** Stands in what is loaded, so that nothing moves when it is known that the town has it. */
const Reported = () => (
  <LinkButton to="/communication/reported" icon={MapIcon} className="mb-6">
    <Trans>What was reported</Trans>
  </LinkButton>
)

function Lists({ mine: { requests, followed, more } }: { mine: Mine }) {
  const [refusal, setRefusal] = useState('')
  const [busy, setBusy] = useState(false)
  const open = async (requestId: number) => {
    setBusy(true)
    try {
      const { token } = await call(openMyRequest, { requestId })
      go(`/communication/request/${token}`)
    } catch (error) {
      setRefusal(sentenceOf(error))
      setBusy(false)
    }
  }
  return (
    <div className="grid gap-6">
      {refusal && <Notice tone="danger">{refusal}</Notice>}
      {requests.length > 0 && (
        <Panel id="mine" title={<Trans>Your requests</Trans>}>
          <ul className="divide-y divide-line">
            {requests.map(({ id, number, title, place, at, status, isNew }) => (
              <li key={id} className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1 py-3">
                <div className="min-w-0">
                  <button type="button" className="link text-start" disabled={busy} onClick={() => void open(id)}>
                    {title} <span className="text-muted">{number}</span>
                  </button>
                  <p className="wrap-anywhere text-muted text-sm">
                    {place && <>{place} · </>}
                    <Trans>Sent on {shortDay(at)}</Trans>
                  </p>
                  {isNew && (
                    <p className="font-bold text-link text-sm">
                      <Trans>New answer</Trans>
                    </p>
                  )}
                </div>
                <StateBadge of={requestStates} state={status} />
              </li>
            ))}
          </ul>
          {more && (
            <p className="mt-3 text-muted text-sm">
              <Plural value={requests.length} one="The newest one is shown." other="The # newest ones are shown." />
            </p>
          )}
        </Panel>
      )}
      {followed.length > 0 && (
        <Panel id="followed" title={<Trans>Followed by you</Trans>}>
          <ul className="divide-y divide-line">
            {followed.map(({ number, title, place, at, status, path }) => (
              <li key={number} className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1 py-3">
                <div className="min-w-0">
                  <Link className="link" to={path}>
                    {title} <span className="text-muted">{number}</span>
                  </Link>
                  <p className="wrap-anywhere text-muted text-sm">
                    {place && <>{place} · </>}
                    <Trans>Reported on {shortDay(at)}</Trans>
                  </p>
                </div>
                <StateBadge of={requestStates} state={status} />
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </div>
  )
}
