import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'
import type { AnswerOf } from '../../../../shared/endpoint.ts'
import { sizeLabel, tooLarge } from '../../../../shared/file-types.ts'
import { sentenceOf } from '../../../../web/call.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { Checkbox } from '../../../../web/ui/Choice.tsx'
import { SlideOut } from '../../../../web/ui/Dialog.tsx'
import { FilePicker } from '../../../../web/ui/FilePicker.tsx'
import { Notice } from '../../../../web/ui/Notice.tsx'
import { useUpload } from '../../../../web/ui/upload.ts'
import { WrongRows } from '../../../../web/ui/WrongRows.tsx'
import { importTickets, ticketFile } from '../../contract.ts'
import { reloadTickets } from './fresh.ts'

type Report = AnswerOf<typeof importTickets>

const largest = sizeLabel(ticketFile.mostBytes)

/** Takes tickets from a file: first a rehearsal that says what would change, then in earnest. */
export function ImportTickets({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const [file, setFile] = useState<File | null>(null)
  const [leaveOut, setLeaveOut] = useState(false)
  const [busy, setBusy] = useState<'rehearse' | 'import' | null>(null)
  const [problem, setProblem] = useState('')
  const [report, setReport] = useState<Report | null>(null)
  const { upload, send: sendFile } = useUpload()
  const told = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (report) told.current?.focus()
  }, [report])

  const choose = (chosen: File | null) => {
    setFile(chosen)
    setReport(null)
    setProblem(chosen && chosen.size > ticketFile.mostBytes ? tooLarge(ticketFile) : '')
  }
  const send = async (mode: 'rehearse' | 'import') => {
    if (!file) return setProblem(t`Choose a file first.`)
    if (file.size > ticketFile.mostBytes) return setProblem(tooLarge(ticketFile))
    setBusy(mode)
    setProblem('')
    setReport(null)
    try {
      const fields = { mode, wrongRows: leaveOut ? 'leave out' : 'refuse' }
      setReport(await sendFile({ takes: importTickets, by: ticketFile, file, fields }))
      if (mode === 'import') await reloadTickets()
    } catch (error) {
      setProblem(sentenceOf(error))
    }
    setBusy(null)
  }
  const mayImport = report !== null && !report.imported && (report.wrongCount === 0 || leaveOut)
  return (
    <SlideOut
      title={<Trans>Import tickets</Trans>}
      onClose={onClose}
      locked={busy !== null}
      actions={
        <>
          {mayImport ? (
            <Button
              look="primary"
              busy={busy === 'import'}
              busyLabel={<Trans>Importing...</Trans>}
              onClick={() => void send('import')}
            >
              <Trans>Import</Trans>
            </Button>
          ) : (
            <Button
              look="primary"
              busy={busy !== null}
              busyLabel={<Trans>Reading the file...</Trans>}
              onClick={() => void send('rehearse')}
            >
              <Trans>Look what would change</Trans>
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
            A CSV whose first line names the columns citation, plate, state, violation and issued (YYYY-MM-DD HH:mm);
            besides, if you have them, officer, vehicle, place, email, notes and warning (yes or no).
          </Trans>
        </p>
        <FilePicker
          label={<Trans>File</Trans>}
          accept=".csv"
          hint={<Trans>At most {largest}. A ticket that is there already is not written twice.</Trans>}
          upload={upload}
          value={file}
          onChange={choose}
          error={problem || undefined}
        />
        <Checkbox
          label={<Trans>Leave out rows that are wrong</Trans>}
          hint={<Trans>Otherwise one wrong row keeps the whole file out, and nothing changes.</Trans>}
          checked={leaveOut}
          disabled={busy !== null}
          onChange={({ target }) => setLeaveOut(target.checked)}
        />
        {report && (
          <div ref={told} tabIndex={-1}>
            <Outcome report={report} />
          </div>
        )}
      </div>
    </SlideOut>
  )
}

function Outcome({ report }: { report: Report }) {
  const { t } = useLingui()
  const { imported, read, created, changed, unchanged, wrongCount, wrong } = report
  const count = (n: number) => n.toLocaleString('en-US')
  const title = imported
    ? t`The file was imported.`
    : wrongCount > 0
      ? t`${count(wrongCount)} of ${count(read)} rows are wrong. Nothing was changed yet.`
      : t`The file can be imported. Nothing was changed yet.`
  return (
    <Notice tone={imported ? 'success' : wrongCount > 0 ? 'danger' : 'info'} title={title}>
      <p>
        <Trans>
          {count(read)} rows read: {count(created)} new, {count(changed)} changed, {count(unchanged)} as they were.
        </Trans>
      </p>
      <WrongRows wrong={wrong} count={wrongCount} />
    </Notice>
  )
}
