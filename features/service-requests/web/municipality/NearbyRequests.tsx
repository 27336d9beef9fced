import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { feetOf } from '../../../../shared/units.ts'
import type { LocationValue } from '../../../../shared/places.ts'
import { messageOf } from '../../../../web/call.ts'
import { useResponse } from '../../../../web/query.ts'
import type { ResponseOf } from '../../../../shared/endpoint.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { StateBadge } from '../../../../web/ui/StatusBadge.tsx'
import { Text } from '../../../../web/ui/Text.tsx'
import { openNearby } from '../../contract-intake.ts'
import { COMPARED_DAYS, COMPARED_METRES } from '../../rules.ts'
import { requestStates } from '../../states.ts'
import { RequestDetails } from './Suggestions.tsx'

type Nearby = ResponseOf<typeof openNearby>['requests'][number]

interface NearbyProps {
  location: LocationValue
  /** Adds the caller as a follower of a request. */
  onFollow: (request: Nearby) => Promise<void>
}

/**
 * Open requests near the location. The box keeps its height, so that fields below do not move while staff type.
 */
export function NearbyRequests({ location, onFollow }: NearbyProps) {
  const { t } = useLingui()
  const hasPosition = location.lat !== null || location.asTyped === true
  const { data, error } = useResponse(openNearby, { location }, { enabled: hasPosition })
  const requests = hasPosition ? (data?.requests ?? []) : []
  const radius = Math.round(feetOf(COMPARED_METRES) / 100) * 100
  return (
    <section
      aria-label={t`Open requests nearby`}
      className="h-28 overflow-y-auto rounded-sm border border-line px-3 py-2 text-table"
    >
      <p role="status" className={requests.length > 0 ? 'mb-1 font-bold' : 'text-muted'}>
        {!hasPosition ? (
          <Trans>Open requests within about {radius} feet of the location appear here.</Trans>
        ) : error ? (
          messageOf(error)
        ) : !data ? (
          <Trans>Looking for open requests nearby</Trans>
        ) : requests.length === 0 ? (
          <Trans>
            No open requests within about {radius} feet in the last {COMPARED_DAYS} days.
          </Trans>
        ) : (
          <Plural value={requests.length} one="# open request nearby" other="# open requests nearby" />
        )}
      </p>
      <ul className="flex flex-col">
        {requests.map((one) => (
          <NearbyRequest key={one.id} one={one} onFollow={onFollow} />
        ))}
      </ul>
    </section>
  )
}

function NearbyRequest({ one, onFollow }: { one: Nearby; onFollow: NearbyProps['onFollow'] }) {
  const { t } = useLingui()
  const [busy, setBusy] = useState(false)
  const follow = async () => {
    setBusy(true)
    try {
      await onFollow(one)
    } finally {
      setBusy(false)
    }
  }
  return (
    <li className="flex items-start justify-between gap-3 border-line border-t py-2">
      <span className="min-w-0 wrap-anywhere">
        <strong>{one.number}</strong> <Text>{one.title}</Text> <StateBadge of={requestStates} state={one.status} />
        <span className="block text-muted text-sm">
          <Text>{one.subject}</Text>
        </span>
        <span className="block text-muted text-sm">
          <RequestDetails {...one} />
        </span>
      </span>
      <Button
        size="small"
        busy={busy}
        aria-label={t`Add the caller as follower of ${one.number}`}
        onClick={() => void follow()}
      >
        <Trans>Add the caller as follower</Trans>
      </Button>
    </li>
  )
}
