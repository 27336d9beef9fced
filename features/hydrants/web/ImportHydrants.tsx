import { Trans } from '@lingui/react/macro'
import { ImportSlideOut } from '../../../web/ui/office/ImportSlideOut.tsx'
import { hydrantFile, importHydrants } from '../contract.ts'
import { reloadHydrants } from './fresh.ts'

/** Imports hydrants from a file. */
export function ImportHydrants({ onClose }: { onClose: () => void }) {
  return (
    <ImportSlideOut
      title={<Trans>Import hydrants</Trans>}
      onClose={onClose}
      takes={importHydrants}
      by={hydrantFile}
      accept=".csv,.json,.geojson"
      hint={<Trans>A hydrant that is there already by its number is changed to what the file says.</Trans>}
      leavesOut
      onImported={reloadHydrants}
    >
      <p>
        <Trans>
          A CSV whose first line names the columns, or a GeoJSON of points: number, and if you have them make, model,
          year, size, main, place, last_inspection, next_inspection (YYYY-MM-DD), notes, lat and lon.
        </Trans>
      </p>
    </ImportSlideOut>
  )
}
