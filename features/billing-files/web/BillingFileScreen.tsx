import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Download } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import type { ColumnsReport, CorrectedRow } from '../../../shared/imports.ts'
import { formatCents } from '../../../shared/money.ts'
import { translated } from '../../../shared/messages.ts'
import { call, messageOf } from '../../../web/call.ts'
import { longInstant } from '../../../web/clock.ts'
import { download } from '../../../web/download.ts'
import { ListScreen } from '../../../web/list/ListScreen.tsx'
import { reload, useResponse } from '../../../web/query.ts'
import { useQueryParam } from '../../../web/routes.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { DetailList } from '../../../web/ui/Card.tsx'
import { Link, QueryLink } from '../../../web/ui/Link.tsx'
import { CorrectRows } from '../../../web/ui/office/CorrectRows.tsx'
import { ImportColumns, proposedMapping } from '../../../web/ui/office/ImportColumns.tsx'
import { SheetChoice } from '../../../web/ui/office/SheetChoice.tsx'
import { MoveButtons } from '../../../web/ui/MoveButtons.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { PageHead } from '../../../web/ui/Page.tsx'
import { UndoImport } from '../../../web/ui/office/UndoImport.tsx'
import { EmptyState, Failed, LoadingState } from '../../../web/ui/States.tsx'
import { StateBadge } from '../../../web/ui/StatusBadge.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import {
  changeBillingFile,
  chooseBillingColumns,
  chooseBillingSheet,
  correctBillingLines,
  downloadBillingErrors,
  returnBillingErrors,
  returnBillingFile,
} from '../contract.ts'
import type { ButtonOf } from '../../../shared/machine.ts'
import { billingFiles, billingLines } from '../list.ts'
import { type LineKind, MAX_LINES, sources } from '../rules.ts'
import { billingFileStates } from '../states.ts'
import { FILES } from './BillingSections.tsx'

type File = ResponseOf<typeof returnBillingFile>

const EVERY_MS = 1500
/** Text for a line without an amount. */
const NOTHING = '–'
const count = (n: number) => n.toLocaleString('en-US')
const isAtWork = ({ state }: File) => billingFileStates.states[state].kind === 'waiting'
const isCorrectable = ({ state, source, errorCount }: File) =>
  state === 'previewed' && source === 'upload' && errorCount > 0
const hasLines = (file: File) => !isAtWork(file) && file.state !== 'refused' && file.state !== 'mapping'

/** Shows one file with its planned or completed changes, line by line. */
export default function BillingFileScreen() {
  const { t } = useLingui()
  const fileId = Number(/^\d{1,15}$/.exec(useQueryParam('file') ?? '')?.[0] ?? 0)
  const { data: file, error, refetch } = useResponse(returnBillingFile, { fileId }, { enabled: fileId > 0 })
  const state = file?.state
  // Lines that staff correct must be checked before the import.
  const [typed, setTyped] = useState<CorrectedRow[] | null>(null)
  useEffect(() => {
    if (!file || !isAtWork(file)) return
    const looking = setInterval(() => void refetch(), EVERY_MS)
    return () => clearInterval(looking)
  }, [file, refetch])
  // Reloads the lists when the state changes, because the lines then have a different meaning.
  useEffect(
    () => void Promise.all([reload(billingLines.call), reload(billingFiles.call), reload(returnBillingErrors)]),
    [state],
  )
  return (
    <>
      <p className="mb-2">
        <Link to={FILES}>
          <Trans>Billing Files</Trans>
        </Link>
      </p>
      <PageHead title={t`Billing file`} />
      {error && !file && <Failed error={error} onRetry={() => void refetch()} />}
      {fileId === 0 && (
        <EmptyState title={<Trans>No file selected</Trans>}>
          <Trans>Select a file from the list of received files.</Trans>
        </EmptyState>
      )}
      {fileId > 0 && !file && !error && (
        <LoadingState>
          <Trans>Loading the file</Trans>
        </LoadingState>
      )}
      {file && <Summary file={file} isCorrected={typed !== null} />}
      {file && file.sheets.length > 1 && <ChooseSheet key={file.sheet} file={file} />}
      {file && isCorrectable(file) && <CorrectLines fileId={file.id} typed={typed} onChange={setTyped} />}
      {file?.columns && <ChooseColumns key={file.sheet} fileId={file.id} report={file.columns} />}
      {file && hasLines(file) && <Lines file={file} />}
    </>
  )
}

