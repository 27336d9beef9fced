import { Trans, useLingui } from '@lingui/react/macro'
import { MapPin } from 'lucide-react'
import { useId, useState } from 'react'
import { type Mark, type Point, type Position, returnTownMap } from '../../shared/places.ts'
import { useAnswer } from '../query.ts'
import { Button } from '../ui/Button.tsx'
import { Select } from '../ui/Choice.tsx'
import { cx } from '../ui/cx.ts'
import { Failed, LoadingState } from '../ui/States.tsx'
import { useLate } from './use-late.ts'

export interface TownMapProps {
  /** What the map shows, for those who do not see it: 'Where the pothole is'. */
  label: string
  pin?: Point | null
  /** Somebody put the pin there, by a click or by the button under the map. */
  onPin?: (at: Point) => void
  /** Things of which each has its place; a list of them stands beside the map, since the map shows them to the eye alone. */
  marks?: readonly Mark[]
  /** Somebody pressed one. */
  onMark?: (id: number) => void
  /** An area that is drawn as well: the border of a parcel. */
  outline?: readonly Position[][][]
  className?: string
}

/** Only towns that have a map file need it. */
const loadTiles = () => import('protomaps-leaflet')

/**
 * The town's map. Its code is loaded where a map stands, and not before. It is never the only way: what can be put on it
 * can be typed beside it.
 */
export function TownMap({ label, pin = null, onPin, marks, onMark, outline, className }: TownMapProps) {
  const { t } = useLingui()
  const id = useId()
  const [kind, setKind] = useState('')
  const { data: town, error, refetch } = useAnswer(returnTownMap, {})
  const late = useLate(() => import('./LeafletMap.tsx'))
  const [center, setCenter] = useState<(() => Point) | null>(null)
  if (town && !town.extent)
    return (
      <p className={cx('lots px-3 py-8 text-center text-muted', className)}>
        <span className="bg-surface px-2">
          <Trans>There is no map of this town yet. Write where it is instead.</Trans>
        </span>
      </p>
    )
  const failure = error ?? late.error
  const Leaflet = late.loaded?.default
  const kinds = [...new Set(town?.zones.map((zone) => zone.kind))]
  const shown = town?.zones.filter((zone) => zone.kind === kind) ?? []
  return (
    <div className={cx('flex flex-col gap-2', className)}>
      {/* As high as the map, so that nothing moves when it comes. */}
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
        ) : Leaflet && town?.extent ? (
          <Leaflet
            label={label}
            describedBy={`${id}-keys`}
            extent={town.extent}
            tiles={town.tiles}
            loadTiles={loadTiles}
            streets={town.streets}
            zones={shown}
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
            <Trans>Click to put the pin. By keyboard: arrow keys move the map, plus and minus zoom.</Trans>
          ) : (
            <Trans>By keyboard: arrow keys move the map, plus and minus zoom.</Trans>
          )}
        </p>
        {onPin && (
          <Button size="small" icon={MapPin} disabled={!center} onClick={() => center && onPin(center())}>
            <Trans>Put the pin in the middle</Trans>
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
