import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { ArrowLeft, ArrowRight, BookLock, CircleCheck, Download, Hash, Printer, TriangleAlert } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { addDays, daysBetween, firstOfMonth, formatDate, isDay } from '../../../shared/dates.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { formatCents } from '../../../shared/money.ts'
import { translated } from '../../../shared/messages.ts'
import { QueryItem } from '../../../web/query-item.tsx'
import { call, messageOf } from '../../../web/call.ts'
import { shortInstant } from '../../../web/clock.ts'
import { download } from '../../../web/download.ts'
import { setQuery } from '../../../web/go.ts'
import { useResponse } from '../../../web/query.ts'
import { useQueryParam } from '../../../web/routes.tsx'
import { may } from '../../../web/session.ts'
import { ResponseView } from '../../../web/ui/ResponseView.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { Panel } from '../../../web/ui/Card.tsx'
import { DateField } from '../../../web/ui/Choice.tsx'
import { ConfirmDialog } from '../../../web/ui/Dialog.tsx'
import { Link } from '../../../web/ui/Link.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { FiguresTable } from '../../../web/ui/office/chart/Figures.tsx'
import { PageHead } from '../../../web/ui/Page.tsx'
import { StatusBadge } from '../../../web/ui/StatusBadge.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { closePeriod, exportGl, reconcileDay } from '../contract.ts'
import { exceptionKinds, type PeriodKind } from '../rules.ts'
import { ExceptionSlideOut } from './ExceptionSlideOut.tsx'
import { Recheck } from './ExceptionsScreen.tsx'
import { refreshReconciliation } from './fresh.ts'
import { GlAccounts } from './GlAccounts.tsx'
import { Money } from '../../../web/ui/Money.tsx'
import { Text } from '../../../web/ui/Text.tsx'

type Day = ResponseOf<typeof reconcileDay>

const show = (day: string) => setQuery({ day })

/** Reconciliation of one day: money received, comparisons of amounts, and buttons to close the day. */
export default function DayScreen() {
  const dayParam = useQueryParam('day') ?? ''
  const day = isDay(dayParam) ? dayParam : undefined
  const response = useResponse(reconcileDay, day === undefined ? {} : { day }, { keepPrevious: true })
  return (
    <>
      <PageHead
        title={<Trans>Reconciliation</Trans>}
        actions={
          <>
            <Recheck />
            <Button icon={Printer} onClick={() => window.print()}>
              <Trans>Print</Trans>
            </Button>
          </>
        }
      >
        <Trans>Reconcile each day from the bill to the bank. Closed days do not change.</Trans>
      </PageHead>
      <ResponseView response={response} loading={<Trans>Loading reconciliation</Trans>} shape="block">
        {(dayView) => <DayContent loaded={dayView} />}
      </ResponseView>
      <QueryItem name="exception">{(id, close) => <ExceptionSlideOut id={id} onClose={close} />}</QueryItem>
      {useQueryParam('numbers') !== null && <GlAccounts onClose={() => setQuery({ numbers: null })} />}
    </>
  )
}

const DayContent = ({ loaded }: { loaded: Day }) => (
  <div className="flex flex-col gap-6">
    <Chosen loaded={loaded} />
    <Closing loaded={loaded} />
    <Agreement loaded={loaded} />
    <Differences loaded={loaded} />
    <ReceiptsTable loaded={loaded} />
    <Balances loaded={loaded} />
    <Books loaded={loaded} />
  </div>
)

function Chosen({ loaded: { day, closed, closedThrough, lastDay } }: { loaded: Day }) {
  const { t } = useLingui()
  return (
    <div className="flex flex-wrap items-end gap-x-3 gap-y-3">
      <Button icon={ArrowLeft} onClick={() => show(addDays(day, -1))} aria-label={t`Previous day`} />
      <DateField
        label={t`Day`}
        value={day}
        max={lastDay}
        onChange={({ target }) => target.value && show(target.value)}
      />
      <Button
        icon={ArrowRight}
        disabled={day >= lastDay}
        onClick={() => show(addDays(day, 1))}
        aria-label={t`Next day`}
      />
      <p id="day-standing" tabIndex={-1} className="flex min-h-(--control) flex-wrap items-center gap-3 outline-none">
        {closed || day <= closedThrough ? (
          <StatusBadge kind="good" icon={BookLock}>{t`Closed`}</StatusBadge>
        ) : (
          <StatusBadge kind="waiting">{t`Open`}</StatusBadge>
        )}
        <span className="text-muted text-sm">
          {closed ? (
            <Trans>
              by {closed.by} on {shortInstant(closed.at)}
            </Trans>
          ) : closedThrough === '' ? (
            <Trans>No days are closed yet. Reconciliation starts with the first closed day.</Trans>
          ) : (
            <Trans>Closed through {formatDate(closedThrough)}</Trans>
          )}
        </span>
      </p>
    </div>
  )
}