function Summary({ file, isCorrected }: { file: File; isCorrected: boolean }) {
  const { t } = useLingui()
  const counts = useCounts(file)
  const submitEvent = async (event: ButtonOf<typeof billingFileStates>) => {
    toast((await call(changeBillingFile, { fileId: file.id, event })).message)
    await reload(returnBillingFile)
  }
  return (
    <div className="mb-8 flex max-w-text flex-col gap-5">
      <div role="status" aria-live="polite">
        <What file={file} />
      </div>
      <DetailList
        details={[
          [t`File`, <strong key="name">{file.name}</strong>],
          [t`State`, <StateBadge key="state" of={billingFileStates} state={file.state} />],
          [t`From`, `${file.sender}, ${translated(sources[file.source])}`],
          [t`Received`, longInstant(file.receivedAt)],
          ...(hasLines(file) ? counts : []),
        ]}
      />
      {hasLines(file) && file.errorCount > 0 && <ErrorLines file={file} />}
      {file.state === 'imported' && file.undoableImport !== null && (
        <UndoImport importId={file.undoableImport} onUndone={() => reload(returnBillingFile)} />
      )}
      <MoveButtons
        of={billingFileStates}
        can={{ ...file.can, import: file.can['import'] === true && !isCorrected }}
        primary="import"
        onPress={submitEvent}
      />
    </div>
  )
}

/** Step in which staff choose the columns of a file that the portal does not know yet. */
function ChooseColumns({ fileId, report }: { fileId: number; report: ColumnsReport }) {
  const [mapping, setMapping] = useState(() => proposedMapping(report))
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const send = async () => {
    setBusy(true)
    try {
      toast((await call(chooseBillingColumns, { fileId, mapping })).message)
      await reload(returnBillingFile)
    } catch (error) {
      setProblem(messageOf(error))
    }
    setBusy(false)
  }
  return (
    <div className="flex max-w-text flex-col gap-5">
      <ImportColumns level={2} report={report} mapping={mapping} disabled={busy} onChange={setMapping} />
      {problem !== '' && (
        <Notice tone="danger" arrives>
          {problem}
        </Notice>
      )}
      <div>
        <Button variant="primary" busy={busy} busyLabel={<Trans>Sending...</Trans>} onClick={() => void send()}>
          <Trans>Preview changes</Trans>
        </Button>
      </div>
    </div>
  )
}

/** Choice of the sheet of a workbook. */
function ChooseSheet({ file: { id: fileId, sheets, sheet: current } }: { file: File }) {
  const [sheet, setSheet] = useState(current)
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const send = async () => {
    setBusy(true)
    setProblem('')
    try {
      toast((await call(chooseBillingSheet, { fileId, sheet })).message)
      await reload(returnBillingFile)
    } catch (error) {
      setProblem(messageOf(error))
    }
    setBusy(false)
  }
  return (
    <div className="mb-8 flex max-w-text flex-col gap-4">
      <SheetChoice sheets={sheets} value={sheet} disabled={busy} onChange={setSheet} />
      {problem !== '' && (
        <Notice tone="danger" arrives>
          {problem}
        </Notice>
      )}
      {sheet !== current && (
        <div>
          <Button variant="primary" busy={busy} busyLabel={<Trans>Sending...</Trans>} onClick={() => void send()}>
            <Trans>Preview this sheet</Trans>
          </Button>
        </div>
      )}
    </div>
  )
}

/** Step in which staff correct lines with errors without a new file. */
function CorrectLines({
  fileId,
  typed,
  onChange,
}: {
  fileId: number
  typed: readonly CorrectedRow[] | null
  onChange: (typed: CorrectedRow[] | null) => void
}) {
  const { data, error, refetch } = useResponse(returnBillingErrors, { fileId })
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  if (error && !data) return <Failed error={error} onRetry={() => void refetch()} />
  if (!data || data.rows.length === 0) return null
  const corrections = typed ?? data.corrections
  const send = async () => {
    setBusy(true)
    setProblem('')
    try {
      toast((await call(correctBillingLines, { fileId, corrections: [...corrections] })).message)
      onChange(null)
      await Promise.all([reload(returnBillingFile), reload(returnBillingErrors)])
    } catch (failure) {
      setProblem(messageOf(failure))
    }
    setBusy(false)
  }
  return (
    <div className="mb-8 flex max-w-text flex-col gap-5">
      <CorrectRows
        level={2}
        columns={data.columns}
        rows={data.rows}
        corrections={corrections}
        disabled={busy}
        onChange={onChange}
      />
      {problem !== '' && (
        <Notice tone="danger" arrives>
          {problem}
        </Notice>
      )}
      <div>
        <Button
          {...(typed !== null && { variant: 'primary' })}
          disabled={typed === null}
          busy={busy}
          busyLabel={<Trans>Sending...</Trans>}
          onClick={() => void send()}
        >
          <Trans>Check again</Trans>
        </Button>
      </div>
    </div>
  )
}

/** Ways to the lines with errors. The portal stores the file of an upload, so that staff can correct its lines. */
function ErrorLines({ file: { id, source } }: { file: File }) {
  const save = () =>
    void download(downloadBillingErrors, { fileId: id }).catch((error: unknown) => toast(messageOf(error), 'danger'))
  return (
    <p className="flex flex-wrap items-center gap-4">
      <QueryLink set={{ what: 'invalid' }} aria-haspopup={undefined} className="text-link underline underline-offset-4">
        <Trans>Show lines with errors</Trans>
      </QueryLink>
      {source === 'upload' && (
        <Button size="small" icon={Download} onClick={save}>
          <Trans>Download lines with errors</Trans>
        </Button>
      )}
    </p>
  )
}

