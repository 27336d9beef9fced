import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Armchair, CalendarSync, House, type LucideIcon, TentTree, Trees, Trophy } from 'lucide-react'

import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { formatCents } from '../../../shared/money.ts'
import { translated } from '../../../shared/messages.ts'
import { useResponse } from '../../../web/query.ts'
import { ResponseView } from '../../../web/ui/ResponseView.tsx'
import { Button, LinkButton } from '../../../web/ui/Button.tsx'
import { Card } from '../../../web/ui/Card.tsx'
import { Measure, PageHead } from '../../../web/ui/Page.tsx'
import { EmptyState, LoadingState } from '../../../web/ui/States.tsx'
import { StateBadge } from '../../../web/ui/StatusBadge.tsx'
import { rentals, type ReservationDetails } from '../contract.ts'
import { kindLabels, rateText, type ResourceKind } from '../rules.ts'
import { rentalStates } from '../states.ts'
import { PhotoBox } from '../../../web/ui/Gallery.tsx'
import { seasonCards } from './parts/page-parts.ts'
import { spanText } from '../../../web/time-text.ts'
import { Text } from '../../../web/ui/Text.tsx'

/** Loaded on demand, because few residents subscribe to the calendar feed. */
const FeedDialog = lazy(() => import('./FeedDialog.tsx').then((loaded) => ({ default: loaded.FeedDialog })))

type Resource = ResponseOf<typeof rentals>['resources'][number]
export const kindIcons: Record<ResourceKind, LucideIcon> = {
  pavilion: TentTree,
  hall: House,
  field: Trophy,
  equipment: Armchair,
}

/** Resources of the company, and the signed-in person's reservations. */
export default function RentalsScreen() {
  const { t } = useLingui()
  const response = useResponse(rentals, {})
  const [feed, setFeed] = useState(false)
  const loading = <Trans>Loading the resources</Trans>
  return (
    <Measure className="py-10 md:py-14">
      <PageHead title={<Trans>Resource Rentals</Trans>}>
        <Trans>Our pavilions, halls, fields and equipment. Choose one to see its availability.</Trans>
      </PageHead>
      {/* Also waits for the allocation rounds, so that the content does not move after the first render. */}
      <Suspense fallback={<LoadingState>{loading}</LoadingState>}>
        <seasonCards.Part texts={{ loading }}>
          {(seasons) => (
            <ResponseView response={response} loading={loading}>
              {({ resources, own }) => (
                <>
                  <OwnReservations reservations={own} onFeed={() => setFeed(true)} />
                  <Text>{seasons}</Text>
                  <Resources resources={resources} />
                </>
              )}
            </ResponseView>
          )}
        </seasonCards.Part>
      </Suspense>
      {feed && (
        <Suspense>
          <FeedDialog of="own" name={t`My reservations`} onClose={() => setFeed(false)} />
        </Suspense>
      )}
    </Measure>
  )
}

function Resources({ resources }: { resources: readonly Resource[] }) {
  if (resources.length === 0)
    return (
      <EmptyState icon={Trees} title={<Trans>Nothing is available to rent right now</Trans>}>
        <Trans>Contact the office.</Trans>
      </EmptyState>
    )
  return (
    <section>
      <h2 className="mb-3 text-h3">
        <Trans>Available rentals</Trans>
      </h2>
      <ul className="grid gap-4 md:grid-cols-2 lg:grid-cols-3">
        {resources.map((one) => (
          <li key={one.id}>
            <Offered of={one} withPhoto={resources.some(({ photo }) => photo !== null)} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Offered({ of, withPhoto }: { of: Resource; withPhoto: boolean }) {
  const { t } = useLingui()
  const { name, kind, description, location, capacity, chargedBy, residentCents, otherCents, needsApproval } = of
  const Icon = kindIcons[kind]
  const details = [
    location,
    capacity > 0 ? t`Up to ${plural(capacity, { one: '# person', other: '# people' })}` : '',
    residentCents === otherCents
      ? rateText(residentCents, chargedBy)
      : t`${rateText(residentCents, chargedBy)} for residents, ${formatCents(otherCents)} for nonresidents`,
    needsApproval ? t`The office approves each reservation` : '',
  ].filter(Boolean)
  return (
    <Card as="div" className="flex h-full flex-col gap-3">
      {withPhoto && <PhotoBox photo={of.photo} icon={Icon} />}
      <div className="flex items-start gap-3">
        <Icon aria-hidden size={28} className="mt-1 shrink-0 text-brand" />
        <div className="min-w-0">
          <h3 className="text-h3">{name}</h3>
          <p className="text-muted">{translated(kindLabels[kind])}</p>
        </div>
      </div>
      <p>{description}</p>
      <ul className="mb-1 flex flex-col gap-0.5 text-muted">
        {details.map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
      <LinkButton className="mt-auto self-start" variant="primary" to={`/resource-rentals/${of.id}`}>
        <span>
          <Trans>View availability</Trans>
          <span className="sr-only">
            , <Text>{name}</Text>
          </span>
        </span>
      </LinkButton>
    </Card>
  )
}

/** Maximum number of upcoming reservations to show. The others are collapsed. */
const MAX_VISIBLE = 3

const Folded = ({ label, children }: { label: ReactNode; children: ReactNode }) => (
  <details className="mt-2">
    <summary className="min-h-8 cursor-pointer text-muted">{label}</summary>
    <div className="mt-2">{children}</div>
  </details>
)

function OwnReservations({
  reservations,
  onFeed,
}: {
  reservations: readonly ReservationDetails[]
  onFeed: () => void
}) {
  const [now] = useState(() => new Date().toISOString())
  const coming = reservations
    .filter(({ endsAt, status }) => endsAt > now && rentalStates.states[status].open)
    .toReversed()
  const past = reservations.filter((one) => !coming.includes(one))
  // Collapses long lists so that users need not scroll far to the resources. Never hides reservations that await
  // payment.
  const next = coming.filter(({ status }, at) => at < MAX_VISIBLE || status === 'held')
  const later = coming.filter((one) => !next.includes(one))
  if (reservations.length === 0) return null
  return (
    <div className="mb-10 flex flex-col gap-4">
      {coming.length > 0 && (
        <section>
          <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
            <h2 className="text-h3">
              <Trans>Upcoming Rental Reservations</Trans>
            </h2>
            <Button size="small" icon={CalendarSync} onClick={onFeed}>
              <Trans>Add reservations to my phone</Trans>
            </Button>
          </div>
          <Reservations of={next} />
          {later.length > 0 && (
            <Folded label={<Trans>Later reservations ({later.length})</Trans>}>
              <Reservations of={later} />
            </Folded>
          )}
        </section>
      )}
      {past.length > 0 && (
        <Folded label={<Trans>Earlier reservations ({past.length})</Trans>}>
          <Reservations of={past} />
        </Folded>
      )}
    </div>
  )
}

const Reservations = ({ of }: { of: readonly ReservationDetails[] }) => (
  <ul className="flex flex-col gap-3">
    {of.map((one) => (
      <li key={one.id}>
        <Card as="div" className="flex flex-wrap items-center justify-between gap-3">
          <div className="min-w-0 flex-1 basis-60">
            <p className="font-bold">{one.title}</p>
            <p className="text-muted">{spanText(one)}</p>
          </div>
          <StateBadge of={rentalStates} state={one.status} />
          <LinkButton to={`/resource-rentals/reservation/${one.id}`}>
            {one.status === 'held' ? <Trans>Pay {one.number}</Trans> : <Trans>View {one.number}</Trans>}
          </LinkButton>
        </Card>
      </li>
    ))}
  </ul>
)
