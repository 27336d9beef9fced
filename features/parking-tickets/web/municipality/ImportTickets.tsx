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
      hint={<Trans>At most {largest}. A ticket that is there already is not written twice.</Trans>}
      leavesOut
      onImported={reloadTickets}
    >
      <p>
        <Trans>
          A CSV whose first line names the columns citation, plate, state, violation and issued (YYYY-MM-DD HH:mm);
          besides, if you have them, officer, vehicle, place, email, notes and warning (yes or no).
        </Trans>
      </p>
    </ImportSlideOut>
  )
}
