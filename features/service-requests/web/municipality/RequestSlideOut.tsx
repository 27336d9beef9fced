import { Trans, useLingui } from '@lingui/react/macro'
import { MapPin } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useRef, useState, useSyncExternalStore } from 'react'
import { translated } from '../../../../shared/messages.ts'
import { useAct } from '../../../../web/act.ts'
import { call } from '../../../../web/call.ts'
import { Assignee } from '../../../../web/cases/Assignee.tsx'
import { CaseSlideOut } from '../../../../web/cases/CaseSlideOut.tsx'
import { EntryFiles } from '../../../../web/cases/EntryFiles.tsx'
import { useMarkCaseRead } from '../../../../web/cases/read.ts'
import { type ReplyBox, ReplyForm } from '../../../../web/cases/ReplyForm.tsx'
import { Timeline } from '../../../../web/cases/Timeline.tsx'
import { shortInstant } from '../../../../web/clock.ts'
import { setQuery } from '../../../../web/go.ts'
import { requestParts } from '../../../../web/municipality/request-parts.ts'
import { CompanyMap } from '../../../../web/places/CompanyMap.tsx'
import { QueryItem } from '../../../../web/query-item.tsx'
import { keyOf, queries, useResponse } from '../../../../web/query.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { DetailList } from '../../../../web/ui/Card.tsx'
import { Link, QueryLink } from '../../../../web/ui/Link.tsx'
import { Notice, Refusal } from '../../../../web/ui/Notice.tsx'
import { PhoneLink } from '../../../../web/ui/PhoneLink.tsx'
import { StateBadge, StatusBadge } from '../../../../web/ui/StatusBadge.tsx'
import { Text } from '../../../../web/ui/Text.tsx'
import { requestCase } from '../../contract.ts'
import { endCallBack } from '../../contract-intake.ts'
import { staffRequest, type OtherRequest } from '../../contract-staff.ts'
import { inbox } from '../../list.ts'
import { numberOf, sources } from '../../rules.ts'
import { requestStates } from '../../states.ts'
import { type Details, reloadRequests } from './fresh.ts'
import { RequestBar, type Tool } from './RequestBar.tsx'
import { useRecordKeys } from '../../../../web/cases/use-record-keys.ts'

const parts = requestParts.map((load) => lazy(load))

/** Slide-out for the request with the id from the URL. Opens over any list. */
export const RequestFromQuery = () => (
  <QueryItem name="request">{(id, close) => <RequestSlideOut id={id} onClose={close} />}</QueryItem>
)

function RequestSlideOut({ id, onClose }: { id: number; onClose: () => void }) {
  const response = useResponse(staffRequest, { subjectId: id })
  return (
    <CaseSlideOut number={numberOf(id)} onClose={onClose} response={response}>
      {(data) => <RequestRecord details={data} onClose={onClose} />}
    </CaseSlideOut>
  )
}

