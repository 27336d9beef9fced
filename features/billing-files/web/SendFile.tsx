import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { sizeLabel } from '../../../shared/file-types.ts'
import { go } from '../../../web/go.ts'
import { reload } from '../../../web/query.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { useChosenFile } from '../../../web/ui/chosen-file.ts'
import { SlideOut } from '../../../web/ui/Dialog.tsx'
import { FilePicker } from '../../../web/ui/FilePicker.tsx'
import { SampleFile } from '../../../web/ui/office/SampleFile.tsx'
import { billFiles, previewBills } from '../contract.ts'
import { billingFiles } from '../list.ts'
import { FILES } from './BillingSections.tsx'

const largest = sizeLabel(billFiles.maxBytes)

/**
 * Shows the dialog that uploads a billing file for a preview. Data changes only after staff have reviewed the preview.
 */
export function SendFile({ onClose }: { onClose: () => void }) {
  const [busy, setBusy] = useState(false)
  const { picker, send } = useChosenFile(billFiles)
  const preview = async () => {
    setBusy(true)
    const sent = await send(previewBills)
    if (sent) {
      await reload(billingFiles.call)
      go(`${FILES}/file?file=${sent.fileId}`)
    } else setBusy(false)
  }
  return (
    <SlideOut
      title={<Trans>Upload billing file</Trans>}
      onClose={onClose}
      locked={busy}
      actions={
        <>
          <Button variant="primary" busy={busy} busyLabel={<Trans>Sending...</Trans>} onClick={() => void preview()}>
            <Trans>Preview import</Trans>
          </Button>
          <Button disabled={busy} onClick={onClose}>
            <Trans>Close</Trans>
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-5">
        <p>
          <Trans>
            You will first see a preview of the accounts and bills that the file adds or changes, and the lines with
            errors. Nothing changes until you import the file.
          </Trans>
        </p>
        <FilePicker
          {...picker}
          label={<Trans>File</Trans>}
          accept=".csv,.xlsx,.zip"
          hint={
            <Trans>
              Use a CSV or Excel file (XLSX) from your billing system, or a ZIP file with that file and the PDFs named
              in it. The file can be up to {largest}.
            </Trans>
          }
        />
        <SampleFile kind="bills" />
      </div>
    </SlideOut>
  )
}
