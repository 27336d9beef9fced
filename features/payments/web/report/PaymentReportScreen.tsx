import { Trans, useLingui } from '@lingui/react/macro'
import { lazy, Suspense } from 'react'
import { formatCents } from '../../../../shared/money.ts'
import { translated } from '../../../../shared/words.ts'
import { shortDay, shortInstant } from '../../../../web/clock.ts'
import { setQuery } from '../../../../web/go.ts'
import { ListScreen } from '../../../../web/list/ListScreen.tsx'
import { useQueryParam, useQueryText } from '../../../../web/routes.tsx'
import { Button } from '../../../../web/ui/Button.tsx'
import { Notice } from '../../../../web/ui/Notice.tsx'
import { paymentReport } from '../../list.ts'
import { feeStates } from '../../states.ts'
import { useFreshPayments } from './fresh-payments.ts'
import { PaymentBadge } from './payment-words.tsx'
import { ChosenPayment } from './ChosenPayment.tsx'
import { printReceipt } from './print-receipt.ts'
import { Text } from '../../../../web/ui/Text.tsx'

/** Few days have an outage: what tells of one is no part of what the screen waits for. */
const OutageNotice = lazy(async () => ({ default: (await import('../outage/OutageNotice.tsx')).OutageNotice }))

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

/** Does the address ask for the list that begins with the newest? */
const newestFirst = (query: string): boolean => {
  const asked = new URLSearchParams(query)
  return !asked.get('cursor') && (asked.get('sort') ?? 'date') === 'date' && asked.get('direction') !== 'asc'
}

/** Every payment of the town, as it comes (specification 2.3, 2.19). */
export default function PaymentReportScreen() {
  const { t } = useLingui()
  const { isFresh, saw, latest, waiting } = useFreshPayments(newestFirst(useQueryText()))
  const chosen = numberOf(useQueryParam('payment'))
  return (
    <>
      <ListScreen
        of={paymentReport}
        rowName={({ receipt }) => receipt}
        onRows={saw}
        cells={{
          // The minute is there for who points at it, and in the details.
          date: ({ date }) => (
            <time dateTime={date} title={shortInstant(date)}>
              {shortDay(date)}
            </time>
          ),
          receipt: ({ id, receipt }) => (
            <span className="inline-flex flex-wrap items-center gap-x-2">
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
          // What was not charged of it is no fee that came: the totals have it in a line of its own.
          feeCents: ({ ownFee }, text) =>
            ownFee === '' ? (
              text
            ) : (
              <span className="inline-flex flex-col items-end">
                <Text>{text}</Text>
                <span className="text-muted text-sm">{translated(feeStates.labels[ownFee])}</span>
              </span>
            ),
          paymentStatus: (row) => (
            <span className="inline-flex flex-col items-start gap-1">
              <PaymentBadge payment={row} />
              {row.note && <span className="text-sm">{row.note}</span>}
            </span>
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
            ...(other.totalCents === 0 ? [] : [{ label: t`Taken back in other ways:`, cents: { ...other } }]),
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
        {waiting > 0 && <Waiting count={waiting} />}
      </ListScreen>
      {chosen !== null && <ChosenPayment id={chosen} onClose={() => open(null)} />}
    </>
  )
}

const numberOf = (text: string | null): number | null =>
  text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null

const Waiting = ({ count }: { count: number }) => (
  <Notice className="mb-4">
    <span className="flex flex-wrap items-center justify-between gap-3">
      <span role="status">
        {count === 1 ? <Trans>A new payment came in.</Trans> : <Trans>{count} new payments came in.</Trans>}
      </span>
      <Button size="small" onClick={() => setQuery({ sort: null, direction: null, cursor: null, page: null })}>
        <Trans>Show the newest first</Trans>
      </Button>
    </span>
  </Notice>
)

/** What the lines of a payment are known by: one below the other where there is no room, each in one piece. */
function References({ of }: { of: string }) {
  const numbers = of.split(', ')
  return (
    <span className="flex flex-wrap gap-x-1">
      {numbers.map((number, n) => (
        <InTwo key={number} of={n < numbers.length - 1 ? `${number},` : number} />
      ))}
    </span>
  )
}

/** So many letters of a number stand in one line beside the other columns. */
const ONE_LINE = 10

/**
 * A number in one piece; a longer one, such as that of a general payment, breaks after its last hyphen or in its middle, and
 * nowhere else.
 */
function InTwo({ of }: { of: string }) {
  if (of.length <= ONE_LINE) return <span className="whitespace-nowrap">{of}</span>
  const middle = of.lastIndexOf('-') + 1 || Math.ceil(of.length / 2)
  return (
    <span className="whitespace-normal">
      <span className="whitespace-nowrap">{of.slice(0, middle)}</span>
      <wbr />
      <span className="whitespace-nowrap">{of.slice(middle)}</span>
    </span>
  )
}
