import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type * as z from 'zod/mini'
import type { Attachments } from '../../../shared/attachments.ts'
import type { Endpoint } from '../../../shared/endpoint.ts'
import type { ColumnsReport, CorrectedRow, FileMapping, ImportReport, SampleKind } from '../../../shared/imports.ts'
import { Button } from '../Button.tsx'
import { Checkbox } from '../Choice.tsx'
import { useChosenFile } from '../chosen-file.ts'
import { SlideOut } from '../Dialog.tsx'
import { FilePicker } from '../FilePicker.tsx'
import { Notice } from '../Notice.tsx'
import { InvalidRows } from '../InvalidRows.tsx'
import { Text } from '../Text.tsx'
import { CorrectionFile } from './CorrectionFile.tsx'
import { CorrectRows } from './CorrectRows.tsx'
import { ImportColumns, proposedMapping } from './ImportColumns.tsx'
import { ListedRows } from './ListedRows.tsx'
import { SampleFile } from './SampleFile.tsx'
import { SheetChoice } from './SheetChoice.tsx'
import { UndoImport } from './UndoImport.tsx'
import { Unprintable } from './UnprintableNotice.tsx'

interface ImportSlideOutProps<Report extends ImportReport> {
  title: ReactNode
  onClose: () => void
  takes: Endpoint<z.ZodMiniType, z.ZodMiniType<Report>>
  by: Attachments
  /** Fields sent with the file. A preview is valid only for the same fields. */
  fields?: Record<string, string>
  /** The `accept` list of the file input: '.csv,.xlsx'. */
  accept: string
  /** Importer with a sample file. */
  sample?: SampleKind
  hint: ReactNode
  /** True if staff can skip rows with errors. 'preset' if these rows are skipped by default. */
  leavesOut?: boolean | 'preset'
  /** Reloads the data that an import changes. */
  onImported: () => Promise<unknown>
  /** Description of the file's content, above the file field. */
  children: ReactNode
  /** Returns content that replaces the numbers of new, changed and unchanged rows. */
  counts?: (report: Report) => ReactNode
}

/** Panel that imports a file. A preview first shows the changes and the rows with errors. */
export function ImportSlideOut<Report extends ImportReport>({
  title,
  onClose,
  takes,
  by,
  fields = {},
  accept,
  sample,
  hint,
  leavesOut = false,
  onImported,
  children,
  counts,
}: ImportSlideOutProps<Report>) {
  const [leaveOut, setLeaveOut] = useState(leavesOut === 'preset')
  const rowErrors = leavesOut === false ? {} : { rowErrors: leaveOut ? 'leave out' : 'refuse' }
  const work = useImport({ takes, by, fields, rowErrors, onImported })
  const { busy, report, columns, corrections, isCorrected } = work
  const outcome = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (work.result) outcome.current?.focus()
  }, [work.result])
  const isReady = report?.columns?.isOpen !== true && report?.imported === false && !isCorrected
  const mayImport = busy === 'import' || (isReady && (report.errorCount === 0 || leaveOut))
  return (
    <SlideOut
      title={title}
      onClose={onClose}
      locked={busy !== null}
      actions={
        <>
          {mayImport ? (
            <ImportButton busy={busy === 'import'} onPress={() => void work.send('import')} />
          ) : (
            <PreviewButton busy={busy !== null} checksAgain={isCorrected} onPress={() => void work.send('preview')} />
          )}
          <Button disabled={busy !== null} onClick={onClose}>
            <Trans>Close</Trans>
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-5">
        <Text>{children}</Text>
        <FilePicker {...work.picker} label={<Trans>File</Trans>} accept={accept} hint={hint} />
        {sample && <SampleFile kind={sample} />}
        {leavesOut !== false && <SkipErrors checked={leaveOut} disabled={busy !== null} onChange={setLeaveOut} />}
        {report && (
          <div ref={outcome} tabIndex={-1} className="flex flex-col gap-5">
            <Outcome report={report} leaveOut={leaveOut} counts={counts?.(report)} />
            <Undo report={report} onUndone={work.reset} />
          </div>
        )}
        {report?.columns?.isOpen === false && !report.imported && (
          <CorrectRows
            columns={titledColumns(report.columns)}
            rows={report.invalidRows}
            corrections={corrections}
            disabled={busy !== null}
            onChange={work.correct}
          />
        )}
        {report && report.columns?.isOpen !== true && <ListedRows report={report} />}
        {columns.report?.sheets && !report?.imported && (
          <SheetChoice
            sheets={columns.report.sheets}
            value={columns.mapping?.sheet ?? ''}
            disabled={busy !== null}
            onChange={work.chooseSheet}
          />
        )}
        {columns.report && columns.mapping && columns.mapping.columns.length > 0 && !report?.imported && (
          <ImportColumns
            report={columns.report}
            mapping={columns.mapping}
            disabled={busy !== null}
            onChange={(mapping) => columns.choose({ ...columns.mapping, ...mapping })}
          />
        )}
      </div>
    </SlideOut>
  )
}

