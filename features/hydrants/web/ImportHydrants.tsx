import { Trans } from '@lingui/react/macro'
import { ImportSlideOut } from '../../../web/ui/office/ImportSlideOut.tsx'
import { hydrantFile, importHydrants } from '../contract.ts'
import { reloadHydrants } from './fresh.ts'

/** Form that imports hydrants from a file. */
export function ImportHydrants({ onClose }: { onClose: () => void }) {
  return (
    <ImportSlideOut
      title={<Trans>Import hydrants</Trans>}
      onClose={onClose}
      takes={importHydrants}
      by={hydrantFile}
      accept=".csv,.xlsx,.json,.geojson"
      sample="hydrants"
      hint={<Trans>If a hydrant number already exists, the file updates that hydrant.</Trans>}
      leavesOut
      onImported={reloadHydrants}
    >
      <p>
        <Trans>
          Use a CSV or Excel file (XLSX) with column names, or a GeoJSON file of points. Required: number. Optional:
          make, model, year, size, main, place, last_inspection, next_inspection (YYYY-MM-DD), notes, lat and lon.
        </Trans>
      </p>
    </ImportSlideOut>
  )
}
