import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { SampleKind } from '../../../shared/imports.ts'
import { sizeLabel } from '../../../shared/file-types.ts'
import { findAddresses, findNearest, returnCompanyMap } from '../../../shared/places.ts'
import { reload } from '../../../web/query.ts'
import { Select } from '../../../web/ui/Choice.tsx'
import { ImportSlideOut } from '../../../web/ui/office/ImportSlideOut.tsx'
import { importPlaces, placeFiles, placeKinds, placeCounts, returnParcel } from '../contract.ts'
import { parcels } from '../list.ts'

type Kind = (typeof placeKinds)[number]

const kindTexts: Record<
  Kind,
  { label: MessageDescriptor; holds: MessageDescriptor; accept: string; sample?: SampleKind }
> = {
  addresses: {
    label: msg`Addresses`,
    holds: msg`Use a CSV or Excel file (XLSX) with the columns number, street, unit, city, state, zip, latitude and longitude, or a GeoJSON file of points.`,
    accept: '.csv,.xlsx,.json,.geojson',
    sample: 'addresses',
  },
  parcels: {
    label: msg`Parcels`,
    holds: msg`Use a CSV or Excel file (XLSX) with the columns parcel, address, owner, land_use, latitude and longitude, or a GeoJSON file of areas.`,
    accept: '.csv,.xlsx,.json,.geojson',
    sample: 'parcels',
  },
  streets: {
    label: msg`Streets`,
    holds: msg`Use a GeoJSON file of lines. Each line must have a name.`,
    accept: '.json,.geojson',
  },
  zones: {
    label: msg`Zones`,
    holds: msg`Use a GeoJSON file of areas. Each area must have a name and a kind, such as Ward.`,
    accept: '.json,.geojson',
  },
}

const largest = sizeLabel(placeFiles.maxBytes)
const reloadedCalls = [placeCounts, parcels.call, returnParcel, returnCompanyMap, findAddresses, findNearest]

export function ImportPlaces({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const [kind, setKind] = useState<Kind>('addresses')
  return (
    <ImportSlideOut
      title={<Trans>Import places</Trans>}
      onClose={onClose}
      takes={importPlaces}
      by={placeFiles}
      fields={{ kind }}
      accept={kindTexts[kind].accept}
      {...(kindTexts[kind].sample && { sample: kindTexts[kind].sample })}
      hint={<Trans>The file can be up to {largest}. Coordinates must be in degrees (WGS 84).</Trans>}
      leavesOut
      onImported={() => Promise.all(reloadedCalls.map(reload))}
    >
      <Select
        label={<Trans>File content</Trans>}
        hint={t(kindTexts[kind].holds)}
        value={kind}
        onChange={({ target }) => setKind(placeKinds.find((one) => one === target.value) ?? 'addresses')}
        options={placeKinds.map((one) => ({ value: one, label: t(kindTexts[one].label) }))}
      />
    </ImportSlideOut>
  )
}
