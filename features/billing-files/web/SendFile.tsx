import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { sizeLabel, tooLarge } from '../../../shared/file-types.ts'
import { sentenceOf } from '../../../web/call.ts'
import { go } from '../../../web/go.ts'
import { reload } from '../../../web/query.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { SlideOut } from '../../../web/ui/Dialog.tsx'
import { FilePicker } from '../../../web/ui/FilePicker.tsx'
import { useUpload } from '../../../web/ui/upload.ts'
import { billFiles, rehearseBills } from '../contract.ts'
import { billingFiles } from '../list.ts'
import { FILES } from './BillingSections.tsx'

const largest = sizeLabel(billFiles.mostBytes)
const isTooLarge = ({ size }: File) => size > billFiles.mostBytes

/** Sends a file of bills to be rehearsed: nothing changes before somebody has seen what would. */
export function SendFile({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const [file, setFile] = useState<File | null>(null)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const { upload, send } = useUpload()
  const choose = (chosen: File | null) => {
    setFile(chosen)
    setProblem(chosen && isTooLarge(chosen) ? tooLarge(billFiles) : '')
  }
  const rehearse = async () => {
    if (!file) return setProblem(t`Choose a file first.`)
    if (isTooLarge(file)) return setProblem(tooLarge(billFiles))
    setBusy(true)
    setProblem('')
    try {
      const { fileId } = await send({ takes: rehearseBills, by: billFiles, file, fields: {} })
      await reload(billingFiles.call)
      go(`${FILES}/file?file=${fileId}`)
    } catch (error) {
      setProblem(sentenceOf(error))
      setBusy(false)
    }
  }
  return (
    <SlideOut
      title={<Trans>Send a file of bills</Trans>}
      onClose={onClose}
      locked={busy}
      actions={
        <>
          <Button look="primary" busy={busy} busyLabel={<Trans>Sending...</Trans>} onClick={() => void rehearse()}>
            <Trans>Rehearse it</Trans>
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
            The file is rehearsed first: you see which accounts and bills it would make or change, and which lines are
            wrong. Nothing changes before you take it over.
          </Trans>
        </p>
        <FilePicker
          label={<Trans>File</Trans>}
          accept=".csv,.zip"
          hint={
            <Trans>CSV from your billing system, or a zip of it with the PDFs that it names, at most {largest}</Trans>
          }
          upload={upload}
          value={file}
          onChange={choose}
          error={problem || undefined}
        />
      </div>
    </SlideOut>
  )
}
