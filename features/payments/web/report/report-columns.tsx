import { Trans, useLingui } from '@lingui/react/macro'
import { useMemo } from 'react'
import { formatCents } from '../../../../shared/money.ts'
import { shortInstant, shortDay } from '../../../../web/clock.ts'
import type { TableColumn } from '../../../../web/ui/office/table/column.ts'
import { StatusBadge } from '../../../../web/ui/StatusBadge.tsx'
import { type Payment, PaymentBadge } from './payment-words.tsx'

/** The columns of the Payment Transaction Report. Those that few need are there to be chosen. */
export function useReportColumns(isFresh: (id: number) => boolean): readonly TableColumn<Payment>[] {
  const { t } = useLingui()
  return useMemo(
    () => [
      { id: 'date', header: t`Date`, sort: 'date', sortFirst: 'desc', cell: ({ date }) => <PaidOn date={date} /> },
      {
        id: 'receipt',
        header: t`Receipt`,
        primary: true,
        cell: (row) => <Receipt row={row} fresh={isFresh(row.id)} />,
      },
      {
        id: 'payer',
        header: t`Payer`,
        cell: ({ payer }) => <span className="inline-block min-w-22 whitespace-normal">{payer}</span>,
      },
      { id: 'email', header: t`Email`, hidden: true, cell: ({ email }) => email },
      { id: 'account', header: t`Account`, cell: ({ accountNumber }) => accountNumber },
      { id: 'type', header: t`Type`, hidden: true, cell: ({ type }) => type },
      { id: 'method', header: t`Method`, groupBy: ({ method }) => method, cell: ({ method }) => method },
      { id: 'means', header: t`Paid with`, hidden: true, cell: ({ means }) => means },
      { id: 'location', header: t`Location`, hidden: true, cell: ({ location }) => location },
      {
        id: 'status',
        header: t`Status`,
        groupBy: ({ paymentStatus }) => paymentStatus,
        cell: (row) => <Status row={row} />,
      },
      { id: 'amount', header: t`Amount`, align: 'end', cell: ({ amountCents }) => formatCents(amountCents) },
      { id: 'fee', header: t`Fee`, align: 'end', cell: ({ feeCents }) => formatCents(feeCents) },
      {
        ...{ id: 'total', header: t`Payment`, sort: 'amount', align: 'end' },
        cents: ({ totalCents }) => totalCents,
        cell: ({ totalCents }) => formatCents(totalCents),
      },
    ],
    [t, isFresh],
  )
}

/** The day; the minute is there for who points at it, and in the details. */
const PaidOn = ({ date }: { date: string }) => (
  <time dateTime={date} title={shortInstant(date)}>
    {shortDay(date)}
  </time>
)

const Receipt = ({ row: { receipt }, fresh }: { row: Payment; fresh: boolean }) => (
  <span className="inline-flex items-center gap-2">
    {receipt}
    {fresh && (
      <span className="animate-[rise_160ms] rounded-sm bg-brand px-1.5 font-bold text-on-brand text-xs no-underline">
        <Trans>New</Trans>
      </span>
    )}
  </span>
)

const Status = ({ row }: { row: Payment }) => (
  <span className="inline-flex flex-col items-start gap-1">
    <PaymentBadge payment={row} />
    {row.note && <StatusBadge kind="attention">{row.note}</StatusBadge>}
  </span>
)
