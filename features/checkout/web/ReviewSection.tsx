import { Trans } from '@lingui/react/macro'
import type { RefObject } from 'react'
import { formatCents } from '../../../shared/money.ts'
import { actsForOther, useSession } from '../../../web/session.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { Card } from '../../../web/ui/Card.tsx'
import { cx } from '../../../web/ui/cx.ts'
import type { DeferredAction } from '../../outages/web/parts/OutageChoice.tsx'
import { type Checkout, outageStartOf } from './checkout.ts'
import { CostSummary } from './CostSummary.tsx'
import { OutageChoice } from './parts.ts'
import { separateFeeOf, termsOfLine } from './payment-request.ts'
import type { PaymentFormState } from './use-payment-form.ts'

interface ReviewSectionProps {
  checkout: Checkout
  choices: PaymentFormState
  busy: boolean
  payButton: RefObject<HTMLButtonElement | null>
  /** Element with the alternative ways to pay during an outage. */
  alternatives: RefObject<HTMLDivElement | null>
  /**
   * Action that the payer chose during an outage and that the portal is currently saving. Null if nothing is being
   * saved.
   */
  deferredAction: DeferredAction | null
  onDefer: (action: DeferredAction) => void
}

/** Shows the total with its fee, and the pay button. During an outage, alternative ways to pay replace the button. */
export function ReviewSection({
  checkout,
  choices,
  busy,
  payButton,
  alternatives,
  deferredAction,
  onDefer,
}: ReviewSectionProps) {
  const impersonating = actsForOther(useSession())
  const { fees } = checkout
  const { lines, paysBy, request, quote, storedMethod } = choices
  const outageStart = outageStartOf(checkout)
  return (
    <Card as="div">
      <h2 className="mb-3 text-h3">
        <Trans>Review and pay</Trans>
      </h2>
      <CostSummary
        quote={quote}
        separateFeeCents={quote ? separateFeeOf(fees, paysBy, lines) : 0}
        terms={lines.filter(({ billCents }) => billCents).map(({ feeKind }) => termsOfLine(fees, paysBy, feeKind))}
        method={request.method}
        isOut={outageStart !== null}
      />
      {outageStart !== null && (
        <div ref={alternatives} className="mt-5">
          <OutageChoice
            since={outageStart}
            charges={
              storedMethod && quote
                ? { methodLabel: storedMethod.methodLabel, total: formatCents(quote.totalCents) }
                : null
            }
            busy={busy ? deferredAction : null}
            disabled={impersonating}
            onChoose={onDefer}
          />
        </div>
      )}
      {outageStart === null && (
        <Button
          ref={payButton}
          type="submit"
          variant="primary"
          wide
          className="mt-5"
          busy={busy}
          disabled={impersonating}
          busyLabel={quote ? <Trans>Paying {formatCents(quote.totalCents)}…</Trans> : <Trans>Paying…</Trans>}
        >
          {quote ? <Trans>Pay {formatCents(quote.totalCents)}</Trans> : <Trans>Pay</Trans>}
        </Button>
      )}
      {impersonating && (
        <p className="mt-3 text-muted text-sm">
          <Trans>You cannot pay while impersonating a resident.</Trans>
        </p>
      )}
    </Card>
  )
}

/** Shows the total at the lower edge of the window while the review section is out of view. */
export const StickyTotal = ({ lines, quote }: Pick<PaymentFormState, 'lines' | 'quote'>) => (
  <p
    aria-hidden
    data-sticky-end
    className={cx(
      'sticky bottom-0 z-10 -mx-5 border-line border-t bg-surface px-10 py-2.5 text-end shadow-overlay',
      lines.length > 1 ? 'lg:mx-0 lg:rounded-sm lg:border lg:px-7' : 'lg:hidden',
    )}
  >
    {quote ? (
      <Trans>
        You pay <strong className="tabular-nums">{formatCents(quote.totalCents)}</strong>
      </Trans>
    ) : (
      <Trans>No amount chosen yet</Trans>
    )}
  </p>
)
