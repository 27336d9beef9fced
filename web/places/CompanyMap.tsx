import { Trans, useLingui } from '@lingui/react/macro'
import { MapPin } from 'lucide-react'
import { useId, useState } from 'react'
import { type Mark, type Point, type Position, returnCompanyMap } from '../../shared/places.ts'
import { useResponse } from '../query.ts'
import { Button } from '../ui/Button.tsx'
import { Select } from '../ui/Choice.tsx'
import { cx } from '../ui/cx.ts'
import { Failed, LoadingState } from '../ui/States.tsx'
import { useLazyModule } from '../ui/use-lazy-module.ts'

export interface CompanyMapProps {
  /** Description for people who cannot see the map: 'Where the pothole is'. */
  label: string
  pin?: Point | null
  /** Called when the person sets the pin, by a click or the button below the map. */
  onPin?: (at: Point) => void
  /** Records with locations. The screen must also list them, because markers are only visual. */
  marks?: readonly Mark[]
  onMark?: (id: number) => void
  /** Area to outline on the map, such as the boundary of a parcel. */
  outline?: readonly Position[][][]
  className?: string
}

/** Loads the library on demand, because only companies with a map file need it. */
const loadTiles = () => import('protomaps-leaflet')

/**
 * Map of the company. Its code loads only on screens with a map. The map is optional, because people can also type each
 * location.
 */
export function CompanyMap({ label, pin = null, onPin, marks, onMark, outline, className }: CompanyMapProps) {
  const { t } = useLingui()
  const id = useId()
  const [kind, setKind] = useState('')
  const { data: companyMap, error, refetch } = useResponse(returnCompanyMap, {})
  const late = useLazyModule(() => import('./LeafletMap.tsx'))
  const [center, setCenter] = useState<(() => Point) | null>(null)
  if (companyMap && !companyMap.extent)
    return (
      <p className={cx('lots px-3 py-8 text-center text-muted', className)}>
        <span className="bg-surface px-2">
          {onPin ? (
            <Trans>The map is not available yet. Describe the location instead.</Trans>
          ) : (
            <Trans>The map is not available yet.</Trans>
          )}
        </span>
      </p>
    )
  const failure = error ?? late.error
  const Leaflet = late.loaded?.default
  const kinds = [...new Set(companyMap?.zones.map((zone) => zone.kind))]
  const visible = companyMap?.zones.filter((zone) => zone.kind === kind) ?? []
  return (
    <div className={cx('flex flex-col gap-2', className)}>
      {/* The placeholder has the same height as the map, so that no content moves when the map loads. */}
      <div className="relative h-80 overflow-hidden rounded-sm border border-edge bg-tint print:hidden">
        {failure ? (
          <div className="h-full overflow-y-auto p-4">
            <Failed
              error={failure}
              onRetry={() => {
                void refetch()
                late.retry()
              }}
            />
          </div>
        ) : Leaflet && companyMap?.extent ? (
          <Leaflet
            label={label}
            describedBy={`${id}-keys`}
            extent={companyMap.extent}
            tiles={companyMap.tiles}
            loadTiles={loadTiles}
            streets={companyMap.streets}
            zones={visible}
            pin={pin}
            onPin={onPin}
            marks={marks}
            onMark={onMark}
            outline={outline}
            onReady={(centerOf) => setCenter(() => centerOf)}
          />
        ) : (
          <LoadingState shape="lines" rows={4} className="p-4">
            <Trans>Loading the map</Trans>
          </LoadingState>
        )}
      </div>
      <div className="flex flex-wrap items-end justify-between gap-3 print:hidden">
        <p id={`${id}-keys`} className="min-w-0 flex-1 basis-52 text-muted text-sm">
          {onPin ? (
            <Trans>
              Click to place the pin. Keyboard: use the arrow keys to move the map and the plus and minus keys to zoom.
            </Trans>
          ) : (
            <Trans>Keyboard: use the arrow keys to move the map and the plus and minus keys to zoom.</Trans>
          )}
        </p>
        {onPin && (
          <Button size="small" icon={MapPin} disabled={!center} onClick={() => center && onPin(center())}>
            <Trans>Place pin in the center</Trans>
          </Button>
        )}
        {kinds.length > 0 && (
          <Select
            className="w-48"
            label={<Trans>Zones on the map</Trans>}
            value={kind}
            onChange={({ target }) => setKind(target.value)}
            options={[{ value: '', label: t`None` }, ...kinds.map((one) => ({ value: one, label: one }))]}
          />
        )}
      </div>
    </div>
  )
}