interface ImportInput<Report extends ImportReport> extends Pick<
  ImportSlideOutProps<Report>,
  'takes' | 'by' | 'onImported'
> {
  fields: Record<string, string>
  rowErrors: { rowErrors?: string }
}

/** Sends the chosen file, and stores the report with the choices that it belongs to. */
function useImport<Report extends ImportReport>({ takes, by, fields, rowErrors, onImported }: ImportInput<Report>) {
  const { picker, send: sendFile } = useChosenFile(by)
  const [busy, setBusy] = useState<'preview' | 'import' | null>(null)
  const [result, setResult] = useState<{ report: Report; of: string; corrections: readonly CorrectedRow[] } | null>(
    null,
  )
  const [corrections, setCorrections] = useState<readonly CorrectedRow[]>([])
  const columns = useColumns(JSON.stringify(fields))
  const report = result?.of === JSON.stringify([fields, columns.mapping]) ? result.report : null
  const send = async (mode: 'preview' | 'import') => {
    setBusy(mode)
    setResult(null)
    const response = await sendFile(takes, {
      ...fields,
      mode,
      columns: columns.mapping ? JSON.stringify({ ...columns.mapping, corrections }) : '',
      ...(mode === 'import' && report?.digest && { digest: report.digest }),
      ...rowErrors,
    })
    if (response) setResult({ report: response, of: JSON.stringify([fields, columns.take(response)]), corrections })
    if (response?.imported) await onImported()
    setBusy(null)
  }
  const choose = (file: File | null) => {
    picker.onChange(file)
    setResult(null)
    setCorrections([])
    columns.forget()
  }
  const reset = () => {
    setResult(null)
    return onImported()
  }
  const chooseSheet = (sheet: string) => {
    setCorrections([])
    columns.choose({ columns: [], values: {}, sheet })
  }
  /** True if staff corrected rows after the preview. */
  const isCorrected = report !== null && result?.corrections !== corrections
  return {
    ...{ picker: { ...picker, onChange: choose }, busy, result, report, columns, corrections, isCorrected },
    ...{ send, reset, chooseSheet, correct: setCorrections },
  }
}

const SkipErrors = ({
  checked,
  disabled,
  onChange,
}: {
  checked: boolean
  disabled: boolean
  onChange: (checked: boolean) => void
}) => (
  <Checkbox
    label={<Trans>Skip rows with errors</Trans>}
    hint={<Trans>Otherwise, one row with an error stops the whole import, and nothing changes.</Trans>}
    checked={checked}
    disabled={disabled}
    onChange={({ target }) => onChange(target.checked)}
  />
)

const titledColumns = ({ headers, options }: ColumnsReport) =>
  headers.map(({ name, to }) => ({ name, to, title: options.find((option) => option.name === to)?.title ?? '' }))

/** Button that undoes the import, if it changed data. */
const Undo = ({ report, onUndone }: { report: ImportReport; onUndone: () => Promise<unknown> }) =>
  report.imported && report.importId !== undefined && <UndoImport importId={report.importId} onUndone={onUndone} />

