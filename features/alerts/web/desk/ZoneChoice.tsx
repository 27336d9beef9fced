import { Trans, useLingui } from '@lingui/react/macro'
import type { ResponseOf } from '../../../../shared/endpoint.ts'
import { returnCompanyMap } from '../../../../shared/places.ts'
import { CompanyMap } from '../../../../web/places/CompanyMap.tsx'
import { useResponse } from '../../../../web/query.ts'
import { Checkbox } from '../../../../web/ui/Choice.tsx'
import type { alertEditor } from '../../contract-staff.ts'
import { AreaPart } from './AreaPart.tsx'

interface Props {
  zones: ResponseOf<typeof alertEditor>['zones']
  chosen: readonly number[]
  onChange: (ids: number[]) => void
  error: string | undefined
}

export function ZoneChoice({ zones, chosen, onChange, error }: Props) {
  const { t } = useLingui()
  const { data } = useResponse(returnCompanyMap, {})
  if (zones.length === 0)
    return (
      <p className="text-muted">
        <Trans>The municipality has no zones yet. Import zones under Places.</Trans>
      </p>
    )
  const outline = data?.zones.filter(({ id }) => chosen.includes(id)).flatMap((zone) => zone.outline) ?? []
  return (
    <AreaPart error={error}>
      {[...new Set(zones.map((zone) => zone.kind))].map((kind) => (
        <fieldset key={kind}>
          <legend className="mb-1 font-bold">{kind}</legend>
          <div className="grid gap-x-4 sm:grid-cols-2">
            {zones
              .filter((zone) => zone.kind === kind)
              .map(({ id, name }) => (
                <Checkbox
                  key={id}
                  label={name}
                  checked={chosen.includes(id)}
                  onChange={({ target }) =>
                    onChange(target.checked ? [...chosen, id] : chosen.filter((other) => other !== id))
                  }
                />
              ))}
          </div>
        </fieldset>
      ))}
      <CompanyMap label={t`Selected zones`} outline={outline} />
    </AreaPart>
  )
}
