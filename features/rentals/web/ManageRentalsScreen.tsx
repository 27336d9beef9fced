import { copyRow } from '../../../web/copy-row.ts'
import { Trans, useLingui } from '@lingui/react/macro'
import { CalendarPlus, CalendarSync, Plus, Smartphone, Trees } from 'lucide-react'
import { Suspense, useLayoutEffect, useState } from 'react'
import { formatCents } from '../../../shared/money.ts'
import { translated } from '../../../shared/messages.ts'
import { QueryItem } from '../../../web/query-item.tsx'
import { go, setQuery } from '../../../web/go.ts'
import { ListScreen } from '../../../web/list/ListScreen.tsx'
import { useQueryParam, useQueryText } from '../../../web/routes.tsx'
import { useResponse } from '../../../web/query.ts'
import { Button, LinkButton } from '../../../web/ui/Button.tsx'
import { ListFrame } from '../../../web/ui/office/ListFrame.tsx'
import { Section, Sections } from '../../../web/ui/office/Sections.tsx'
import { EmptyState } from '../../../web/ui/States.tsx'
import { StateBadge } from '../../../web/ui/StatusBadge.tsx'
import { recordActions, RecordButtons, RecordPanels } from '../../shared-records/web/parts/SharedRecords.tsx'
import { copyResource, rentalChoices, showResource } from '../contract.ts'
import { reservations, resources } from '../list.ts'
import { PLANNER_PATH, seriesPath, STAFF_PATH, kindLabels } from '../rules.ts'
import { rentalStates } from '../states.ts'
import { BookSeries } from './BookSeries.tsx'
import { FeedDialog } from './FeedDialog.tsx'
import { NoResources } from './parts/NoResources.tsx'
import { resourceEditor, staffDay, staffPlanner, staffSeasons, staffUse } from './parts/page-parts.ts'
import { ReservationSlideOut } from './ReservationSlideOut.tsx'

/** Sections of the screen. The URL parameter `?of=` selects one. The first section shows the reservations. */
const sections = [
  { name: '', label: <Trans>Reservations</Trans>, content: null },
  { name: 'planner', label: <Trans>Planner</Trans>, content: <staffPlanner.Part /> },
  { name: 'resources', label: <Trans>Resources</Trans>, content: <Resources /> },
  { name: 'seasons', label: <Trans>Seasons</Trans>, content: <staffSeasons.Part /> },
  { name: 'day', label: <Trans>Day sheet</Trans>, content: <staffDay.Part /> },
  { name: 'use', label: <Trans>Usage and income</Trans>, content: <staffUse.Part /> },
]

const editorOf = (id: number | null, onClose: () => void) => (
  <Suspense>
    <resourceEditor.Part {...{ id, onClose }} />
  </Suspense>
)

/** 'Resource Rentals' for staff (spec 2.3): reservations and resources. */
export default function ManageRentalsScreen() {
  const { t } = useLingui()
  const of = useQueryParam('of') ?? ''
  const [adds, setAdds] = useState<'series' | 'feed' | null>(null)
  const close = () => setAdds(null)
  const bookSeries = (
    <Button icon={CalendarSync} onClick={() => setAdds('series')}>
      <Trans>Book multiple dates</Trans>
    </Button>
  )
  return (
    <>
      <ListFrame
        title={<Trans>Resource Rentals</Trans>}
        listed={of !== 'planner' && of !== 'day' && of !== 'use'}
        tabs={
          <Sections>
            {sections.map(({ name, label }) => (
              <Section key={name} to={name ? `${STAFF_PATH}?of=${name}` : STAFF_PATH} active={of === name}>
                {label}
              </Section>
            ))}
          </Sections>
        }
        actions={
          of === 'planner' ? (
            bookSeries
          ) : (
            <LinkButton variant="primary" icon={CalendarPlus} to={PLANNER_PATH}>
              <Trans>Book by phone</Trans>
            </LinkButton>
          )
        }
        moreActions={
          of !== 'planner' && (
            <>
              {bookSeries}
              <Button icon={Plus} onClick={() => setQuery({ rental: 'new' })}>
                <Trans>Add a resource</Trans>
              </Button>
            </>
          )
        }
      >
        <Suspense>
          {sections.find(({ name }) => name === of)?.content ?? <Reservations onFeed={() => setAdds('feed')} />}
        </Suspense>
      </ListFrame>
      <QueryItem name="reservation">{(id, close) => <ReservationSlideOut id={id} onClose={close} />}</QueryItem>
      <QueryItem name="rental" another={(close) => editorOf(null, close)}>
        {editorOf}
      </QueryItem>
      {adds === 'series' && (
        <BookSeries
          onClose={close}
          onBooked={(id) => {
            close()
            go(seriesPath(id))
          }}
        />
      )}
      {adds === 'feed' && <FeedDialog of="desk" name={t`All reservations`} onClose={close} />}
    </>
  )
}

