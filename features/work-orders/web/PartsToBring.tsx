import { Trans, useLingui } from '@lingui/react/macro'
import { formatCents } from '../../../shared/money.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { Text } from '../../../web/ui/Text.tsx'
import type { PlannedPart } from '../contract.ts'
import type { OrderDetails } from './fresh.ts'

interface PartsToBringProps {
  order: Pick<OrderDetails, 'costs' | 'can'> & { details: { parts?: readonly PlannedPart[] } }
  disabled?: boolean
  /** Records that the crew used a part. */
  onUse: (part: PlannedPart) => void
}

/** Parts that the crew brings. A press on “Record use” adds a part to the costs of the order. */
export function PartsToBring({ order: { details, costs, can }, disabled = false, onUse }: PartsToBringProps) {
  const { t } = useLingui()
  // A phone may store orders that an older version of the portal sent without parts.
  const { parts = [] } = details
  if (parts.length === 0) return null
  const isUsed = ({ text }: PlannedPart) =>
    costs.some((cost) => cost.kind === 'part' && cost.text === text && !cost.voided)
  return (
    <>
      <h4 className="mb-1 font-bold text-sm">
        <Trans>Parts to bring</Trans>
      </h4>
      <ul className="mb-3 border-line border-t">
        {parts.map((part, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- two parts may have the same text
          <li key={at} className="flex flex-wrap items-center gap-x-3 border-line border-b py-2 text-sm">
            <span className="min-w-0 flex-1 basis-48 wrap-anywhere">
              <Text>{t`${part.quantity} × ${part.text}`}</Text>
              {part.unitCents > 0 && (
                <span className="block text-muted">
                  <Trans>{formatCents(part.unitCents)} each</Trans>
                </span>
              )}
            </span>
            {isUsed(part) ? (
              <Trans>Used</Trans>
            ) : (
              can.work && (
                <Button
                  size="small"
                  disabled={disabled}
                  aria-label={t`Record use of ${part.text}`}
                  onClick={() => onUse(part)}
                >
                  <Trans>Record use</Trans>
                </Button>
              )
            )}
          </li>
        ))}
      </ul>
    </>
  )
}
