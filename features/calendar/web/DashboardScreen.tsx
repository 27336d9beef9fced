import { Trans, useLingui } from '@lingui/react/macro'
import { CalendarCheck, ClipboardCheck, ReceiptText, Wrench } from 'lucide-react'
import { useState } from 'react'
import { pendingWork } from '../../../shared/pending-work.ts'
import { PendingWorkCard } from '../../../web/municipality/PendingCard.tsx'
import { useResponse } from '../../../web/query.ts'
import { LinkButton } from '../../../web/ui/Button.tsx'
import { PageHead } from '../../../web/ui/Page.tsx'
import { Failed, LoadingState } from '../../../web/ui/States.tsx'
import { scheduledItems } from '../contract.ts'
import { DashboardCards, DashboardNotes } from './DashboardCards.tsx'
import { EventDetails } from './EventDetails.tsx'
import type { Item } from './parts/item-status.tsx'
import { CompanyCalendar, useLogged, useCompanyCalendar } from './CompanyCalendar.tsx'
import { UpcomingPanel } from './UpcomingPanel.tsx'

/** Shows the first screen of the back office: upcoming items and the next two weeks (spec 2.11). */
export default function DashboardScreen() {
  const { t } = useLingui()
  const [chosen, setChosen] = useState<Item | null>(null)
  const upcoming = useResponse(scheduledItems, { selectedOption: 'upcoming' })
  const calendar = useCompanyCalendar()
  const awaitingStaff = useResponse(pendingWork, {})
  useLogged(upcoming.error)
  useLogged(awaitingStaff.error)
  const items = upcoming.data?.data ?? []
  const of = (type: string) => items.filter((item) => item.type === type)
  const panels = [
    { id: 'billing', title: t`Upcoming Billing Tasks`, empty: t`No upcoming billing tasks`, icon: ReceiptText },
    {
      id: 'rental',
      title: t`Upcoming Rental Reservations`,
      empty: t`No upcoming rental reservations`,
      icon: CalendarCheck,
    },
    { id: 'workorder', title: t`Upcoming Work Orders`, empty: t`No upcoming work orders`, icon: Wrench },
    { id: 'inspection', title: t`Upcoming Inspections`, empty: t`No upcoming inspections`, icon: ClipboardCheck },
  ]
  return (
    <>
      <PageHead title={<Trans>Dashboard</Trans>} actions={<DashboardNotes />} />
      <DashboardCards />
      {/* The calendar is rendered after the panels above it have loaded, so that the layout does not shift. */}
      {upcoming.isPending || awaitingStaff.isPending ? (
        <LoadingState rows={8}>
          <Trans>Loading upcoming items</Trans>
        </LoadingState>
      ) : (
        <>
          {awaitingStaff.data && <PendingWorkCard {...awaitingStaff.data} />}
          {upcoming.error && !upcoming.data ? (
            <Failed
              error={upcoming.error}
              title={<Trans>Could not load upcoming items</Trans>}
              onRetry={() => void upcoming.refetch()}
            />
          ) : (
            <div className="@container">
              <div className="grid gap-4 @min-[34rem]:grid-cols-2 @min-[58rem]:grid-cols-4">
                {panels.map((panel) => (
                  <UpcomingPanel key={panel.id} {...panel} items={of(panel.id)} onOpen={setChosen} />
                ))}
              </div>
            </div>
          )}
          <div className="mt-8">
            <CompanyCalendar
              calendar={calendar}
              onOpen={setChosen}
              aside={
                <LinkButton to="/municipality/schedule?view=month">
                  <Trans>View Full Calendar</Trans>
                </LinkButton>
              }
            />
          </div>
        </>
      )}
      {chosen && (
        <EventDetails
          item={chosen}
          now={[...items, ...(calendar.data?.data ?? [])].find(({ id }) => id === chosen.id)}
          onClose={() => setChosen(null)}
        />
      )}
    </>
  )
}
