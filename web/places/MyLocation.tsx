import { Trans, useLingui } from '@lingui/react/macro'
import { LocateFixed } from 'lucide-react'
import { useState } from 'react'
import { findNearest, type PlaceValue } from '../../shared/places.ts'
import { call, sentenceOf } from '../call.ts'
import { Button } from '../ui/Button.tsx'

/** Phones that take longer than this are indoors. */
const TIMEOUT_MS = 15_000
/** An older position is of another street. */
const OLDEST_MS = 60_000
/** Closer than this, the position means the address. In metres. */
const AT_THE_DOOR_METRES = 12

const position = (): Promise<GeolocationPosition> =>
  new Promise((resolve, reject) =>
    navigator.geolocation.getCurrentPosition(resolve, reject, {
      enableHighAccuracy: true,
      timeout: TIMEOUT_MS,
      maximumAge: OLDEST_MS,
    }),
  )

/** Puts the position of the device into a place field. The browser asks the person first. */
export function MyLocation({ onChange }: { onChange: (place: PlaceValue) => void }) {
  const { t } = useLingui()
  const [busy, setBusy] = useState(false)
  const [says, setSays] = useState('')
  if (!('geolocation' in navigator)) return null
  const locate = async () => {
    setBusy(true)
    setSays('')
    try {
      const { coords } = await position()
      const at = { lat: coords.latitude, lon: coords.longitude }
      const { metres, nearest } = await call(findNearest, at)
      if (!metres) setSays(t`You are outside of the town. Type the address.`)
      else if (nearest && nearest.away <= AT_THE_DOOR_METRES) {
        const { id, text, lat, lon, metres: there } = nearest
        onChange({ text, addressId: id, lat, lon, metres: there })
      } else
        onChange({
          ...{ text: nearest ? t`Near ${nearest.text}` : t`At the pin on the map`, addressId: null },
          ...{ ...at, metres },
        })
    } catch (problem) {
      setSays(
        problem instanceof GeolocationPositionError
          ? problem.code === problem.PERMISSION_DENIED
            ? t`This browser may not read your location. Allow it in the settings, or type the address.`
            : t`Your device could not find its location. Type the address.`
          : sentenceOf(problem),
      )
    }
    setBusy(false)
  }
  return (
    <div className="flex flex-col items-start gap-1">
      <Button
        look="quiet"
        size="small"
        icon={LocateFixed}
        busy={busy}
        busyLabel={<Trans>Finding your location…</Trans>}
        onClick={() => void locate()}
      >
        <Trans>Use my location</Trans>
      </Button>
      <p role="status" className="text-muted text-sm empty:hidden">
        {says}
      </p>
    </div>
  )
}
