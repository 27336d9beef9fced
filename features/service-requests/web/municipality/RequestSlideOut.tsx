import { Trans, useLingui } from '@lingui/react/macro'
import { MapPin, MessagesSquare } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { translated } from '../../../../shared/messages.ts'
import { useAct } from '../../../../web/act.ts'
import { call } from '../../../../web/call.ts'
import { Assignee } from '../../../../web/cases/Assignee.tsx'
import { CasePanel } from '../../../../web/cases/CasePanel.tsx'
import { shortInstant } from '../../../../web/clock.ts'
import { CompanyMap } from '../../../../web/places/CompanyMap.tsx'
import { useResponse } from '../../../../web/query.ts'
import { requestParts } from '../../../../web/municipality/request-parts.ts'
import { may } from '../../../../web/session.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { PhoneLink } from '../../../../web/ui/PhoneLink.tsx'
import { DetailList } from '../../../../web/ui/Card.tsx'
import { Link, QueryLink } from '../../../../web/ui/Link.tsx'
import { Notice, Refusal } from '../../../../web/ui/Notice.tsx'
import { StateBadge, StatusBadge } from '../../../../web/ui/StatusBadge.tsx'
import { requestCase } from '../../contract.ts'
import { staffRequest, type OtherRequest } from '../../contract-staff.ts'
import { endCallBack } from '../../contract-intake.ts'
import { numberOf, sources } from '../../rules.ts'
import { requestStates } from '../../states.ts'
import { showChat } from '../open-chat.ts'
import { type Details, reloadRequests } from './fresh.ts'
import { Steps } from './Steps.tsx'
import { QueryItem } from '../../../../web/query-item.tsx'
import { CaseSlideOut } from '../../../../web/cases/CaseSlideOut.tsx'
import { Text } from '../../../../web/ui/Text.tsx'

const parts = requestParts.map((load) => lazy(load))

/** Slide-out for the request with the id from the URL. Opens over any list. */
export const RequestFromQuery = () => (
  <QueryItem name="request">{(id, close) => <RequestSlideOut id={id} onClose={close} />}</QueryItem>
)

function RequestSlideOut({ id, onClose }: { id: number; onClose: () => void }) {
  const { t } = useLingui()
  const subject = { subjectId: id }
  const response = useResponse(staffRequest, subject)
  return (
    <CaseSlideOut number={numberOf(id)} onClose={onClose} response={response}>
      {(data) => (
        <>
          {parts.map((Part, index) => (
            <Suspense key={index}>
              <Part id={id} />
            </Suspense>
          ))}
          <RequestDetails {...data} />
          <CallBack {...data} />
          <Steps {...data} />
          {may('chat', 'view') && (
            <Button
              size="small"
              className="mt-2"
              icon={MessagesSquare}
              onClick={() => {
                showChat(id)
                onClose()
              }}
            >
              <Trans>Open in chat</Trans>
            </Button>
          )}
          <CasePanel
            of={requestCase}
            subject={subject}
            viewCall={staffRequest}
            view={data}
            reload={reloadRequests}
            completeLabel={
              requestStates.states[data.request.status].open ? t`Complete the request with this reply` : undefined
            }
          />
        </>
      )}
    </CaseSlideOut>
  )
}