function useCounts(file: File): [string, string][] {
  const { t } = useLingui()
  const [bills, billed] = [count(file.billsCreated), formatCents(file.billedCents)]
  const [changed, received] = [count(file.billsChanged), formatCents(file.receivedCents)]
  const [pdfs, missing] = [count(file.documentsStored), count(file.documentsMissing)]
  const [adjustments, adjusted] = [count(file.adjustmentsCreated), formatCents(file.adjustedCents)]
  return [
    [t`Lines read`, count(file.linesRead)],
    [t`New accounts`, count(file.accountsCreated)],
    [t`Accounts updated`, count(file.accountsUpdated)],
    [t`New bills`, t`${bills}, total ${billed}`],
    [t`Paid amounts changed`, t`${changed}, total ${received}`],
    [t`Unchanged bills`, count(file.billsUnchanged)],
    ...(file.adjustmentsCreated > 0
      ? [[t`Adjustments`, t`${adjustments}, total ${adjusted}`] satisfies [string, string]]
      : []),
    ...(file.shutoffsChanged > 0 ? [[t`Shutoff changes`, count(file.shutoffsChanged)] satisfies [string, string]] : []),
    ...(file.documentsStored + file.documentsMissing > 0
      ? [[t`Bill PDFs`, t`${pdfs} found, ${missing} missing`] satisfies [string, string]]
      : []),
    [t`Lines with errors`, count(file.errorCount)],
  ]
}

/** Describes the current state of the file in one sentence. */
function What({ file }: { file: File }) {
  const { state, problem, errorCount, changedMeanwhile } = file
  const done = count(file.linesDone)
  const read = count(file.linesRead)
  if (state === 'previewing')
    return (
      <Notice>
        <Trans>The file is being read. A preview of its changes will appear here.</Trans>
      </Notice>
    )
  if (state === 'mapping')
    return (
      <Notice tone="warning">
        <Trans>Check the columns of your file. Then preview the changes.</Trans>
      </Notice>
    )
  if (state === 'importing')
    return (
      <Notice>
        <Trans>
          Importing the file. Lines processed: {done} of {read}.
        </Trans>
      </Notice>
    )
  if (state === 'refused') return <Notice tone="danger">{problem}</Notice>
  if (state === 'discarded')
    return (
      <Notice>
        <Trans>This file was discarded. Nothing was imported.</Trans>
      </Notice>
    )
  if (state === 'undone')
    return (
      <Notice>
        <Trans>This import was undone. The portal has the data from before the import.</Trans>
      </Notice>
    )
  if (state === 'previewed' && changedMeanwhile)
    return (
      <Notice tone="warning">
        <Trans>Data changed after the preview, so nothing was imported. Review the new preview below.</Trans>
      </Notice>
    )
  if (state === 'previewed')
    return (
      <Notice tone={errorCount > 0 ? 'warning' : 'info'}>
        {errorCount > 0 ? (
          <Trans>
            No changes yet.{' '}
            <Plural
              value={errorCount}
              one="One line has an error and would be skipped."
              other="# lines have errors and would be skipped."
            />
          </Trans>
        ) : (
          <Trans>No changes yet. Every line can be imported.</Trans>
        )}
      </Notice>
    )
  return (
    <Notice tone={errorCount > 0 ? 'warning' : 'success'}>
      {errorCount > 0 ? (
        <Trans>
          File imported.{' '}
          <Plural
            value={errorCount}
            one="One line with an error was skipped"
            other="# lines with errors were skipped"
          />
          .
        </Trans>
      ) : (
        <Trans>File imported.</Trans>
      )}
    </Notice>
  )
}

const withAmount: ReadonlySet<LineKind> = new Set(['paid', 'bill', 'adjustment'])

function Lines({ file }: { file: File }) {
  const max = count(MAX_LINES)
  const ofBills = file.accountsCreated + file.accountsUpdated + file.billsCreated + file.billsChanged
  const changed = ofBills + file.adjustmentsCreated + file.shutoffsChanged + file.documentsMissing
  const isCut = changed > MAX_LINES || file.errorCount > MAX_LINES
  return (
    <ListScreen
      of={billingLines}
      level={2}
      rowName={({ line, bill }) => `${line} ${bill}`.trim()}
      cells={{
        before: ({ what }, amount) => (what === 'paid' ? amount : NOTHING),
        amount: ({ what }, amount) => (withAmount.has(what) ? amount : NOTHING),
      }}
      note={
        isCut && (
          <Trans>
            This list shows the first {max} changes and the first {max} lines with errors.
          </Trans>
        )
      }
      empty={
        <EmptyState title={<Trans>No changes in this file</Trans>}>
          <Trans>The portal already has all the data in this file.</Trans>
        </EmptyState>
      }
    />
  )
}
