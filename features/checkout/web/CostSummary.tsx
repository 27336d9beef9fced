import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { formatCents } from '../../../shared/money.ts'
import { page } from '../../../web/page.ts'
import { FeeName } from '../../payments/web/parts/lines.tsx'
import { Amounts } from '../../../web/ui/Card.tsx'
import type { FeeTerms } from '../../payments/rules-fees.ts'
import { type Method, methods, type Quote, statementNames } from '../../payments/rules.ts'

interface CostSummaryProps {
  /** Quote for the chosen amount. Null while no payable amount is chosen. */
  quote: Quote | null
  /** Part of the fee that is charged separately. In cents. */
  separateFeeCents: number
  /** Fee terms of each line. */
  terms: readonly FeeTerms[]
  method: Method
  /** True during an outage. The buttons then charge nothing. */
  isOut: boolean
}

/**
 * Shows the payment, the fee and the total before the charge. Screen readers announce the total when the payer pauses
 * typing.
 */
export function CostSummary({ quote, separateFeeCents, terms, method, isOut }: CostSummaryProps) {
  const { t } = useLingui()
  const total = quote && formatCents(quote.totalCents)
  return (
    <>
      {quote && total ? (
        <>
          <Amounts
            lines={[
              { id: 'bill', label: <Trans>Your payment</Trans>, amount: formatCents(quote.billCents) },
              ...(terms.every(({ program }) => program === 'none')
                ? []
                : [
                    {
                      id: 'fee',
                      label: <FeeName programs={terms.map(({ program }) => program)} />,
                      amount:
                        quote.feeCents === 0 && quote.absorbedFeeCents > 0
                          ? t`Paid by ${page().siteName}`
                          : formatCents(quote.feeCents),
                    },
                  ]),
            ]}
            total={{ label: <Trans>Total</Trans>, amount: total }}
          />
          {separateFeeCents > 0 && (
            <TwoCharges billCents={quote.totalCents - separateFeeCents} feeCents={separateFeeCents} />
          )}
          {(!isOut || method === methods.echeck) && (
            <p className="mt-4 text-muted text-sm">
              {separateFeeCents > 0 ? (
                <Trans>
                  We will make two charges to your card when you press the button: one for the payment and one for the
                  fee. If the fee is declined, your payment still counts.
                </Trans>
              ) : method === methods.echeck ? (
                <Trans>
                  By pressing the button, you authorize {page().siteName} to debit {total} once from this bank account
                  by electronic check.
                </Trans>
              ) : (
                <Trans>We will charge {total} to your card once, when you press the button.</Trans>
              )}
            </p>
          )}
        </>
      ) : (
        <p className="text-muted">
          <Trans>Choose an amount to see the fee and the total.</Trans>
        </p>
      )}
      <SpokenTotal total={total} />
    </>
  )
}

/** Shows the two charges before the payment, as the card statement will list them. */
function TwoCharges({ billCents, feeCents }: { billCents: number; feeCents: number }) {
  const names = statementNames(page().siteName)
  return (
    <div className="mt-4 rounded-sm bg-tint px-4 py-3">
      <p className="font-bold">
        <Trans>Your card statement will show two charges:</Trans>
      </p>
      <ul className="mt-1 list-disc ps-5 tabular-nums">
        <li>
          <Trans>
            {formatCents(billCents)} by {names.bill}
          </Trans>
        </li>
        <li>
          <Trans>
            {formatCents(feeCents)} by {names.fee}
          </Trans>
        </li>
      </ul>
    </div>
  )
}

/** Pause in milliseconds before the announcement. It is long enough to finish typing an amount. */
const PAUSE_MS = 900

function SpokenTotal({ total }: { total: string | null }) {
  const [spoken, setSpoken] = useState(total)
  useEffect(() => {
    const timer = setTimeout(() => setSpoken(total), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [total])
  return (
    <p role="status" className="spoken">
      {spoken && spoken === total && <Trans>Total {spoken}</Trans>}
    </p>
  )
}
