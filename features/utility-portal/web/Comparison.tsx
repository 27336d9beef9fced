import { Trans } from '@lingui/react/macro'
import { formatShortDate } from '../../../shared/dates.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { formatCents } from '../../../shared/money.ts'
import type { showBill } from '../contract.ts'
import { Text } from '../../../web/ui/Text.tsx'

type BillComparison = NonNullable<ResponseOf<typeof showBill>['comparison']>

const signed = (cents: number) => `${cents < 0 ? '−' : '+'}${formatCents(Math.abs(cents))}`

/** Reasons for the difference from the previous bill, with amounts that add up to the difference. */
export function Comparison({ of }: { of: BillComparison }) {
  const { differenceCents, beforeCents, reasons, adjustments } = of
  const amount = formatCents(Math.abs(differenceCents))
  const then = formatCents(beforeCents)
  return (
    <>
      <p className="mb-3">
        {differenceCents === 0 ? (
          <Trans>This bill has the same amount as the previous bill.</Trans>
        ) : differenceCents > 0 ? (
          <Trans>
            This bill is <strong>{amount} higher</strong> than the previous bill, which was {then}.
          </Trans>
        ) : (
          <Trans>
            This bill is <strong>{amount} lower</strong> than the previous bill, which was {then}.
          </Trans>
        )}
      </p>
      {reasons.length > 0 && (
        <ul>
          {reasons.map(({ text, cents }) => (
            <li key={text} className="flex justify-between gap-6 border-line border-b py-2 last:border-b-0">
              <span>{text}</span>
              <span className="shrink-0 font-bold tabular-nums">{signed(cents)}</span>
            </li>
          ))}
        </ul>
      )}
      {adjustments.length > 0 && (
        <>
          <p className="mt-4 mb-1 font-bold">
            <Trans>Balance adjustments since the previous bill:</Trans>
          </p>
          <Adjustments of={adjustments} />
        </>
      )}
    </>
  )
}

/** Balance changes between bills, each with its reason. */
export const Adjustments = ({ of }: { of: BillComparison['adjustments'] }) => (
  <ul>
    {of.map(({ number, date, amountCents, reason }) => (
      <li key={number} className="flex justify-between gap-6 border-line border-b py-2 last:border-b-0">
        <span className="min-w-0 wrap-anywhere">
          <Text>{reason}</Text> <span className="text-muted text-sm">{formatShortDate(date)}</span>
        </span>
        <span className="shrink-0 font-bold tabular-nums">{signed(amountCents)}</span>
      </li>
    ))}
  </ul>
)

/** Heading above the reasons, worded as a resident's question. */
export const WhyTitle = ({ of }: { of: BillComparison }) =>
  of.differenceCents > 0 ? (
    <Trans>Why is this bill higher?</Trans>
  ) : of.differenceCents < 0 ? (
    <Trans>Why is this bill lower?</Trans>
  ) : (
    <Trans>Comparison with the previous bill</Trans>
  )
