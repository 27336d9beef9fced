import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import type { RowOf } from '../../../shared/list.ts'
import { exactInstant } from '../../../web/clock.ts'
import { ListScreen } from '../../../web/list/ListScreen.tsx'
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
          about: ({ about }) => <span className="wrap-anywhere">{about}</span>,
          sealed: ({ sealed }) => (
            <StatusBadge kind={sealed ? 'good' : 'waiting'}>{sealed ? t`Sealed` : t`Within a minute`}</StatusBadge>
          ),
        }}
        actions={{ view: setOpen }}
        onRow={setOpen}
      >
        {children}
      </ListScreen>
      {open && <EventSlideOut event={open} onClose={() => setOpen(null)} />}
    </>
  )
}

function EventSlideOut({ event, onClose }: { event: Event; onClose: () => void }) {
  const { t } = useLingui()
  const facts: [React.ReactNode, React.ReactNode][] = [
    [t`Time`, exactInstant(event.at)],
    [t`Who`, event.who],
    ...(event.impersonator ? [[t`Impersonated by`, event.impersonator] as [string, string]] : []),
    ...(event.about ? [[t`About`, event.about] as [string, string]] : []),
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
