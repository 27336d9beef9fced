import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { ArrowLeft, RefreshCw, Wifi, WifiOff } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { screenAt } from '../../../shared/screens.ts'
import { translated } from '../../../shared/messages.ts'
import { page } from '../../../web/page.ts'
import { dayOf, shortInstant, shortTime } from '../../../web/clock.ts'
import { type Action, type Day } from '../../../web/field/outbox.ts'
import type { FieldRecord } from '../../../web/field/parts.ts'
import { setQuery } from '../../../web/go.ts'
import { useQueryParam } from '../../../web/routes.tsx'
import { currentSession } from '../../../web/session.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { QueryLink } from '../../../web/ui/Link.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { Section, Sections } from '../../../web/ui/office/Sections.tsx'
import { PageHead } from '../../../web/ui/Page.tsx'
import { EmptyState, LoadingState } from '../../../web/ui/States.tsx'
import { StatusBadge } from '../../../web/ui/StatusBadge.tsx'
import { TextField } from '../../../web/ui/TextField.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { Conflicts } from './Conflicts.tsx'
import { type Parts, visibleRecords, useField, useOnline } from './field.ts'
import { PendingActions } from './PendingActions.tsx'
import { Text } from '../../../web/ui/Text.tsx'

const FIELD = '/municipality/field'

/** Work orders, inspections and hydrants of the user's crew, online or offline. */
export default function FieldScreen() {
  if (currentSession()?.impersonating)
    return (
      <EmptyState title={<Trans>Not available during impersonation</Trans>}>
        <Trans>Field work is saved on the staff member’s own device, so you cannot view it while impersonating.</Trans>
      </EmptyState>
    )
  return <Field />
}

function Field() {
  const { t } = useLingui()
  const online = useOnline()
  const field = useField((count) =>
    toast(
      count === 1
        ? t`One change conflicts with changes by other staff. Nothing was lost. Open Sync Conflicts to choose which version to keep.`
        : t`${count} changes conflict with changes by other staff. Nothing was lost. Open Sync Conflicts to choose which versions to keep.`,
      'warning',
    ),
  )
  const { parts, day, actions, isRead, busy, persisted, takeOver } = field
  const tab = useQueryParam('tab') ?? [...(parts?.keys() ?? [])][0] ?? ''
  const recordId = Number(useQueryParam('id') ?? 0)
  const part = parts?.get(tab)
  const records = parts && day ? visibleRecords(parts, day, actions, tab) : []
  const record = records.find(({ id }) => id === recordId)
  return (
    <div className="max-w-form-wide mx-auto">
      <PageHead title={screenAt(FIELD)?.title} className="mb-3" />
      <SyncStatus online={online} busy={busy} day={day} actions={actions} onSend={() => void field.send()} />
      {takeOver && (
        <Notice tone="info" className="mb-4" title={<Trans>New version available</Trans>}>
          <Button onClick={takeOver}>
            <Trans>Load new version</Trans>
          </Button>
        </Notice>
      )}
      {persisted === false && actions.length > 0 && (
        <p className="mb-4 text-muted text-sm">
          <Trans>
            This browser may delete unsent work if storage runs low. Send your work soon, or add this page to your home
            screen.
          </Trans>
        </p>
      )}
      <PendingActions actions={actions} onSend={() => void field.send()} />
      <Sections>
        {[...(parts?.values() ?? [])].map(({ kind, label }) => (
          <Section key={kind} to={`${FIELD}?tab=${kind}`} active={tab === kind}>
            {translated(label)}
          </Section>
        ))}
        <Section to={`${FIELD}?tab=conflicts`} active={tab === 'conflicts'}>
          <Trans>Sync Conflicts</Trans>
        </Section>
      </Sections>
      {tab === 'conflicts' ? (
        online ? (
          <Conflicts parts={parts} />
        ) : (
          <EmptyState title={<Trans>Sync conflicts need a connection</Trans>}>
            <Trans>Connect to the internet to view and resolve sync conflicts.</Trans>
          </EmptyState>
        )
      ) : !isRead || !parts || (!day && busy) ? (
        <LoadingState>
          <Trans>Loading your work</Trans>
        </LoadingState>
      ) : !day ? (
        <EmptyState title={<Trans>No offline data yet</Trans>}>
          <Trans>Open this screen once while you are online. After that, it also works offline.</Trans>
        </EmptyState>
      ) : record && part ? (
        <One key={`${tab} ${record.id}`} title={part.nameOf(record)} onBack={() => setQuery({ id: null })}>
          <part.Details
            record={record}
            today={day.today}
            act={field.actFor(tab, record)}
            pending={actions.filter((action) => action.part === tab && action.subjectId === record.id)}
          />
        </One>
      ) : (
        <RecordList key={tab} kind={tab} parts={parts} records={records} actions={actions} />
      )}
    </div>
  )
}

