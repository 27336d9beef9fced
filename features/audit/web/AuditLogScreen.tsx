import { Text } from '../../../web/ui/Text.tsx'
import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import type { RowOf } from '../../../shared/list.ts'
import { exactInstant } from '../../../web/clock.ts'
import { setQuery } from '../../../web/go.ts'
import { ListScreen } from '../../../web/list/ListScreen.tsx'
import { NO_FILTER } from '../../../web/ui/office/table/table-state.ts'
import { DetailList } from '../../../web/ui/Card.tsx'
import { CloseAction, SlideOut } from '../../../web/ui/Dialog.tsx'
import { StatusBadge } from '../../../web/ui/StatusBadge.tsx'
import { auditLog, platformAuditLog } from '../list.ts'

type Event = RowOf<typeof auditLog>

/** Shows all actions and refused calls in the company. Entries never change. */
const AuditLogScreen = () => <AuditLog />
export default AuditLogScreen

interface Props {
  /** Company of the log, on the platform. 0 for the platform's own log. Absent for the company of this portal. */
  companyId?: number
  /** Control next to the title. */
  tabs?: ReactNode
}

export function AuditLog({ companyId, tabs }: Props) {
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
          actorName: ({ actorName, impersonator }) =>
            impersonator ? (
              <Trans>
                {impersonator} as {actorName}
              </Trans>
            ) : (
              actorName
            ),
          about: (event) => <About event={event} onChoose={everything} />,
          sealed: ({ sealed }) => (
            <StatusBadge kind={sealed ? 'good' : 'waiting'}>{sealed ? t`Sealed` : t`Not sealed yet`}</StatusBadge>
          ),
        }}
        // Saves the names of subjects for the filter, because only the rows contain them.
        onRows={(rows) => setNamed(new Map(rows.map(({ aboutKey, about }) => [aboutKey, about])))}
        filters={{ about: { label: t`About`, labelFor: (key) => named.get(key) || key.replace('/', ' ') } }}
        actions={{ view: setOpen }}
        onRow={setOpen}
        tabs={tabs}
      />
      {open && <EventSlideOut event={open} onAbout={everything} onClose={() => setOpen(null)} />}
    </>
  )
}

interface EventSubjectProps {
  event: Event
  onChoose: (key: string) => void
}

/** Links the subject to all entries about it. */
function About({ event: { about, aboutKey }, onChoose }: EventSubjectProps) {
  const { t } = useLingui()
  if (!about || !aboutKey) return <Text>{about}</Text>
  return (
    <button
      type="button"
      className="link focus-inside min-h-6 max-w-full truncate text-start align-middle"
      aria-label={t`Show all entries about ${about}`}
      onClick={(clickEvent) => {
        // Stops the click from also opening the record.
        clickEvent.stopPropagation()
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
  const details: [React.ReactNode, React.ReactNode][] = [
    [t`Time`, exactInstant(event.at)],
    [t`By`, event.actorName],
    ...(event.impersonator ? [[t`Impersonated by`, event.impersonator] as [string, string]] : []),
    ...(event.about ? [[t`About`, <About key="about" event={event} onChoose={onAbout} />] as [string, ReactNode]] : []),
    [t`Action`, event.action],
    [t`Number`, String(event.id)],
    [t`Sealed`, event.sealed ? t`Yes` : t`Not sealed yet`],
    ...event.detail.map(({ name, value }) => [name, value] as [string, string]),
  ]
  return (
    <SlideOut title={event.what} onClose={onClose} actions={<CloseAction onClose={onClose} />}>
      <DetailList className="text-table" details={details} />
    </SlideOut>
  )
}
