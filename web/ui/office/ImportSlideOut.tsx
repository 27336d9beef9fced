import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type * as z from 'zod/mini'
import type { Attachments } from '../../../shared/attachments.ts'
import type { Endpoint } from '../../../shared/endpoint.ts'
import type { ImportReport } from '../../../shared/imports.ts'
import { Button } from '../Button.tsx'
import { Checkbox } from '../Choice.tsx'
import { useChosenFile } from '../chosen-file.ts'
import { SlideOut } from '../Dialog.tsx'
import { FilePicker } from '../FilePicker.tsx'
import { Notice } from '../Notice.tsx'
import { WrongRows } from '../WrongRows.tsx'
import { Text } from '../Text.tsx'
import { Unprintable } from './LettersNotice.tsx'

interface ImportSlideOutProps<Report extends ImportReport> {
  title: ReactNode
  onClose: () => void
  takes: Endpoint<z.ZodMiniType, z.ZodMiniType<Report>>
  by: Attachments
  /** What goes with the file; a rehearsal counts only for what it was made with. */
  fields?: Record<string, string>
  /** What the picker offers: '.csv'. */
  accept: string
  hint: ReactNode
  /** True if staff can leave wrong rows out, 'preset' if they are left out unless staff say otherwise. */
  leavesOut?: boolean | 'preset'
  /** What changed with an import is loaded anew. */
  onImported: () => Promise<unknown>
  /** What the file is to hold, above the field for it. */
  children: ReactNode
  /** How many rows are new, changed and as they were, where more is to be said than the numbers. */
  counts?: (report: Report) => ReactNode
}

/** Imports a file: first a rehearsal, which says what would change and which rows are wrong, and then the import itself. */
export function ImportSlideOut<Report extends ImportReport>({
  title,
  onClose,
  takes,
  by,
  fields = {},
  accept,
  hint,
  leavesOut = false,
  onImported,
  children,
  counts,
}: ImportSlideOutProps<Report>) {
  const { picker, send } = useChosenFile(by)
  const [leaveOut, setLeaveOut] = useState(leavesOut === 'preset')
  const [busy, setBusy] = useState<'rehearse' | 'import' | null>(null)
  const [told, setTold] = useState<{ report: Report; of: string } | null>(null)
  const outcome = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (told) outcome.current?.focus()
  }, [told])

  const asked = JSON.stringify(fields)
  const report = told?.of === asked ? told.report : null
  const work = async (mode: 'rehearse' | 'import') => {
    setBusy(mode)
    setTold(null)
    const answer = await send(takes, {
      ...fields,
      mode,
      ...(leavesOut !== false && { wrongRows: leaveOut ? 'leave out' : 'refuse' }),
    })
    if (answer) setTold({ report: answer, of: asked })
    if (answer?.imported) await onImported()
    setBusy(null)
  }
  const mayImport = busy === 'import' || (report && !report.imported && (report.wrongCount === 0 || leaveOut))
  return (
    <SlideOut
      title={title}
      onClose={onClose}
      locked={busy !== null}
      actions={
        <>
          {mayImport ? (
            <Button
              look="primary"
              busy={busy === 'import'}
              busyLabel={<Trans>Importing...</Trans>}
              onClick={() => void work('import')}
            >
              <Trans>Import</Trans>
            </Button>
          ) : (
            <Button
              look="primary"
              busy={busy !== null}
              busyLabel={<Trans>Reading the file...</Trans>}
              onClick={() => void work('rehearse')}
            >
              <Trans>See what would change</Trans>
            </Button>
          )}
          <Button disabled={busy !== null} onClick={onClose}>
            <Trans>Close</Trans>
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-5">
        <Text>{children}</Text>
        <FilePicker
          {...picker}
          label={<Trans>File</Trans>}
          accept={accept}
          hint={hint}
          onChange={(file) => {
            picker.onChange(file)
            setTold(null)
          }}
        />
        {leavesOut !== false && (
          <Checkbox
            label={<Trans>Leave out rows that are wrong</Trans>}
            hint={<Trans>Otherwise one wrong row keeps the whole file out, and nothing changes.</Trans>}
            checked={leaveOut}
            disabled={busy !== null}
            onChange={({ target }) => setLeaveOut(target.checked)}
          />
        )}
        {report && <Unprintable letters={report.unprintable} />}
        {report && (
          <div ref={outcome} tabIndex={-1}>
            <Outcome report={report} leaveOut={leaveOut}>
              {counts?.(report)}
            </Outcome>
          </div>
        )}
      </div>
    </SlideOut>
  )
}

function Outcome({ report, leaveOut, children }: { report: ImportReport; leaveOut: boolean; children: ReactNode }) {
  const { t } = useLingui()
  const { imported, read, created, changed, unchanged, wrongCount, wrong } = report
  const count = (n: number) => n.toLocaleString('en-US')
  const keptOut = !imported && wrongCount > 0 && !leaveOut
  const title = imported
    ? t`The file was imported.`
    : wrongCount > 0
      ? t`${count(wrongCount)} of ${count(read)} rows are wrong. Nothing has changed yet.`
      : t`The file can be imported. Nothing has changed yet.`
  return (
    <Notice tone={keptOut ? 'danger' : wrongCount > 0 ? 'warning' : imported ? 'success' : 'info'} title={title}>
      <Text>
        {children ?? (
          <p>
            <Trans>
              {count(read)} rows read: {count(created)} new, {count(changed)} changed, {count(unchanged)} as they were.
            </Trans>
          </p>
        )}
      </Text>
      {keptOut && (
        <p>
          <Trans>Mend the wrong rows in the file and choose it again.</Trans>
        </p>
      )}
      {!keptOut && wrongCount > 0 && (
        <p>{imported ? <Trans>These rows were left out:</Trans> : <Trans>These rows will be left out:</Trans>}</p>
      )}
      <WrongRows wrong={wrong} count={wrongCount} />
    </Notice>
  )
}
