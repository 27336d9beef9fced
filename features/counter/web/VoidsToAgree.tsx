import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { formatCents } from '../../../shared/money.ts'
import { call, messageOf } from '../../../web/call.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { ReasonDialog } from '../../../web/ui/ReasonDialog.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { agreeToVoid, type myDrawer } from '../contract.ts'

export type PendingVoids = ResponseOf<typeof myDrawer>['voids']

/**
 * Voids of payments in this drawer, requested by other staff. The drawer's owner must approve them, because the owner
 * is responsible for the cash.
 */
export function VoidsToAgree({ voids, onDecided }: { voids: PendingVoids; onDecided: () => void }) {
  const { t } = useLingui()
  const [declined, setDeclined] = useState<number | null>(null)
  const [busy, setBusy] = useState<number | null>(null)
  const agree = async (refundId: number) => {
    setBusy(refundId)
    try {
      toast((await call(agreeToVoid, { refundId, agree: true })).message)
    } catch (problem) {
      toast(messageOf(problem), 'danger')
    }
    setBusy(null)
    onDecided()
  }
  return (
    <>
      {voids.map(({ refundId, receipt, cents, requestedBy, reason }) => (
        <Notice key={refundId} tone="warning">
          <p>
            <Trans>
              {requestedBy} asked to void receipt {receipt} for {formatCents(cents)} from your drawer. Reason: {reason}
            </Trans>
          </p>
          <p className="mt-2 flex flex-wrap gap-2">
            <Button size="small" busy={busy === refundId} onClick={() => void agree(refundId)}>
              <Trans>Approve void</Trans>
            </Button>
            <Button size="small" disabled={busy === refundId} onClick={() => setDeclined(refundId)}>
              <Trans>Decline void</Trans>
            </Button>
          </p>
        </Notice>
      ))}
      {declined !== null && (
        <ReasonDialog
          title={t`Decline void`}
          draft={`void-declined:${declined}`}
          onReason={async (reason) => {
            toast((await call(agreeToVoid, { refundId: declined, agree: false, reason })).message)
            onDecided()
          }}
          onClose={() => setDeclined(null)}
        />
      )}
    </>
  )
}
