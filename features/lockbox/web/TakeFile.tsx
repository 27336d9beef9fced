import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'
import { tooLarge } from '../../../shared/file-types.ts'
import { formatCents } from '../../../shared/money.ts'
import { sentenceOf } from '../../../web/call.ts'
import { reload } from '../../../web/query.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { SlideOut } from '../../../web/ui/Dialog.tsx'
import { FilePicker } from '../../../web/ui/FilePicker.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { useUpload } from '../../../web/ui/upload.ts'
import { WrongRows } from '../../../web/ui/WrongRows.tsx'
import { lockboxFiles, type LockboxReport, takeLockboxFile } from '../contract.ts'
import { lockboxPayments } from '../list.ts'

type Mode = 'rehearse' | 'take'

/** Takes a file of the bank: first as a rehearsal that says what would be posted, then for good. */
export function TakeFile({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const [file, setFile] = useState<File | null>(null)
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState<Mode | null>(null)
  const [told, setTold] = useState<LockboxReport | null>(null)
  const { upload, send } = useUpload()
  const outcome = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (told) outcome.current?.focus()
  }, [told])
  const choose = (chosen: File | null) => {
    setFile(chosen)
    setTold(null)
    setProblem(chosen && chosen.size > lockboxFiles.mostBytes ? tooLarge(lockboxFiles) : '')
  }
  const work = async (mode: Mode) => {
    if (!file) return setProblem(t`Choose a file first.`)
    if (file.size > lockboxFiles.mostBytes) return setProblem(tooLarge(lockboxFiles))
    setBusy(mode)
    setProblem('')
    try {
      const report = await send({ takes: takeLockboxFile, by: lockboxFiles, file, fields: { mode } })
      setTold(report)
      if (report.taken) await reload(lockboxPayments.call)
    } catch (error) {
      setTold(null)
      setProblem(sentenceOf(error))
    }
    setBusy(null)
  }
  const isRehearsed = told !== null && !told.taken && told.wrongCount === 0
  return (
    <SlideOut
      title={<Trans>Take a file of bank payments</Trans>}
      onClose={onClose}
      locked={busy !== null}
      actions={
        <>
          {isRehearsed ? (
            <Button look="primary" busy={busy === 'take'} onClick={() => void work('take')}>
              <Trans>Take it</Trans>
            </Button>
          ) : (
            <Button look="primary" busy={busy === 'rehearse'} onClick={() => void work('rehearse')}>
              <Trans>Rehearse it</Trans>
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
            A CSV whose first line names its columns: account, name, amount, date, trace, and if there is one, currency.
            A trace number counts once: what came in a file before is left as it is.
          </Trans>
        </p>
        <FilePicker
          label={<Trans>File</Trans>}
          accept=".csv"
          hint={<Trans>CSV (UTF-8), at most 5 MB</Trans>}
          upload={upload}
          value={file}
          onChange={choose}
          error={problem || undefined}
        />
        {told && (
          <div ref={outcome} tabIndex={-1}>
            <Outcome report={told} />
          </div>
        )}
      </div>
    </SlideOut>
  )
}

function Outcome({ report }: { report: LockboxReport }) {
  const { t } = useLingui()
  const { read, posted, postedCents, waiting, waitingCents, known, wrongCount, wrong, taken } = report
  const count = (n: number) => n.toLocaleString('en-US')
  const title =
    wrongCount > 0
      ? t`Nothing was taken: ${count(wrongCount)} of ${count(read)} rows are wrong.`
      : taken
        ? t`The file was taken.`
        : t`This is what would become of it. Nothing has changed yet.`
  return (
    <Notice tone={wrongCount > 0 ? 'danger' : taken ? 'success' : 'info'} title={title}>
      {wrongCount > 0 ? (
        <p>
          <Trans>Mend them in the file and choose it again.</Trans>
        </p>
      ) : (
        <ul>
          <li>
            <Trans>
              {count(posted)} posted, {formatCents(postedCents)} in all
            </Trans>
          </li>
          <li>
            <Trans>
              {count(waiting)} for staff to look at, {formatCents(waitingCents)} in all
            </Trans>
          </li>
          <li>
            <Trans>{count(known)} known from a file before</Trans>
          </li>
        </ul>
      )}
      <WrongRows wrong={wrong} count={wrongCount} />
    </Notice>
  )
}
