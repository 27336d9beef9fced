import { Trans, useLingui } from '@lingui/react/macro'
import { useId, useState } from 'react'
import { formatDate } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { page } from '../../../web/page.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { cx } from '../../../web/ui/cx.ts'
import { Amounts, BookkeeperTotal, DetailList, Perforation } from '../../../web/ui/Card.tsx'
import { Logo } from '../../../web/ui/Emblem.tsx'
import { StatusBadge } from '../../../web/ui/StatusBadge.tsx'
import { detailsText, detailRowsOf } from '../../payments/web/parts/lines.tsx'
import type { Checkout } from './checkout.ts'
import { Text } from '../../../web/ui/Text.tsx'

type Payable = Checkout['payables'][number]

/**
 * Shows the payee, owner and amount due, without details that strangers must not see. The receipt has the breakdown.
 */
export function BillCard({ checkout: { payables, payableCents } }: { checkout: Checkout }) {
  const { t } = useLingui()
  const id = useId()
  // A closed item still has an amount due, but it cannot be paid.
  const closedCents = payables.reduce(
    (sum, one) => (one.closed === null ? sum : sum + Math.max(0, one.owedCents - one.pendingCents)),
    0,
  )
  const owedCents = payableCents + closedCents
  // Open by default if nothing is payable, because the bill then states the reason.
  const [open, setOpen] = useState(payableCents <= 0)
  const [first] = payables
  const several = payables.length > 1
  const isFolded = !open && !several && first !== undefined
  return (
    <section
      aria-labelledby="bill"
      className="rounded-sm border border-line bg-surface py-6 md:py-7 lg:sticky lg:top-6"
    >
      <div className="px-5 md:px-7">
        <div className={cx('flex items-center gap-3', isFolded ? 'mb-2 lg:mb-5' : 'mb-5')}>
          <Logo url={page().company?.logoUrl ?? null} name={page().siteName} size={44} />
          <div className="min-w-0 flex-1">
            <h2 id="bill" className="wrap-anywhere text-h3">
              {several ? <Trans>{payables.length} items to pay</Trans> : first?.title}
            </h2>
            <p className={cx('text-muted text-sm', isFolded && 'max-lg:hidden')} translate="no">
              {page().siteName}
            </p>
          </div>
          <Button
            size="small"
            className="lg:hidden"
            aria-label={open ? t`Hide bill` : t`Show bill`}
            aria-expanded={open}
            aria-controls={id}
            onClick={() => setOpen(!open)}
          >
            {open ? <Trans>Hide</Trans> : <Trans>Show</Trans>}
          </Button>
        </div>
        {/* On a phone, the details can be collapsed. The details that identify the bill then stay visible. */}
        {isFolded && (
          <p className="mb-3 wrap-anywhere text-muted text-sm lg:hidden">
            {detailsText(first.details.filter(({ name }) => name !== 'customer').slice(0, 2))}
          </p>
        )}
      </div>
      <div id={id} className={cx(!open && 'max-lg:hidden')}>
        {payables.map((payable, i) => (
          <One key={i} payable={payable} several={several} />
        ))}
      </div>
      <div className="px-5 md:px-7">
        <BookkeeperTotal
          className="mt-2"
          label={owedCents < 0 ? <Trans>Credit on the account</Trans> : <Trans>Amount due</Trans>}
          amount={formatCents(Math.abs(owedCents))}
        />
        {payables.map(
          ({ nothingYet, owedCents }, i) =>
            nothingYet &&
            owedCents === 0 && (
              <p key={i} className="mt-3 text-muted text-sm">
                {nothingYet}
              </p>
            ),
        )}
      </div>
    </section>
  )
}

/** Shows one item to pay. If there are several items, also shows its name and amount due. */
function One({ payable, several }: { payable: Payable; several: boolean }) {
  const { title, details, dueDate, owedCents, pendingCents } = payable
  const late = dueDate !== null && dueDate < page().today
  return (
    <>
      <div className="px-5 md:px-7">
        {several && <h3 className="mt-4 mb-2 text-lg">{title}</h3>}
        <DetailList
          details={[
            ...detailRowsOf(details),
            ...(dueDate && owedCents - pendingCents > 0
              ? ([
                  [
                    <Trans key="due">Due</Trans>,
                    <span className="flex flex-wrap items-center gap-x-3 font-bold">
                      <Text>{formatDate(dueDate)}</Text>
                      {late && (
                        <StatusBadge kind="bad">
                          <Trans>Past due</Trans>
                        </StatusBadge>
                      )}
                    </span>,
                  ],
                ] as const)
              : []),
          ]}
        />
      </div>
      <Perforation />
      <div className="px-5 md:px-7">
        {(several || pendingCents > 0) && (
          <Amounts
            lines={[
              {
                id: 'owed',
                label: pendingCents > 0 ? <Trans>Owed before pending payments</Trans> : <Trans>Owed</Trans>,
                amount: formatCents(owedCents),
              },
              ...(pendingCents > 0
                ? [{ id: 'pending', label: <Trans>Pending payments</Trans>, amount: formatCents(-pendingCents) }]
                : []),
            ]}
          />
        )}
      </div>
    </>
  )
}
