import { Trans } from '@lingui/react/macro'
import { sizeLabel } from '../../../../shared/file-types.ts'
import { ImportSlideOut } from '../../../../web/ui/office/ImportSlideOut.tsx'
import { importTickets, ticketFile } from '../../contract.ts'
import { reloadTickets } from './fresh.ts'

const largest = sizeLabel(ticketFile.maxBytes)

/** Slide-out to import tickets from a file. */
export function ImportTickets({ onClose }: { onClose: () => void }) {
  return (
    <ImportSlideOut
      title={<Trans>Import tickets</Trans>}
      onClose={onClose}
      takes={importTickets}
      by={ticketFile}
      accept=".csv,.xlsx"
      sample="parking_tickets"
      hint={<Trans>The file can be up to {largest}. Existing tickets are updated, not added again.</Trans>}
      leavesOut
      onImported={reloadTickets}
    >
      <p>
        <Trans>
          Use a CSV or Excel file (XLSX) with column names. Required: citation, plate, state, violation, issued
          (YYYY-MM-DD HH:mm). Optional: officer, vehicle, place, email, notes, warning (yes or no).
        </Trans>
      </p>
    </ImportSlideOut>
  )
}
