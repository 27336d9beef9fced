import { Trans } from '@lingui/react/macro'
import { sizeLabel } from '../../../../shared/file-types.ts'
import { ImportSlideOut } from '../../../../web/ui/office/ImportSlideOut.tsx'
import { importTickets, ticketFile } from '../../contract.ts'
import { reloadTickets } from './fresh.ts'

const largest = sizeLabel(ticketFile.maxBytes)

/** Imports tickets from a file. */
export function ImportTickets({ onClose }: { onClose: () => void }) {
  return (
    <ImportSlideOut
      title={<Trans>Import tickets</Trans>}
      onClose={onClose}
      takes={importTickets}
      by={ticketFile}
      accept=".csv"
      hint={<Trans>Up to {largest}. Existing tickets are not added again.</Trans>}
      leavesOut
      onImported={reloadTickets}
    >
      <p>
        <Trans>
          A CSV file with the columns citation, plate, state, violation and issued (YYYY-MM-DD HH:mm) in its first line.
          Optional columns: officer, vehicle, place, email, notes and warning (yes or no).
        </Trans>
      </p>
    </ImportSlideOut>
  )
}