interface SyncStatusProps {
  online: boolean
  busy: boolean
  day: Day | null
  actions: readonly Action[]
  onSend: () => void
}

/** Status bar that is always visible: connection, time of the data, and unsent actions. */
function SyncStatus({ online, busy, day, actions, onSend }: SyncStatusProps) {
  const count = actions.length
  return (
    <div className="sticky top-0 z-10 mb-4 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-sm border border-line bg-surface p-3">
      <StatusBadge kind={online ? 'good' : 'attention'} icon={online ? Wifi : WifiOff}>
        {online ? <Trans>Connected</Trans> : <Trans>No connection</Trans>}
      </StatusBadge>
      <p role="status" className="font-bold">
        {count === 0 ? (
          <Trans>All changes sent</Trans>
        ) : (
          <Plural value={count} one="# change not sent" other="# changes not sent" />
        )}
      </p>
      {day && (
        <p className="text-muted text-sm">
          <Trans>
            As of {dayOf(day.takenAt) === page().today ? shortTime(day.takenAt) : shortInstant(day.takenAt)}
          </Trans>
        </p>
      )}
      <Button className="ms-auto min-h-12" icon={RefreshCw} busy={busy} disabled={!online} onClick={onSend}>
        {count > 0 ? <Trans>Send changes</Trans> : <Trans>Refresh</Trans>}
      </Button>
    </div>
  )
}

interface RecordListProps {
  kind: string
  parts: Parts
  records: readonly FieldRecord[]
  actions: readonly Action[]
}

function RecordList({ kind, parts, records, actions }: RecordListProps) {
  const { t } = useLingui()
  const [search, setSearch] = useState('')
  const part = parts.get(kind)
  if (!part) return null
  const searchTerms = search.toLowerCase().split(/\s+/).filter(Boolean)
  const matches = records.filter((record) =>
    searchTerms.every((word) => part.searchTextOf(record).toLowerCase().includes(word)),
  )
  const pending = new Set(actions.flatMap((action) => (action.part === kind ? [action.subjectId] : [])))
  if (records.length === 0)
    return kind === 'hydrant' ? (
      <EmptyState title={<Trans>No hydrants yet</Trans>} />
    ) : (
      <EmptyState title={<Trans>No assigned work</Trans>}>
        <Trans>Work assigned to you or your department appears here.</Trans>
      </EmptyState>
    )
  return (
    <>
      <TextField
        className="mb-4"
        label={t`Search`}
        type="search"
        autoComplete="off"
        value={search}
        onChange={({ target }) => setSearch(target.value)}
      />
      <ul className="flex flex-col gap-2" aria-label={translated(part.label)}>
        {matches.slice(0, MAX_VISIBLE).map((record) => (
          <li key={record.id}>
            <QueryLink
              aria-haspopup={undefined}
              className="flex min-h-14 w-full flex-col gap-1 rounded-sm border border-line bg-surface p-3 text-start hover:bg-tint"
              set={{ tab: kind, id: String(record.id) }}
            >
              <part.Line record={record} />
              {pending.has(record.id) && (
                <StatusBadge kind="waiting">
                  <Trans>Not sent</Trans>
                </StatusBadge>
              )}
            </QueryLink>
          </li>
        ))}
      </ul>
      {matches.length > MAX_VISIBLE && (
        <p className="mt-3 text-muted text-sm">
          <Trans>{matches.length - MAX_VISIBLE} more on this device. Search to find them.</Trans>
        </p>
      )}
      {matches.length === 0 && (
        <p>
          <Trans>No results for this search.</Trans>
        </p>
      )}
    </>
  )
}

const MAX_VISIBLE = 60

/** Panel for one record, with a back button. The focus moves to its heading. */
function One({ title, onBack, children }: { title: string; onBack: () => void; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <section>
      <Button variant="quiet" icon={ArrowLeft} className="mb-2 min-h-12" onClick={onBack}>
        <Trans>Back to the list</Trans>
      </Button>
      <h2 ref={heading} tabIndex={-1} className="mb-4 scroll-mt-32 text-h3">
        {title}
      </h2>
      <Text>{children}</Text>
    </section>
  )
}