type Period = Day['periods'][number]

const daysIn = ({ firstDay, lastDay }: Period) => daysBetween(firstDay, lastDay) + 1

const CloseLabel = ({ period: { firstDay, lastDay } }: { period: Period }) =>
  firstDay === lastDay ? (
    <Trans>Close {formatDate(lastDay)}</Trans>
  ) : (
    <Trans>
      Close {formatDate(firstDay)} – {formatDate(lastDay)}
    </Trans>
  )

/**
 * Buttons that close periods, and messages about open work that prevents staff from closing them. To close several
 * days, staff must confirm, because a closing is permanent.
 */
function Closing({ loaded: { day, against, periods, mayClose } }: { loaded: Day }) {
  const [busy, setBusy] = useState<string | null>(null)
  const [pendingPeriod, setPendingPeriod] = useState<Period | null>(null)
  const closedNow = useRef(false)
  // Moves the focus to the result, because the dialog is closed and its button no longer exists.
  useEffect(() => {
    if (busy !== null || !closedNow.current) return
    closedNow.current = false
    if (document.activeElement?.matches('body, main h1')) document.getElementById('day-standing')?.focus()
  }, [busy])
  const close = async (kind: PeriodKind, lastDay: string) => {
    setBusy(kind + lastDay)
    try {
      toast((await call(closePeriod, { kind, lastDay })).message)
      closedNow.current = true
    } catch (problem) {
      toast(messageOf(problem), 'danger')
    } finally {
      await refreshReconciliation()
      setPendingPeriod(null)
      setBusy(null)
    }
  }
  const open = against.length > 0 ? periods.filter(({ kind }) => kind !== 'day') : periods
  return (
    <>
      {against.length > 0 && (
        <Notice tone="warning">
          <p>
            <Trans>{formatDate(day)} cannot be closed yet.</Trans>
          </p>
          <ul className="mt-1 list-disc ps-5">
            {against.map((errorText) => (
              <li key={errorText}>{errorText}</li>
            ))}
          </ul>
        </Notice>
      )}
      {mayClose && open.length > 0 && (
        <div className="flex flex-wrap gap-3 print:hidden">
          {open.map((period) => {
            const { kind, firstDay, lastDay } = period
            return (
              <Button
                key={kind + lastDay}
                variant={kind === 'day' ? 'primary' : 'secondary'}
                icon={BookLock}
                busy={pendingPeriod === null && busy === kind + lastDay}
                onClick={() => (firstDay === lastDay ? void close(kind, lastDay) : setPendingPeriod(period))}
              >
                <CloseLabel period={period} />
              </Button>
            )
          })}
        </div>
      )}
      {pendingPeriod && (
        <ConfirmDialog
          title={<CloseLabel period={pendingPeriod} />}
          confirmLabel={
            pendingPeriod.kind === 'day' ? (
              <Plural value={daysIn(pendingPeriod)} one="Close # day" other="Close # days" />
            ) : (
              <Trans>Close period</Trans>
            )
          }
          onConfirm={() => void close(pendingPeriod.kind, pendingPeriod.lastDay)}
          onClose={() => setPendingPeriod(null)}
          busy={busy !== null}
        >
          <p>
            {pendingPeriod.kind === 'day' ? (
              <Trans>
                This closes all {daysIn(pendingPeriod)} days and saves the figures for each day. After that, you cannot
                post to these days or reopen them. Correct any errors on a later day.
              </Trans>
            ) : (
              <Trans>
                These {daysIn(pendingPeriod)} days are already closed. Closing the period saves their combined figures
                permanently.
              </Trans>
            )}
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}

/** Comparisons of amounts, from the payments to the bank and the billing system. */
function Agreement({ loaded: { figures, day } }: { loaded: Day }) {
  const { t } = useLingui()
  const names: Record<string, readonly [string, string, string, string]> = {
    payments: [t`Payments and the ledger`, t`Payments`, t`Ledger`, ''],
    provider: [t`The ledger and the payment provider`, t`Ledger`, t`Paid out`, t`not paid out yet`],
    payouts: [t`Payouts and their lines`, t`Lines`, t`Payouts`, ''],
    bank: [t`Payouts that arrive on this day, and their bank deposits`, t`Payouts`, t`Bank`, t`in transit`],
    billing: [t`Paid utility bills and the amounts reported to the billing system`, t`Bills`, t`Reported`, ''],
  }
  return (
    <Panel id="agreement" title={<Trans>Reconciliation checks</Trans>}>
      <ol>
        {figures.links.map(({ key, parts = [], ...all }) => {
          const { oneCents, otherCents, waitsCents } = all
          const [name = key, one = '', other = '', waits = ''] = names[key] ?? []
          const differs = oneCents - otherCents - waitsCents
          const amounts = (of: typeof all) =>
            `${one} ${formatCents(of.oneCents)} · ${other} ${formatCents(of.otherCents)}${of.waitsCents === 0 ? '' : ` · ${formatCents(of.waitsCents)} ${waits}`}`
          return (
            <li
              key={key}
              className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 border-line border-b py-3 last:border-b-0"
            >
              <span className="min-w-0">
                <Text>{name}</Text>
                <span className="block text-muted text-sm tabular-nums">{amounts(all)}</span>
                {parts.map((part) => (
                  <span key={part.name} className="block ps-4 text-muted text-sm tabular-nums">
                    <Text>{part.name}</Text>: <Text>{amounts(part)}</Text>
                  </span>
                ))}
              </span>
              {differs !== 0 ? (
                <StatusBadge kind="attention">{t`Differs by ${formatCents(differs)}`}</StatusBadge>
              ) : waitsCents !== 0 ? (
                <StatusBadge kind="waiting">{t`In transit`}</StatusBadge>
              ) : oneCents === 0 && otherCents === 0 ? (
                <StatusBadge kind="neutral">{t`No activity`}</StatusBadge>
              ) : (
                <StatusBadge kind="good">{t`Matches`}</StatusBadge>
              )}
            </li>
          )
        })}
      </ol>
      <p className="mt-3 text-muted text-sm">
        <Trans>Amounts for {formatDate(day)}. Differences are listed as exceptions.</Trans>
      </p>
    </Panel>
  )
}

function Differences({ loaded: { exceptions, openExceptions, day } }: { loaded: Day }) {
  const { t } = useLingui()
  return (
    <Panel
      id="differences"
      title={<Trans>Open exceptions through this day</Trans>}
      aside={
        <Link className="link" to="/municipality/reports/exceptions?status=open">
          <Trans>All exceptions</Trans>
        </Link>
      }
    >
      {exceptions.length === 0 ? (
        <p className="flex items-center gap-2">
          <CircleCheck size={18} className="shrink-0 text-success" aria-hidden />
          <Trans>None. Through {formatDate(day)}, every cent is matched or resolved.</Trans>
        </p>
      ) : (
        <>
          <ul>
            {exceptions.map(({ id, kind, about, day: on, amountCents, owner }) => (
              <li
                key={id}
                className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 border-line border-b py-3 last:border-b-0"
              >
                <span className="min-w-0 wrap-anywhere">
                  <button type="button" className="link text-start" onClick={() => setQuery({ exception: String(id) })}>
                    <Text>{translated(exceptionKinds[kind])}</Text>: <Text>{about}</Text>
                  </button>
                  <span className="block text-muted text-sm">
                    <Text>{formatDate(on)}</Text> · <Text>{owner || t`Unassigned`}</Text>
                  </span>
                </span>
                <strong className="flex items-center gap-2 tabular-nums">
                  <TriangleAlert size={16} className="shrink-0 text-warning" aria-hidden />
                  <Money cents={amountCents} />
                </strong>
              </li>
            ))}
          </ul>
          {openExceptions > exceptions.length && (
            <p className="mt-3 text-muted text-sm">
              <Plural
                value={openExceptions - exceptions.length}
                one="# more exception is in the full list."
                other="# more exceptions are in the full list."
              />
            </p>
          )}
        </>
      )}
    </Panel>
  )
}

function ReceiptsTable({ loaded: { figures } }: { loaded: Day }) {
  const { t } = useLingui()
  const sum = (of: 'billCents' | 'feeCents' | 'refundCents') => figures.receipts.reduce((all, row) => all + row[of], 0)
  return (
    <section>
      <h2 className="mb-3 text-h3">
        <Trans>Payments received</Trans>
      </h2>
      {figures.receipts.length === 0 ? (
        <p className="text-muted">
          <Trans>No activity on this day.</Trans>
        </p>
      ) : (
        <FiguresTable
          caption={t`Payments received by payment method`}
          head={t`Paid with`}
          columns={[t`Payments`, t`Amounts`, t`Fees`, t`Refunded`]}
          rows={figures.receipts.map(({ method, payments, billCents, feeCents, refundCents }) => ({
            name: method,
            cells: [
              payments.toLocaleString('en-US'),
              formatCents(billCents),
              formatCents(feeCents),
              formatCents(refundCents),
            ],
          }))}
          totals={[
            figures.receipts.reduce((all, { payments }) => all + payments, 0).toLocaleString('en-US'),
            ...[sum('billCents'), sum('feeCents'), sum('refundCents')].map(formatCents),
          ]}
        />
      )}
    </section>
  )
}

function Balances({ loaded: { figures } }: { loaded: Day }) {
  const { t } = useLingui()
  const moved = figures.balances.filter((row) => row.beginsCents || row.debitCents || row.creditCents || row.endsCents)
  return (
    <section>
      <h2 className="mb-3 text-h3">
        <Trans>Accounts</Trans>
      </h2>
      <FiguresTable
        caption={t`Ledger account balances and activity`}
        head={t`Account`}
        columns={[t`Opening balance`, t`Debit`, t`Credit`, t`Closing balance`]}
        rows={moved.map(({ name, beginsCents, debitCents, creditCents, endsCents }) => ({
          name,
          cells: [beginsCents, debitCents, creditCents, endsCents].map(formatCents),
        }))}
      />
    </section>
  )
}

/** Export to the company's general ledger, and the closed periods. */
function Books({ loaded: { day, closedPeriods } }: { loaded: Day }) {
  const save = (fromDate: string, toDate: string) =>
    download(exportGl, { fromDate, toDate }).catch((problem: unknown) => toast(messageOf(problem), 'danger'))
  const mayExport = may('ledger', 'create')
  return (
    <Panel id="books" title={<Trans>General ledger</Trans>} className="print:hidden">
      <div className="flex flex-wrap gap-3">
        {mayExport && (
          <>
            <Button icon={Download} onClick={() => void save(day, day)}>
              <Trans>Export this day (CSV)</Trans>
            </Button>
            <Button icon={Download} onClick={() => void save(firstOfMonth(day), day)}>
              <Trans>Export month to date (CSV)</Trans>
            </Button>
          </>
        )}
        {may('ledger', 'view') && (
          <Button icon={Hash} onClick={() => setQuery({ numbers: '1' })}>
            <Trans>GL account numbers</Trans>
          </Button>
        )}
      </div>
      {closedPeriods.length > 0 && (
        <ul className="mt-5">
          {closedPeriods.map(({ kind, firstDay, lastDay, at, by }) => (
            <li
              key={kind + lastDay}
              className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 border-line border-b py-2 last:border-b-0"
            >
              <span>
                <Text>{formatDate(firstDay)}</Text> – <Text>{formatDate(lastDay)}</Text>
                <span className="block text-muted text-sm">
                  <Trans>
                    Closed by {by} on {shortInstant(at)}
                  </Trans>
                </span>
              </span>
              {mayExport && kind === 'month' && (
                <Button size="small" icon={Download} onClick={() => void save(firstDay, lastDay)}>
                  <Trans>Export CSV</Trans>
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
