import { Trans, useLingui } from '@lingui/react/macro'
import { LocateFixed } from 'lucide-react'
import { useState } from 'react'
import { findNearest, type LocationValue } from '../../shared/places.ts'
import { call, messageOf } from '../call.ts'
import { Button } from '../ui/Button.tsx'
import { useWasRendered } from '../was-rendered.ts'

/** Time limit for finding the position, in milliseconds. A phone that needs longer is probably indoors. */
const TIMEOUT_MS = 15_000
/** Maximum age of a position in milliseconds. An older position may be on another street. */
const OLDEST_MS = 60_000
/** Maximum distance from the position to an address, in meters. Within this distance, the field gets the address. */
const AT_ENTRANCE_METRES = 12

const position = (): Promise<GeolocationPosition> =>
  new Promise((resolve, reject) =>
    navigator.geolocation.getCurrentPosition(resolve, reject, {
      enableHighAccuracy: true,
      timeout: TIMEOUT_MS,
      maximumAge: OLDEST_MS,
    }),
  )

/** Button that enters the device's position in a location field. The browser first asks the person for permission. */
export function MyLocation({ onChange }: { onChange: (location: LocationValue) => void }) {
  const { t } = useLingui()
  const [busy, setBusy] = useState(false)
  const [message, setMessage] = useState('')
  const isBrowser = !useWasRendered()
  if (isBrowser && !('geolocation' in navigator)) return null
  const locate = async () => {
    setBusy(true)
    setMessage('')
    try {
      const { coords } = await position()
      const at = { lat: coords.latitude, lon: coords.longitude }
      const { metres, nearest } = await call(findNearest, at)
      if (!metres) setMessage(t`You are outside the municipality. Enter the address.`)
      else if (nearest && nearest.away <= AT_ENTRANCE_METRES) {
        const { id, text, lat, lon, metres: there } = nearest
        onChange({ text, addressId: id, lat, lon, metres: there })
      } else
        onChange({
          text: nearest ? t`Near ${nearest.text}` : t`At the pin on the map`,
          addressId: null,
          ...at,
          metres,
        })
    } catch (problem) {
      setMessage(
        problem instanceof GeolocationPositionError
          ? problem.code === problem.PERMISSION_DENIED
            ? t`This browser is not allowed to read your location. Allow access in the browser settings, or enter the address.`
            : t`Your device could not find its location. Enter the address.`
          : messageOf(problem),
      )
    }
    setBusy(false)
  }
  return (
    <div className="flex flex-col items-start gap-1">
      <Button
        variant="quiet"
        size="small"
        icon={LocateFixed}
        busy={busy}
        busyLabel={<Trans>Finding your location…</Trans>}
        onClick={() => void locate()}
      >
        <Trans>Use my location</Trans>
      </Button>
      <p role="status" className="text-muted text-sm empty:hidden">
        {message}
      </p>
    </div>
  )
}