/** A request with its actions and timeline. The box for replies stays in view below them. */
function RequestRecord({ details, onClose }: { details: Details; onClose: () => void }) {
  const { t } = useLingui()
  const { request, can, entries, fills } = details
  const subject = { subjectId: request.id }
  const record = useRef<HTMLDivElement>(null)
  const box = useRef<ReplyBox>(null)
  const [tool, setTool] = useState<Tool | null>(null)
  const nextId = useNextRequest(request.id)
  useMarkCaseRead(requestCase, { ...subject, lastId: details.lastMessageId })
  useRecordKeys(record, (key) => {
    const tools: Record<string, Tool> = { a: 'assign', c: 'complete', w: 'order' }
    const named = tools[key]
    if (named !== undefined) setTool(named)
    else if (key === '/') box.current?.pick()
    else if (key === 'r' || key === 'n') box.current?.write(key === 'r' ? 'reply' : 'note')
    else return false
    return true
  })
  const refresh = async () => {
    await reloadRequests()
    return queries.getQueryData<Details>(keyOf(staffRequest, subject))?.lastMessageId
  }
  // The description is at the top, so the timeline starts with the next entry.
  const opening = entries.find(({ kind, id }) => kind === 'message' && id === 0)
  return (
    <div ref={record}>
      {parts.map((Part, index) => (
        <Suspense key={index}>
          <Part id={request.id} />
        </Suspense>
      ))}
      <RequestHead {...details} />
      <RequestBar {...{ details, tool, setTool, onClose }} onWrite={(kind) => box.current?.write(kind)} />
      <CallBack {...details} />
      <Notices {...details} />
      <section aria-label={t`Description`}>
        <p className="whitespace-pre-wrap wrap-anywhere">{request.description || request.title}</p>
        {opening && opening.files.length > 0 && (
          <EntryFiles of={requestCase} fileOwner={subject} files={opening.files} />
        )}
      </section>
      <RequestDetails {...details} />
      <section className="mt-7">
        <h3 className="mb-2 text-lg">
          <Trans>Timeline</Trans>
        </h3>
        <Timeline
          of={requestCase}
          fileOwner={subject}
          entries={entries.filter((entry) => entry !== opening)}
          seenId={details.seenId}
          audience="staff"
        />
      </section>
      {can.note && (
        <div className="sticky bottom-0 z-1 -mx-6 mt-6 -mb-5 border-line border-t bg-surface px-6 py-3">
          <ReplyForm
            of={requestCase}
            {...subject}
            view={details}
            {...{ box, fills, refresh }}
            docked
            completeLabel={
              requestStates.states[request.status].open ? t`Complete the request with this reply` : undefined
            }
            onNext={nextId === null ? undefined : () => setQuery({ request: String(nextId) })}
          />
        </div>
      )}
    </div>
  )
}

/** Returns the request below this one in the list on the screen. Null if the list has none. */
const useNextRequest = (id: number): number | null =>
  useSyncExternalStore(
    (listener) => queries.getQueryCache().subscribe(listener),
    () => {
      const lists = queries.getQueriesData<{ rows?: readonly { id: number }[] }>({
        queryKey: [inbox.path],
        type: 'active',
      })
      const rows = lists.map(([, data]) => data?.rows ?? []).find((page) => page.some((row) => row.id === id)) ?? []
      return rows[rows.findIndex((row) => row.id === id) + 1]?.id ?? null
    },
  )

/** Title and state of a request, and its person and location in one line. */
function RequestHead({ request }: Details) {
  const { t } = useLingui()
  const { name, email, phone, location, personId, late, status } = request
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-3">
        <p className="min-w-0 font-bold text-lg wrap-anywhere">{request.title}</p>
        <span className="flex flex-wrap gap-2">
          {request.spam && <StatusBadge kind="bad">{t`Spam`}</StatusBadge>}
          {late && requestStates.states[status].open && <StatusBadge kind="bad">{t`Overdue`}</StatusBadge>}
          <StateBadge of={requestStates} state={status} />
        </span>
      </div>
      <p className="mt-1 flex flex-wrap gap-x-4 text-table [&>*]:min-w-0 [&>*]:wrap-anywhere">
        <strong>{personId === null ? t`${name} (guest)` : t`${name} (signed in)`}</strong>
        {phone && <PhoneLink phone={phone} />}
        {email && <span>{email}</span>}
        <Text>{location}</Text>
      </p>
    </>
  )
}

/** Merge of the request, and the requester's feedback. */
const Notices = ({ request: { mergedInto, feedback } }: Details) => (
  <>
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
  </>
)

function RequestDetails({ request, holder, watchers }: Details) {
  const { t } = useLingui()
  const details: [string, ReactNode][] = [
    [t`Received`, shortInstant(request.at)],
    [t`Target date`, shortInstant(request.dueAt)],
    [t`Source`, translated(sources[request.source])],
    [t`Assigned to`, <Assignee key="assignee" name={holder.name} left={!holder.active} />],
    ...request.answers.map(({ label, value }): [string, string] => [label, value]),
    ...(watchers.length > 0 ? [[t`Watched by`, watchers.join(', ')] as [string, string]] : []),
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
      <DetailList className="mt-5 text-table" details={details} />
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