/** Manages the columns of the chosen file. `of` are the other choices that the columns depend on. */
function useColumns(of: string) {
  const [state, setState] = useState<{ report: ColumnsReport; mapping: FileMapping; of: string } | null>(null)
  const current = state?.of === of ? state : null
  return {
    report: current?.report ?? null,
    mapping: current?.mapping ?? null,
    /** Stores the columns of a response, and returns their mapping. */
    take: ({ columns: report }: ImportReport): FileMapping | null => {
      const sheet = report?.sheet === undefined ? {} : { sheet: report.sheet }
      const mapping = report ? { ...proposedMapping(report), ...sheet } : null
      setState(report && mapping ? { report, mapping, of } : null)
      return mapping
    },
    choose: (mapping: FileMapping) => setState(current && { ...current, mapping }),
    forget: () => setState(null),
  }
}

const ImportButton = ({ busy, onPress }: { busy: boolean; onPress: () => void }) => (
  <Button variant="primary" busy={busy} busyLabel={<Trans>Importing...</Trans>} onClick={onPress}>
    <Trans>Import</Trans>
  </Button>
)

const PreviewButton = ({
  busy,
  checksAgain,
  onPress,
}: {
  busy: boolean
  checksAgain: boolean
  onPress: () => void
}) => (
  <Button variant="primary" busy={busy} busyLabel={<Trans>Reading the file...</Trans>} onClick={onPress}>
    {checksAgain ? <Trans>Check again</Trans> : <Trans>Preview changes</Trans>}
  </Button>
)

function Outcome({ report, leaveOut, counts }: { report: ImportReport; leaveOut: boolean; counts: ReactNode }) {
  const { t } = useLingui()
  const count = (n: number) => n.toLocaleString('en-US')
  const { imported, read, created, changed, unchanged, errorCount, invalidRows, unprintable, columns } = report
  const correctedCount = count(report.correctedRows ?? 0)
  const isRejected = !imported && errorCount > 0 && !leaveOut
  const title = imported
    ? t`File imported.`
    : errorCount > 0
      ? t`Rows with errors: ${count(errorCount)} of ${count(read)}. Nothing has changed yet.`
      : t`The file is ready to import. Nothing has changed yet.`
  if (report.columns?.isOpen)
    return (
      <Notice>
        <Trans>Check the columns of your file. Then preview the changes.</Trans>
      </Notice>
    )
  return (
    <>
      <Unprintable chars={unprintable} />
      {report.differs && (
        <Notice tone="warning">
          <Trans>Data changed after the preview, so nothing was imported. Review the new preview below.</Trans>
        </Notice>
      )}
      <Notice tone={isRejected ? 'danger' : errorCount > 0 ? 'warning' : imported ? 'success' : 'info'} title={title}>
        <Text>
          {counts ?? (
            <p>
              <Trans>
                Rows read: {count(read)}. New: {count(created)}. Changed: {count(changed)}. Unchanged:{' '}
                {count(unchanged)}.
              </Trans>
            </p>
          )}
        </Text>
        {report.correctedRows !== undefined && (
          <p>
            <Trans>Rows corrected here: {correctedCount}.</Trans>
          </p>
        )}
        {isRejected && (
          <p>
            {invalidRows.some(({ line }) => line) ? (
              <Trans>Correct these rows below, or in the file and choose the file again.</Trans>
            ) : (
              <Trans>Fix these rows in the file and choose the file again.</Trans>
            )}
          </p>
        )}
        {!isRejected && errorCount > 0 && (
          <p>{imported ? <Trans>Skipped rows:</Trans> : <Trans>Rows that will be skipped:</Trans>}</p>
        )}
        <InvalidRows rows={invalidRows} count={errorCount} />
        {columns && invalidRows.some(({ cells }) => cells) && (
          <CorrectionFile headers={columns.headers.map(({ name }) => name)} rows={invalidRows} />
        )}
      </Notice>
    </>
  )
}
