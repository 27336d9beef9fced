import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useEffect } from 'react'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { formatCents } from '../../../shared/money.ts'
import { translated } from '../../../shared/words.ts'
import { call } from '../../../web/call.ts'
import { longInstant } from '../../../web/clock.ts'
import { ListScreen } from '../../../web/list/ListScreen.tsx'
import { reload, useAnswer } from '../../../web/query.ts'
import { useQueryParam } from '../../../web/routes.tsx'
import { DetailList } from '../../../web/ui/Card.tsx'
import { Link } from '../../../web/ui/Link.tsx'
import { MoveButtons } from '../../../web/ui/MoveButtons.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { PageHead } from '../../../web/ui/Page.tsx'
import { EmptyState, Failed, LoadingState } from '../../../web/ui/States.tsx'
import { StateBadge } from '../../../web/ui/StatusBadge.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { changeBillingFile, returnBillingFile } from '../contract.ts'
import { billingFiles, billingLines } from '../list.ts'
import { type LineKind, MAX_LINES, ways } from '../rules.ts'
import { billingFileStates } from '../states.ts'
import { FILES } from './BillingSections.tsx'

type File = ResponseOf<typeof returnBillingFile>

const EVERY_MS = 1500
/** Shown for a line without an amount. */
const NOTHING = '–'
const count = (n: number) => n.toLocaleString('en-US')
const isAtWork = ({ state }: File) => billingFileStates.states[state].kind === 'waiting'

/** One file with its planned or completed changes, line by line. */
export default function BillingFileScreen() {
  const { t } = useLingui()
  const fileId = Number(/^\d{1,15}$/.exec(useQueryParam('file') ?? '')?.[0] ?? 0)
  const { data: file, error, refetch } = useAnswer(returnBillingFile, { fileId }, { enabled: fileId > 0 })
  const state = file?.state
  useEffect(() => {
    if (!file || !isAtWork(file)) return
    const looking = setInterval(() => void refetch(), EVERY_MS)
    return () => clearInterval(looking)
  }, [file, refetch])
  // Reloads the lists when the state changes, because the meaning of the lines differs by state.
  useEffect(() => void Promise.all([reload(billingLines.call), reload(billingFiles.call)]), [state])
  return (
    <>
      <p className="mb-2">
        <Link to={FILES}>
          <Trans>Billing Files</Trans>
        </Link>
      </p>
      <PageHead title={t`File of bills`} />
      {error && !file && <Failed error={error} onRetry={() => void refetch()} />}
      {fileId === 0 && (
        <EmptyState title={<Trans>No file is chosen</Trans>}>
          <Trans>Choose one of the list of files that came in.</Trans>
        </EmptyState>
      )}
      {fileId > 0 && !file && !error && (
        <LoadingState>
          <Trans>Loading the file</Trans>
        </LoadingState>
      )}
      {file && <Summary file={file} />}
      {file && !isAtWork(file) && file.state !== 'refused' && <Lines file={file} />}
    </>
  )
}

function Summary({ file }: { file: File }) {
  const { t } = useLingui()
  const counts = useCounts(file)
  const submitEvent = async (event: 'import' | 'discard') => {
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
          [t`From`, `${file.sender}, ${translated(ways[file.way])}`],
          [t`Received`, longInstant(file.receivedAt)],
          ...(isAtWork(file) || file.state === 'refused' ? [] : counts),
        ]}
      />
      <MoveButtons of={billingFileStates} can={file.can} onPress={submitEvent} />
    </div>
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
    [t`New bills`, t`${bills}, together ${billed}`],
    [t`Other amounts paid`, t`${changed}, together ${received}`],
    [t`Bills as they were`, count(file.billsUnchanged)],
    ...(file.adjustmentsCreated > 0
      ? [[t`Adjustments`, t`${adjustments}, together ${adjusted}`] satisfies [string, string]]
      : []),
    ...(file.shutoffsChanged > 0
      ? [[t`Steps of shut-offs`, count(file.shutoffsChanged)] satisfies [string, string]]
      : []),
    ...(file.documentsStored + file.documentsMissing > 0
      ? [[t`PDFs of bills`, t`${pdfs} kept, ${missing} missing`] satisfies [string, string]]
      : []),
    [t`Wrong lines`, count(file.wrongCount)],
  ]
}

/** Summary of the file's current state in one sentence. */
function What({ file }: { file: File }) {
  const { state, problem, wrongCount, changedMeanwhile } = file
  const done = count(file.linesDone)
  const read = count(file.linesRead)
  if (state === 'previewing')
    return (
      <Notice>
        <Trans>The file is being read. What it would change stands here as soon as that is known.</Trans>
      </Notice>
    )
  if (state === 'importing')
    return (
      <Notice>
        <Trans>
          The file is being taken over: {done} of {read} lines are done.
        </Trans>
      </Notice>
    )
  if (state === 'refused') return <Notice tone="danger">{problem}</Notice>
  if (state === 'discarded')
    return (
      <Notice>
        <Trans>This file was discarded. Nothing of it was taken over.</Trans>
      </Notice>
    )
  if (state === 'previewed' && changedMeanwhile)
    return (
      <Notice tone="warning">
        <Trans>
          Something changed since the rehearsal, so nothing was taken over. Below stands what the file would change now.
        </Trans>
      </Notice>
    )
  if (state === 'previewed')
    return (
      <Notice tone={wrongCount > 0 ? 'warning' : 'info'}>
        {wrongCount > 0 ? (
          <Trans>
            Nothing is changed yet.{' '}
            <Plural
              value={wrongCount}
              one="One line is wrong and would be left out."
              other="# lines are wrong and would be left out."
            />
          </Trans>
        ) : (
          <Trans>Nothing is changed yet. Every line can be taken over.</Trans>
        )}
      </Notice>
    )
  return (
    <Notice tone={wrongCount > 0 ? 'warning' : 'success'}>
      {wrongCount > 0 ? (
        <Trans>
          The file was taken over, without <Plural value={wrongCount} one="one wrong line" other="# wrong lines" />.
        </Trans>
      ) : (
        <Trans>The file was taken over.</Trans>
      )}
    </Notice>
  )
}

const withAmount: ReadonlySet<LineKind> = new Set(['paid', 'bill', 'adjustment'])

function Lines({ file }: { file: File }) {
  const max = count(MAX_LINES)
  const ofBills = file.accountsCreated + file.accountsUpdated + file.billsCreated + file.billsChanged
  const changed = ofBills + file.adjustmentsCreated + file.shutoffsChanged + file.documentsMissing
  const isCut = changed > MAX_LINES || file.wrongCount > MAX_LINES
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
            Of each file the first {max} changes and the first {max} wrong lines are listed.
          </Trans>
        )
      }
      empty={
        <EmptyState title={<Trans>This file changes nothing</Trans>}>
          <Trans>Everything in it is known already.</Trans>
        </EmptyState>
      }
    />
  )
}
