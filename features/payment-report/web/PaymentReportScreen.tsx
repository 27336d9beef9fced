import { Trans, useLingui } from '@lingui/react/macro'
import { lazy, Suspense } from 'react'
import { formatCents } from '../../../shared/money.ts'
import { translated } from '../../../shared/messages.ts'
import { setQuery } from '../../../web/go.ts'
import { ListScreen } from '../../../web/list/ListScreen.tsx'
import { useQueryParam, useQueryText } from '../../../web/routes.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { paymentReport } from '../list.ts'
import { feeStates } from '../../payments/states.ts'
import { useFreshPayments } from './fresh-payments.ts'
import { PaymentBadge } from './payment-labels.tsx'
import { ChosenPayment } from '../../../web/municipality/ChosenPayment.tsx'
import { printReceipt } from './print-receipt.ts'
import { Text } from '../../../web/ui/Text.tsx'

/** The notice loads separately, because outages are rare and the screen should not wait for it. */
const OutageNotice = lazy(async () => ({
  default: (await import('../../outages/web/parts/OutageNotice.tsx')).OutageNotice,
}))

const open = (id: number | null) => setQuery({ payment: id === null ? null : String(id) })

interface Totals extends Amounts {
  refunded: Amounts
  returned: Amounts
  voided: Amounts
  unpaid: Amounts
  owed: Amounts
  other: Amounts
}
type Amounts = Record<'amountCents' | 'feeCents' | 'totalCents', number>

/** Returns true if the URL requests the first page, with the newest payments first. */
const newestFirst = (query: string): boolean => {
  const params = new URLSearchParams(query)
  return !params.get('cursor') && (params.get('sort') ?? 'date') === 'date' && params.get('direction') !== 'asc'
}

/** Screen with all payments of the company, updated live (spec 2.3, 2.19). */
export default function PaymentReportScreen() {
  const { t } = useLingui()
  const { isFresh, saw, latest, newCount } = useFreshPayments(newestFirst(useQueryText()))
  const chosen = numberOf(useQueryParam('payment'))
  return (
    <>
      <ListScreen
        of={paymentReport}
        rowName={({ receipt }) => receipt}
        onRows={saw}
        cells={{
          receipt: ({ id, receipt }) => (
            <span className="inline-flex items-center gap-x-2">
              <Text>{receipt}</Text>
              {isFresh(id) && (
                <span className="animate-[rise_160ms] rounded-sm bg-brand px-1.5 font-bold text-on-brand text-xs no-underline">
                  <Trans>New</Trans>
                </span>
              )}
            </span>
          ),
          accountNumber: ({ accountNumber }) => <References of={accountNumber} />,
          method: ({ method }) => translated(method),
          // The fee was not charged, so the table shows its state next to the amount. The totals list such fees
          // separately.
          feeCents: ({ separateFee }, text) =>
            separateFee === '' ? (
              text
            ) : (
              <>
                <Text>{text}</Text>{' '}
                <span className="text-muted text-sm">{translated(feeStates.labels[separateFee])}</span>
              </>
            ),
          paymentStatus: (row) => (
            <>
              <PaymentBadge payment={row} />
              {row.note && <span className="ms-2 text-sm">{row.note}</span>}
            </>
          ),
        }}
        actions={{ view: ({ id }) => open(id), printReceipt: ({ id }) => void printReceipt({ id }) }}
        onRow={({ id }) => open(id)}
        rest={(totals) => {
          const { refunded, returned, voided, unpaid, owed, other } = totals as Totals
          return [
            { label: t`Refunded:`, cents: { ...refunded } },
            { label: t`Returned:`, cents: { ...returned } },
            { label: t`Voided:`, cents: { ...voided } },
            { label: t`Declined or pending:`, cents: { ...unpaid } },
            ...(owed.totalCents === 0 ? [] : [{ label: t`Service fees owed:`, cents: { ...owed } }]),
            ...(other.totalCents === 0 ? [] : [{ label: t`Other reversals:`, cents: { ...other } }]),
          ]
        }}
      >
        <Suspense>
          <OutageNotice />
        </Suspense>
        <p role="status" className="spoken">
          {latest && (
            <Trans>
              New payment {latest.receipt}: {formatCents(latest.totalCents)} from {latest.payer}, {latest.paymentStatus}
              .
            </Trans>
          )}
        </p>
        {newCount > 0 && <NewPayments count={newCount} />}
      </ListScreen>
      {chosen !== null && <ChosenPayment id={chosen} onClose={() => open(null)} />}
    </>
  )
}

const numberOf = (text: string | null): number | null =>
  text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null

const NewPayments = ({ count }: { count: number }) => (
  <Notice className="mb-4">
    <span className="flex flex-wrap items-center justify-between gap-3">
      <span role="status">
        {count === 1 ? <Trans>New payment received.</Trans> : <Trans>{count} new payments received.</Trans>}
      </span>
      <Button size="small" onClick={() => setQuery({ sort: null, direction: null, cursor: null, page: null })}>
        <Trans>Show newest first</Trans>
      </Button>
    </span>
  </Notice>
)

/** References of the payment's lines. Text wraps only between references. */
function References({ of }: { of: string }) {
  const numbers = of.split(', ')
  return (
    <span className="inline-flex flex-wrap gap-x-1">
      {numbers.map((number, n) => (
        <span key={number} className="whitespace-nowrap">
          {n < numbers.length - 1 ? `${number},` : number}
        </span>
      ))}
    </span>
  )
}
