import { Trans, useLingui } from '@lingui/react/macro'
import { useId, useState } from 'react'
import { formatDate } from '../../../../shared/dates.ts'
import { formatCents } from '../../../../shared/money.ts'
import { boot, placeName } from '../../../../web/boot.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { cx } from '../../../../web/ui/cx.ts'
import { Amounts, BookkeeperTotal, Facts, Perforation } from '../../../../web/ui/Card.tsx'
import { Logo } from '../../../../web/ui/Emblem.tsx'
import { StatusBadge } from '../../../../web/ui/StatusBadge.tsx'
import { type Checkout, payableOf } from './checkout.ts'

/** The bill that is being paid: whose it is and what is owed, as far as a stranger may know it. Its lines are on the receipt. */
export function BillCard({ checkout }: { checkout: Checkout }) {
  const { hasBill, owedCents, pendingCents, dueDate } = checkout
  const payable = payableOf(checkout)
  const late = dueDate !== null && dueDate < boot.today
  const { t } = useLingui()
  const id = useId()
  // Where there is nothing to pay the bill says why.
  const [open, setOpen] = useState(payable <= 0)
  return (
    <section
      aria-labelledby="bill"
      className="rounded-sm border border-line bg-surface py-6 md:py-7 lg:sticky lg:top-6"
    >
      <div className="px-5 md:px-7">
        <div className="mb-5 flex items-center gap-3">
          <Logo url={boot.company?.logoUrl ?? null} name={placeName} size={44} />
          <div className="min-w-0 flex-1">
            <h2 id="bill" className="text-h3">
              {hasBill ? <Trans>Utility bill</Trans> : <Trans>Utility account</Trans>}
            </h2>
            <p className="text-muted text-sm">{placeName}</p>
          </div>
          <Button
            size="small"
            className="lg:hidden"
            aria-label={open ? t`Hide the bill` : t`Show the bill`}
            aria-expanded={open}
            aria-controls={id}
            onClick={() => setOpen(!open)}
          >
            {open ? <Trans>Hide</Trans> : <Trans>Show</Trans>}
          </Button>
        </div>
      </div>
      <div id={id} className={cx(!open && 'max-lg:hidden')}>
        <div className="px-5 md:px-7">
          <Facts
            facts={[
              [<Trans key="account">Account</Trans>, <span className="tabular-nums">{checkout.accountNumber}</span>],
              [<Trans key="name">Customer</Trans>, checkout.customerName],
              [<Trans key="street">Street</Trans>, checkout.street],
              ...(dueDate && payable > 0
                ? ([
                    [
                      <Trans key="due">Due</Trans>,
                      <span className="flex flex-wrap items-center gap-x-3 font-bold">
                        {formatDate(dueDate)}
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
          {pendingCents > 0 && (
            <Amounts
              lines={[
                { id: 'owed', label: <Trans>Owed before them</Trans>, amount: formatCents(owedCents) },
                { id: 'pending', label: <Trans>Payments under way</Trans>, amount: formatCents(-pendingCents) },
              ]}
            />
          )}
        </div>
      </div>
      <div className="px-5 md:px-7">
        <BookkeeperTotal
          className="mt-2"
          label={payable < 0 ? <Trans>Credit on the account</Trans> : <Trans>Amount owed</Trans>}
          amount={formatCents(Math.abs(payable))}
        />
        {!hasBill && owedCents === 0 && (
          <p className="mt-3 text-muted text-sm">
            <Trans>There is no bill on this account yet.</Trans>
          </p>
        )}
      </div>
    </section>
  )
}
