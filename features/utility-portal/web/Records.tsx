import { Trans, useLingui } from '@lingui/react/macro'
import { FileDown, Printer } from 'lucide-react'
import { formatShortDate } from '../../../shared/dates.ts'
import type { ResponseOf, RequestInputOf, Endpoint } from '../../../shared/endpoint.ts'
import { messageOf } from '../../../web/call.ts'
import { shortDay } from '../../../web/clock.ts'
import { download } from '../../../web/download.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { Panel } from '../../../web/ui/Card.tsx'
import { Select } from '../../../web/ui/Choice.tsx'
import { Link } from '../../../web/ui/Link.tsx'
import { StateBadge } from '../../../web/ui/StatusBadge.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { orderStates, type OrderStatus } from '../../payments/states.ts'
import { printBill, printReceipt, type showAccount } from '../contract.ts'
import { billPath } from '../rules.ts'
import { Adjustments } from './Comparison.tsx'
import { Days } from './YearPanels.tsx'
import { Text } from '../../../web/ui/Text.tsx'
import { Money } from '../../../web/ui/Money.tsx'

type ShowAccountResponse = ResponseOf<typeof showAccount>

/** Downloads a document, or shows the error. */
export const saveDocument = <E extends Endpoint>(endpoint: E, body: RequestInputOf<E>): void =>
  void download(endpoint, body).catch((error: unknown) => toast(messageOf(error), 'danger'))

/** Bills and payments of one year, with a select for the year. */
export function Records({ view, onYear }: { view: ShowAccountResponse; onYear: (year: number) => void }) {
  const { t } = useLingui()
  const { account, year, years, bills, adjustments, payments } = view
  return (
    <>
      {years.length > 1 && (
        <Select
          label={t`Year for bills and payments`}
          className="max-w-60"
          value={year}
          onChange={({ target }) => onYear(Number(target.value))}
          options={years.map((value) => ({ value, label: String(value) }))}
        />
      )}
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <Panel id="bills" title={<Trans>Bills in {String(year)}</Trans>}>
          {bills.length === 0 ? (
            <p className="text-muted">
              <Trans>No bills for this year.</Trans>
            </p>
          ) : (
            <ul>
              {bills.map((bill) => (
                <li
                  key={bill.number}
                  className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-line border-b py-2.5 last:border-b-0"
                >
                  <span className="min-w-0">
                    <Link to={billPath(account.id, bill.number)} className="link font-bold">
                      {formatShortDate(bill.date)}
                    </Link>
                    <span className="block text-muted text-sm">
                      <Trans>Due {formatShortDate(bill.dueDate)}</Trans> · <Days days={bill.days} />
                    </span>
                  </span>
                  <span className="flex items-center gap-3 tabular-nums">
                    <Money cents={bill.amountCents} />
                    <Button
                      size="small"
                      icon={FileDown}
                      aria-label={t`PDF of the bill from ${formatShortDate(bill.date)}`}
                      onClick={() => saveDocument(printBill, { accountId: account.id, billNumber: bill.number })}
                    >
                      <Trans>PDF</Trans>
                    </Button>
                  </span>
                </li>
              ))}
            </ul>
          )}
          {adjustments.length > 0 && (
            <>
              <h3 className="mt-5 mb-1 text-lg">
                <Trans>Adjustments between bills</Trans>
              </h3>
              <Adjustments of={adjustments} />
            </>
          )}
        </Panel>
        <Panel id="payments" title={<Trans>Payments in {String(year)}</Trans>}>
          {payments.length === 0 ? (
            <p className="text-muted">
              <Trans>No payments through the portal during this year.</Trans>
            </p>
          ) : (
            <ul>
              {payments.map((payment) => (
                <Payment key={payment.id} account={account.id} payment={payment} />
              ))}
            </ul>
          )}
        </Panel>
      </div>
    </>
  )
}

function Payment({ account, payment }: { account: number; payment: ShowAccountResponse['payments'][number] }) {
  const { t } = useLingui()
  const { id, receipt, at, amountCents, methodLabel, status, can } = payment
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-line border-b py-2.5 last:border-b-0">
      <span className="min-w-0">
        <span className="font-bold">{shortDay(at)}</span>{' '}
        <StateBadge of={orderStates} state={status as OrderStatus} className="ms-1" />
        <span className="block text-muted text-sm">
          <Text>{receipt}</Text>
          <Text>{methodLabel ? ` · ${methodLabel}` : ''}</Text>
        </span>
      </span>
      <span className="flex items-center gap-3 tabular-nums">
        <Money cents={amountCents} />
        {can.print && (
          <Button
            size="small"
            icon={Printer}
            aria-label={t`Print receipt ${receipt}`}
            onClick={() => saveDocument(printReceipt, { accountId: account, paymentId: id })}
          >
            <Trans>Receipt</Trans>
          </Button>
        )}
      </span>
    </li>
  )
}
