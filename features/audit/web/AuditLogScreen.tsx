import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import type { RowOf } from '../../../shared/list.ts'
import { exactInstant } from '../../../web/clock.ts'
import { setQuery } from '../../../web/go.ts'
import { ListScreen } from '../../../web/list/ListScreen.tsx'
import { NO_FILTER } from '../../../web/ui/office/table/table-state.ts'
import { Facts } from '../../../web/ui/Card.tsx'
import { CloseAction, SlideOut } from '../../../web/ui/Dialog.tsx'
import { StatusBadge } from '../../../web/ui/StatusBadge.tsx'
import { auditLog, platformAuditLog } from '../list.ts'

type Event = RowOf<typeof auditLog>

/** Everything that was done in the town, and what was refused; written once and never changed. */
const AuditLogScreen = () => <AuditLog />
export default AuditLogScreen

interface Props {
  /** The town whose log it is at the platform, or 0 for the platform's own; unsaid: the town of this portal. */
  companyId?: number
  children?: ReactNode
}

export function AuditLog({ companyId, children }: Props) {
  const { t } = useLingui()
  const [open, setOpen] = useState<Event | null>(null)
  const [named, setNamed] = useState<ReadonlyMap<string, string>>(new Map())
  const everything = (key: string) => {
    setOpen(null)
    setQuery({ about: key, kind: NO_FILTER, cursor: null, page: null })
  }
  return (
    <>
      <ListScreen
        of={companyId === 0 ? (platformAuditLog as unknown as typeof auditLog) : auditLog}
        {...(companyId && { about: { companyId } })}
        rowName={({ what }) => what}
        cells={{
          at: ({ at }) => exactInstant(at),
          what: ({ what }) => <span className="inline-block min-w-40 whitespace-normal">{what}</span>,
          who: ({ who, impersonator }) =>
            impersonator ? (
              <Trans>
                {impersonator} as {who}
              </Trans>
            ) : (
              who
            ),
          about: (event) => <About event={event} onChoose={everything} />,
          sealed: ({ sealed }) => (
            <StatusBadge kind={sealed ? 'good' : 'waiting'}>{sealed ? t`Sealed` : t`Within a minute`}</StatusBadge>
          ),
        }}
        // What a subject is called, only its rows know.
        onRows={(rows) => setNamed(new Map(rows.map(({ aboutKey, about }) => [aboutKey, about])))}
        filters={{ about: { label: t`About`, words: (key) => named.get(key) || key.replace('/', ' ') } }}
        actions={{ view: setOpen }}
        onRow={setOpen}
      >
        {children}
      </ListScreen>
      {open && <EventSlideOut event={open} onAbout={everything} onClose={() => setOpen(null)} />}
    </>
  )
}

interface EventSubjectProps {
  event: Event
  onChoose: (key: string) => void
}

/** Whom or what it is about: the way to everything about that. */
function About({ event: { about, aboutKey }, onChoose }: EventSubjectProps) {
  const { t } = useLingui()
  if (!about || !aboutKey) return <span className="wrap-anywhere">{about}</span>
  return (
    <button
      type="button"
      className="link min-h-6 text-start wrap-anywhere"
      aria-label={t`Everything about ${about}`}
      onClick={(press) => {
        // The row itself opens the record.
        press.stopPropagation()
        onChoose(aboutKey)
      }}
    >
      {about}
    </button>
  )
}

interface EventSlideOutProps {
  event: Event
  onAbout: (key: string) => void
  onClose: () => void
}

function EventSlideOut({ event, onAbout, onClose }: EventSlideOutProps) {
  const { t } = useLingui()
  const facts: [React.ReactNode, React.ReactNode][] = [
    [t`Time`, exactInstant(event.at)],
    [t`Who`, event.who],
    ...(event.impersonator ? [[t`Impersonated by`, event.impersonator] as [string, string]] : []),
    ...(event.about ? [[t`About`, <About key="about" event={event} onChoose={onAbout} />] as [string, ReactNode]] : []),
    [t`Action`, event.action],
    [t`Number`, String(event.id)],
    [t`Sealed`, event.sealed ? t`Yes` : t`Within a minute`],
    ...event.detail.map(({ name, value }) => [name, value] as [string, string]),
  ]
  return (
    <SlideOut title={event.what} onClose={onClose} actions={<CloseAction onClose={onClose} />}>
      <Facts className="text-table" facts={facts} />
    </SlideOut>
  )
}
