import { useLingui } from '@lingui/react/macro'

/** Translated names of provider movements. */
export function useMovementNames(): Record<string, string> {
  const { t } = useLingui()
  return {
    capture: t`Payment`,
    void: t`Void`,
    refund: t`Refund`,
    refund_failed: t`Failed refund`,
    return: t`Returned eCheck`,
    dispute: t`Dispute`,
    dispute_won: t`Dispute won`,
    dispute_lost: t`Dispute lost`,
  }
}
