import { feetOf } from '../../../shared/units.ts'
import { Trans, useLingui } from '@lingui/react/macro'
import { useMemo, useState } from 'react'
import { findNearest, noLocation } from '../../../shared/places.ts'
import { LocationField } from '../../../web/places/LocationField.tsx'
import { useResponse } from '../../../web/query.ts'
import { DetailList } from '../../../web/ui/Card.tsx'
import { Failed } from '../../../web/ui/States.tsx'

/** Finds a place by address or on the map, and shows its details. */
export function FindPlace() {
  const { t } = useLingui()
  const [pickedLocation, setPickedLocation] = useState(noLocation)
  const { lat, lon } = pickedLocation
  const at = useMemo(() => ({ lat: lat ?? 0, lon: lon ?? 0 }), [lat, lon])
  const { data, error, refetch } = useResponse(findNearest, at, { enabled: lat !== null })
  return (
    <section aria-labelledby="find-place" className="min-w-0">
      <h2 id="find-place" className="mb-3">
        <Trans>Find a place</Trans>
      </h2>
      <LocationField
        label={<Trans>Address</Trans>}
        hint={<Trans>Enter a number and street, for example: 214 Sycamore.</Trans>}
        value={pickedLocation}
        onChange={setPickedLocation}
      />
      {lat !== null && error && !data && <Failed error={error} onRetry={() => void refetch()} />}
      {lat !== null && lon !== null && data && (
        <DetailList
          className="mt-4"
          details={[
            [t`Nearest address`, data.nearest ? data.nearest.text : t`None`],
            [t`Distance`, data.nearest ? t`${feetOf(data.nearest.away).toLocaleString('en-US')} ft` : ''],
            [t`Zones`, data.zones.map((zone) => `${zone.kind}: ${zone.name}`).join(', ') || t`None`],
            [t`Position`, `${lat.toFixed(6)}, ${lon.toFixed(6)}`],
          ]}
        />
      )}
    </section>
  )
}