function RequestDetails({ request, holder }: Details) {
  const { t } = useLingui()
  const { name, email, phone, location, personId, feedback, mergedInto, late, status } = request
  const details: [string, ReactNode][] = [
    [t`Received`, shortInstant(request.at)],
    [t`Source`, translated(sources[request.source])],
    [t`Target date`, shortInstant(request.dueAt)],
    [t`Location`, location || '–'],
    [t`Name`, personId === null ? t`${name} (guest)` : t`${name} (signed in)`],
    [t`Email`, email || '–'],
    [t`Phone`, <PhoneLink key="phone" phone={phone} />],
    [t`Assigned to`, <Assignee key="assignee" name={holder.name} left={!holder.active} />],
    ...request.answers.map(({ label, value }): [string, string] => [label, value]),
    ...(request.followers > 0 ? [[t`Followers`, String(request.followers)] as [string, string]] : []),
    ...(request.workOrders.length > 0
      ? [
          [
            t`Work orders`,
            <ul key="orders">
              {request.workOrders.map(({ id, number, status: stands }) => (
                <li key={id}>
                  <Link className="link" to={`/municipality/work-orders?order=${id}`}>
                    {number}
                  </Link>{' '}
                  (<Text>{stands}</Text>)
                </li>
              ))}
            </ul>,
          ] as [string, ReactNode],
        ]
      : []),
  ]
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <p className="font-bold">{request.title}</p>
        <span className="flex flex-wrap gap-2">
          {request.spam && <StatusBadge kind="bad">{t`Spam`}</StatusBadge>}
          {late && requestStates.states[status].open && <StatusBadge kind="bad">{t`Overdue`}</StatusBadge>}
          <StateBadge of={requestStates} state={status} />
        </span>
      </div>
      {mergedInto && (
        <Notice className="mb-4">
          <Trans>
            This request was merged into <Other {...mergedInto} />. The requester now gets updates on that request.
          </Trans>
        </Notice>
      )}
      {feedback && (
        <Notice className="mb-4" tone={feedback.fixed ? 'success' : 'warning'}>
          {feedback.fixed ? (
            <Trans>The requester says that the problem was fixed.</Trans>
          ) : (
            <Trans>The requester says that the problem was not fixed.</Trans>
          )}
          {feedback.text && <q className="mt-1 block wrap-anywhere">{feedback.text}</q>}
        </Notice>
      )}
      <DetailList className="text-table" details={details} />
      {request.position && <Map {...request.position} />}
      <Others label={t`Merged into this request`} requests={request.merged} />
      <Others label={t`Split from the same request`} requests={request.splits} />
    </>
  )
}

/** Mark of an answer that the requester can't read, with the button that ends it. */
function CallBack({ request, can }: Details) {
  const { act, busy, refusal } = useAct(reloadRequests)
  if (request.callBackSince === null) return null
  return (
    <Notice
      className="mb-4"
      tone="warning"
      aside={
        can.endCallBack && (
          <Button size="small" busy={busy} onClick={() => void act(() => call(endCallBack, { subjectId: request.id }))}>
            <Trans>Called back</Trans>
          </Button>
        )
      }
    >
      <strong>
        <Trans>Call back</Trans>
      </strong>{' '}
      <Trans>The requester has no email address. Call with the answer:</Trans> <PhoneLink phone={request.phone} />
      <Refusal className="mt-2">{refusal}</Refusal>
    </Notice>
  )
}

/** Map of the location. Loads on demand, because it loads slowly and a text also states the location. */
function Map(pin: { lat: number; lon: number }) {
  const { t } = useLingui()
  const [open, setOpen] = useState(false)
  return (
    <div className="mt-4">
      <Button size="small" icon={MapPin} aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? <Trans>Hide the map</Trans> : <Trans>Show on the map</Trans>}
      </Button>
      {open && <CompanyMap className="mt-3" label={t`Location`} pin={pin} />}
    </div>
  )
}

const Other = ({ id, number }: Pick<OtherRequest, 'id' | 'number'>) => (
  <QueryLink className="link" set={{ request: String(id) }}>
    {number}
  </QueryLink>
)

function Others({ label, requests }: { label: string; requests: readonly OtherRequest[] }) {
  if (requests.length === 0) return null
  return (
    <section className="mt-5">
      <h3 className="mb-1 text-base">{label}</h3>
      <ul className="flex flex-col gap-1 text-table">
        {requests.map((one) => (
          <li key={one.id} className="wrap-anywhere">
            <Other {...one} /> <Text>{one.title}</Text>
            <Text>{one.location && `, ${one.location}`}</Text> <StateBadge of={requestStates} state={one.status} />
          </li>
        ))}
      </ul>
    </section>
  )
}
