import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type * as z from 'zod/mini'
import type { Attachments } from '../../../shared/attachments.ts'
import type { Endpoint } from '../../../shared/endpoint.ts'
import type { ColumnMapping, ColumnsReport, ImportReport, SampleKind } from '../../../shared/imports.ts'
import { Button } from '../Button.tsx'
import { Checkbox } from '../Choice.tsx'
import { useChosenFile } from '../chosen-file.ts'
import { SlideOut } from '../Dialog.tsx'
import { FilePicker } from '../FilePicker.tsx'
import { Notice } from '../Notice.tsx'
import { InvalidRows } from '../InvalidRows.tsx'
import { Text } from '../Text.tsx'
import { CorrectionFile } from './CorrectionFile.tsx'
import { ImportColumns, proposedMapping } from './ImportColumns.tsx'
import { SampleFile } from './SampleFile.tsx'
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
  const { picker, send } = useChosenFile(by)
  const [leaveOut, setLeaveOut] = useState(leavesOut === 'preset')
  const [busy, setBusy] = useState<'preview' | 'import' | null>(null)
  const [result, setResult] = useState<{ report: Report; of: string } | null>(null)
  const columns = useColumns(JSON.stringify(fields))
  const outcome = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (result) outcome.current?.focus()
  }, [result])

  const input = JSON.stringify([fields, columns.mapping])
  const report = result?.of === input ? result.report : null
  const work = async (mode: 'preview' | 'import') => {
    setBusy(mode)
    setResult(null)
    const response = await send(takes, {
      ...fields,
      mode,
      columns: columns.mapping ? JSON.stringify(columns.mapping) : '',
      ...(leavesOut !== false && { rowErrors: leaveOut ? 'leave out' : 'refuse' }),
    })
    if (response) setResult({ report: response, of: JSON.stringify([fields, columns.take(response)]) })
    if (response?.imported) await onImported()
    setBusy(null)
  }
  const undone = () => {
    setResult(null)
    return onImported()
  }
  const isReady = report?.columns?.isOpen !== true && report?.imported === false
  const mayImport = busy === 'import' || (isReady && (report.errorCount === 0 || leaveOut))
  return (
    <SlideOut
      title={title}
      onClose={onClose}
      locked={busy !== null}
      actions={
        <>
          {mayImport ? (
            <ImportButton busy={busy === 'import'} onPress={() => void work('import')} />
          ) : (
            <PreviewButton busy={busy !== null} onPress={() => void work('preview')} />
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
            setResult(null)
            columns.forget()
          }}
        />
        {sample && <SampleFile kind={sample} />}
        {leavesOut !== false && <SkipErrors checked={leaveOut} disabled={busy !== null} onChange={setLeaveOut} />}
        {report && (
          <div ref={outcome} tabIndex={-1} className="flex flex-col gap-5">
            <Outcome report={report} leaveOut={leaveOut} counts={counts?.(report)} />
            <Undo report={report} onUndone={undone} />
          </div>
        )}
        {columns.report && columns.mapping && !report?.imported && (
          <ImportColumns
            report={columns.report}
            mapping={columns.mapping}
            disabled={busy !== null}
            onChange={columns.choose}
          />
        )}
      </div>
    </SlideOut>
  )
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

/** Button that undoes the import, if it changed data. */
const Undo = ({ report, onUndone }: { report: ImportReport; onUndone: () => Promise<unknown> }) =>
  report.imported && report.importId !== undefined && <UndoImport importId={report.importId} onUndone={onUndone} />

/** Manages the columns of the chosen file. `of` are the other choices that the columns depend on. */
function useColumns(of: string) {
  const [state, setState] = useState<{ report: ColumnsReport; mapping: ColumnMapping; of: string } | null>(null)
  const current = state?.of === of ? state : null
  return {
    report: current?.report ?? null,
    mapping: current?.mapping ?? null,
    /** Stores the columns of a response, and returns their mapping. */
    take: ({ columns: report }: ImportReport): ColumnMapping | null => {
      const mapping = report ? proposedMapping(report) : null
      setState(report && mapping ? { report, mapping, of } : null)
      return mapping
    },
    choose: (mapping: ColumnMapping) => setState(current && { ...current, mapping }),
    forget: () => setState(null),
  }
}

const ImportButton = ({ busy, onPress }: { busy: boolean; onPress: () => void }) => (
  <Button variant="primary" busy={busy} busyLabel={<Trans>Importing...</Trans>} onClick={onPress}>
    <Trans>Import</Trans>
  </Button>
)

const PreviewButton = ({ busy, onPress }: { busy: boolean; onPress: () => void }) => (
  <Button variant="primary" busy={busy} busyLabel={<Trans>Reading the file...</Trans>} onClick={onPress}>
    <Trans>Preview changes</Trans>
  </Button>
)

function Outcome({ report, leaveOut, counts }: { report: ImportReport; leaveOut: boolean; counts: ReactNode }) {
  const { t } = useLingui()
  const { imported, read, created, changed, unchanged, errorCount, invalidRows, unprintable, columns } = report
  const count = (n: number) => n.toLocaleString('en-US')
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
        {isRejected && (
          <p>
            <Trans>Fix these rows in the file and choose the file again.</Trans>
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
