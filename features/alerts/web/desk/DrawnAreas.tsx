import { plural } from '@lingui/core/macro'
import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { CircleDashed, Plus, Trash2, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { noLocation, type Position } from '../../../../shared/places.ts'
import { LocationField } from '../../../../web/places/LocationField.tsx'
import { CompanyMap } from '../../../../web/places/CompanyMap.tsx'
import { Button } from '../../../../web/ui/Button.tsx'
import { RadioCards, Select } from '../../../../web/ui/Choice.tsx'
import type { ZodForm } from '../../../../web/ui/form.ts'
import type { AlertForm } from '../../contract-staff.ts'
import { METRES_PER_FOOT } from '../../../../shared/units.ts'
import { ringAround } from '../../rules.ts'
import { AreaPart } from './AreaPart.tsx'

/** Length of a mile in meters. The map uses meters, and the screen shows feet and miles. */
const MILE = 1609.344

/** Ring of an area to which the next map click adds a corner. Ring 0 is the border, other rings are holes. */
interface Ring {
  area: number
  ring: number
}
const keyOf = ({ area, ring }: Ring) => `${area}.${ring}`

/**
 * Edits the areas of an alert. Staff enter an address with a radius, or draw the corners. Each area can have holes that
 * the alert excludes.
 */
export function DrawnAreas({ form }: { form: ZodForm<AlertForm, AlertForm> }) {
  const { t } = useLingui()
  const { value: areas, onChange, error } = form.choice('area.polygons')
  const [active, setActive] = useState<Ring>({ area: Math.max(0, areas.length - 1), ring: 0 })
  const corners = areas[active.area]?.[active.ring] ?? []
  const change = (next: Position[]) =>
    onChange(
      areas.length === 0
        ? [[next]]
        : areas.map((rings, at) =>
            at === active.area ? rings.map((ring, index) => (index === active.ring ? next : ring)) : rings,
          ),
    )
  const add = (rings: Position[][]) => {
    // Removes a new area that has no corners yet.
    const nonEmpty = areas.filter(([border = []]) => border.length > 0)
    onChange([...nonEmpty, rings])
    setActive({ area: nonEmpty.length, ring: 0 })
  }
  const cut = () => {
    onChange(areas.map((rings, at) => (at === active.area ? [...rings, []] : rings)))
    setActive({ area: active.area, ring: areas[active.area]?.length ?? 1 })
  }
  const remove = () => {
    const next =
      active.ring === 0
        ? areas.filter((_, at) => at !== active.area)
        : areas.map((rings, at) => (at === active.area ? rings.filter((_ring, index) => index !== active.ring) : rings))
    onChange(next)
    setActive({ area: active.ring === 0 ? Math.max(0, active.area - 1) : active.area, ring: 0 })
  }
  const options = areas.flatMap((rings, area) =>
    rings.map((ring, index) => ({
      value: keyOf({ area, ring: index }),
      label: index === 0 ? t`Area ${area + 1}` : t`Hole ${index} in area ${area + 1}`,
      note:
        index === 0
          ? t`${plural(ring.length, { one: '# corner', other: '# corners' })}`
          : t`${plural(ring.length, { one: '# corner', other: '# corners' })}, excluded from the alert`,
    })),
  )
  return (
    <AreaPart error={error}>
      <Around onAdd={(ring) => add([ring])} />
      <CompanyMap
        label={t`Alert areas`}
        outline={areas.map((rings) => rings.filter((ring) => ring.length > 2)).filter((rings) => rings.length > 0)}
        marks={corners.map(([lon, lat], at) => ({
          id: at + 1,
          lat,
          lon,
          label: t`Corner ${at + 1}`,
          kind: 'neutral' as const,
        }))}
        onPin={({ lat, lon }) => change([...corners, [lon, lat]])}
      />
      {options.length > 1 && (
        <RadioCards
          label={t`Where should the next corner go?`}
          name="ring"
          options={options}
          columns={2}
          value={keyOf(active)}
          onChange={(key) => {
            const [area = 0, ring = 0] = String(key).split('.').map(Number)
            setActive({ area, ring })
          }}
        />
      )}
      <div className="flex flex-wrap items-center gap-3">
        <p role="status" className="text-muted text-sm">
          <Plural
            value={corners.length}
            _0="Place a pin at each corner, one at a time."
            one="# corner"
            other="# corners"
          />
        </p>
        <Button size="small" icon={Undo2} disabled={corners.length === 0} onClick={() => change(corners.slice(0, -1))}>
          <Trans>Remove last corner</Trans>
        </Button>
        <Button size="small" icon={Plus} disabled={corners.length < 3} onClick={() => add([[]])}>
          <Trans>Add another area</Trans>
        </Button>
        <Button
          size="small"
          icon={CircleDashed}
          disabled={(areas[active.area]?.[0]?.length ?? 0) < 3 || corners.length < 3}
          onClick={cut}
        >
          <Trans>Add a hole to this area</Trans>
        </Button>
        <Button size="small" icon={Trash2} disabled={areas.length === 0} onClick={remove}>
          {active.ring === 0 ? <Trans>Remove area</Trans> : <Trans>Remove hole</Trans>}
        </Button>
      </div>
    </AreaPart>
  )
}

/** Adds a circle around an address, without using the map. */
function Around({ onAdd }: { onAdd: (ring: Position[]) => void }) {
  const { t } = useLingui()
  const [center, setCenter] = useState(noLocation)
  const distances = [
    { metres: 300 * METRES_PER_FOOT, label: t`300 feet` },
    { metres: 500 * METRES_PER_FOOT, label: t`500 feet` },
    { metres: 1000 * METRES_PER_FOOT, label: t`1,000 feet` },
    { metres: MILE / 4, label: t`¼ mile` },
    { metres: MILE / 2, label: t`½ mile` },
    { metres: MILE, label: t`1 mile` },
    { metres: 3 * MILE, label: t`3 miles` },
  ]
  const [metres, setMetres] = useState(String(1000 * METRES_PER_FOOT))
  const { lat, lon } = center
  const addArea = () => {
    if (lat === null || lon === null) return
    onAdd(ringAround({ lat, lon }, Number(metres)))
    setCenter(noLocation)
  }
  return (
    <div className="grid gap-3 rounded-sm border border-line p-3">
      <LocationField label={t`Address at the center of the area`} optional value={center} onChange={setCenter} />
      <div className="flex flex-wrap items-end gap-3">
        <Select
          label={t`Distance`}
          className="min-w-44 flex-1"
          options={distances.map(({ metres: value, label }) => ({ value: String(value), label }))}
          value={metres}
          onChange={({ target }) => setMetres(target.value)}
        />
        <Button icon={Plus} disabled={lat === null} onClick={addArea}>
          <Trans>Add area</Trans>
        </Button>
      </div>
    </div>
  )
}
