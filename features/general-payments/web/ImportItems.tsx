import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'
import { tooLarge } from '../../../shared/file-types.ts'
import { formatCents } from '../../../shared/money.ts'
import { sentenceOf } from '../../../web/call.ts'
import { reload, useAnswer } from '../../../web/query.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { SlideOut } from '../../../web/ui/Dialog.tsx'
import { FilePicker } from '../../../web/ui/FilePicker.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { useUpload } from '../../../web/ui/upload.ts'
import { WrongRows } from '../../../web/ui/WrongRows.tsx'
import { importItems, type ImportReport, itemFiles, showPaymentType } from '../contract.ts'
import { generalCharges } from '../list.ts'

type Mode = 'rehearse' | 'import'

/** Takes a list of open items: first as a rehearsal that says what would change, then for good. */
export function ImportItems({ id, onClose }: { id: number; onClose: () => void }) {
  const { t } = useLingui()
  const { data } = useAnswer(showPaymentType, { typeId: id })
  const [file, setFile] = useState<File | null>(null)
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState<Mode | null>(null)
  const [told, setTold] = useState<{ report: ImportReport; mode: Mode } | null>(null)
  const { upload, send } = useUpload()
  const outcome = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (told) outcome.current?.focus()
  }, [told])
  const choose = (chosen: File | null) => {
    setFile(chosen)
    setTold(null)
    setProblem(chosen && chosen.size > itemFiles.mostBytes ? tooLarge(itemFiles) : '')
  }
  const work = async (mode: Mode) => {
    if (!file) return setProblem(t`Choose a file first.`)
    if (file.size > itemFiles.mostBytes) return setProblem(tooLarge(itemFiles))
    setBusy(mode)
    setProblem('')
    try {
      const report = await send({ takes: importItems, by: itemFiles, file, fields: { typeId: String(id), mode } })
      setTold({ report, mode })
      if (report.imported) await Promise.all([reload(showPaymentType), reload(generalCharges.call)])
    } catch (error) {
      setTold(null)
      setProblem(sentenceOf(error))
    }
    setBusy(null)
  }
  const isRehearsed = told !== null && told.mode === 'rehearse' && told.report.wrongCount === 0
  return (
    <SlideOut
      title={<Trans>Import open items of {data?.form.title ?? ''}</Trans>}
      onClose={onClose}
      locked={busy !== null}
      actions={
        <>
          {isRehearsed ? (
            <Button look="primary" busy={busy === 'import'} onClick={() => void work('import')}>
              <Trans>Import it</Trans>
            </Button>
          ) : (
            <Button look="primary" busy={busy === 'rehearse'} onClick={() => void work('rehearse')}>
              <Trans>Rehearse the import</Trans>
            </Button>
          )}
          <Button disabled={busy !== null} onClick={onClose}>
            <Trans>Close</Trans>
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-5">
        <p>
          <Trans>
            A CSV whose first line names its columns: number, name, amount, and if there are such, address, due_date,
            code. What is on the list already is changed to what the file says, and nothing is removed.
          </Trans>
        </p>
        <FilePicker
          label={<Trans>File</Trans>}
          accept=".csv"
          hint={<Trans>CSV (UTF-8), at most 20 MB</Trans>}
          upload={upload}
          value={file}
          onChange={choose}
          error={problem || undefined}
        />
        {told && (
          <div ref={outcome} tabIndex={-1}>
            <Outcome {...told} />
          </div>
        )}
      </div>
    </SlideOut>
  )
}

function Outcome({ report, mode }: { report: ImportReport; mode: Mode }) {
  const { t } = useLingui()
  const { read, created, changed, unchanged, createdCents, changedCents, wrongCount, wrong } = report
  const count = (n: number) => n.toLocaleString('en-US')
  const title =
    wrongCount > 0
      ? t`Nothing was imported: ${count(wrongCount)} of ${count(read)} rows are wrong.`
      : mode === 'rehearse'
        ? t`This is what the import would do. Nothing has changed yet.`
        : t`The list was imported.`
  return (
    <Notice tone={wrongCount > 0 ? 'danger' : mode === 'rehearse' ? 'info' : 'success'} title={title}>
      {wrongCount > 0 ? (
        <p>
          <Trans>Mend them in the file and choose it again.</Trans>
        </p>
      ) : (
        <ul>
          <li>
            <Trans>
              {count(created)} new, {formatCents(createdCents)} in all
            </Trans>
          </li>
          <li>
            <Trans>
              {count(changed)} changed, by {formatCents(changedCents)} in all
            </Trans>
          </li>
          <li>
            <Trans>{count(unchanged)} as they were</Trans>
          </li>
        </ul>
      )}
      <WrongRows wrong={wrong} count={wrongCount} />
    </Notice>
  )
}