/** Default query: upcoming reservations. The URL contains the query as a filter that staff can remove. */
const NEXT = { dates: 'ahead', sort: 'startsAt', direction: 'asc' }

function Reservations({ onFeed }: { onFeed: () => void }) {
  const { t } = useLingui()
  const hasQuery = [...new URLSearchParams(useQueryText()).keys()].some((name) => name !== 'reservation')
  useLayoutEffect(() => {
    if (!hasQuery) setQuery(NEXT)
  }, [hasQuery])
  const { data: choices } = useResponse(rentalChoices, {})
  const open = ({ id }: { id: number }) => setQuery({ reservation: String(id) })
  if (!hasQuery) return null
  return (
    <ListScreen
      of={reservations}
      level={2}
      exportEach={{
        filter: 'resource',
        title: t`Export reservations`,
        types: choices?.resources ?? [],
      }}
      // Staff cannot choose a series in the filter list. If a link sets this filter, staff see it and can remove it.
      filters={{ series: { label: t`Recurring reservation`, labelFor: (id) => id && t`dates booked together` } }}
      moreActions={
        <Button icon={Smartphone} onClick={onFeed}>
          <Trans>Add reservations to my phone</Trans>
        </Button>
      }
      rowName={({ number }) => number}
      actions={{ view: open }}
      onRow={open}
      empty={
        <EmptyState icon={Trees} title={<Trans>No reservations yet</Trans>}>
          <Trans>Residents make reservations under Rentals. You can also book reservations by phone.</Trans>
        </EmptyState>
      }
      cells={{
        number: ({ number }) => <strong className="whitespace-nowrap">{number}</strong>,
        status: ({ status }) => <StateBadge of={rentalStates} state={status} />,
      }}
    />
  )
}

const copy = copyRow(copyResource, {
  lists: [resources.call, rentalChoices],
  open: (id) => setQuery({ rental: String(id) }),
})

function Resources() {
  const open = ({ id }: { id: number }) => setQuery({ rental: String(id) })
  return (
    <>
      <ListScreen
        of={resources}
        level={2}
        rowName={({ name }) => name}
        actions={{ view: open, copy, ...recordActions('rental-resource') }}
        onRow={open}
        moreActions={<RecordButtons kind="rental-resource" />}
        empty={<NoResources icon={Trees} />}
        cells={{
          name: ({ name }) => <strong>{name}</strong>,
          kind: ({ kind }) => translated(kindLabels[kind]),
          residentCents: ({ residentCents, chargedBy }) => rate(residentCents, chargedBy),
          otherCents: ({ otherCents, chargedBy }) => rate(otherCents, chargedBy),
        }}
      />
      <RecordPanels kind="rental-resource" lists={[resources.call, rentalChoices, showResource]} />
    </>
  )
}

const rate = (cents: number, chargedBy: 'hour' | 'day') =>
  cents === 0 ? (
    <Trans>Free</Trans>
  ) : chargedBy === 'hour' ? (
    <Trans>{formatCents(cents)} / hour</Trans>
  ) : (
    <Trans>{formatCents(cents)} / day</Trans>
  )
