import { Trans } from '@lingui/react/macro'
import { Lock } from 'lucide-react'
import { lazy, type Ref, Suspense } from 'react'
import type { PaymentFields as Fields } from '../../shared/payment-fields.ts'
import { HostedFields, type HostedFieldsHandle } from './HostedFields.tsx'

/** Loaded on demand, because only some companies have a payment provider with its own script. */
const ScriptedFields = lazy(() => import('./ScriptedFields.tsx'))

export interface PaymentFieldsProps {
  gateway: Fields
  kind: 'card' | 'bank'
  /** Amount to pay in cents, which a wallet shows. Null if no payment is due or the amount is unknown. */
  cents?: number | null
  /** Called when the person presses Enter in a field. */
  onEnter: () => void
  /** Called with the brand of the typed card. Null while the brand is unknown. */
  onBrand?: (brand: string | null) => void
  ref: Ref<HostedFieldsHandle>
}

/** Card or bank fields of the company's payment provider. The entered details never reach this portal. */
export function PaymentFields({ gateway, kind, cents = null, onEnter, onBrand, ref }: PaymentFieldsProps) {
  const brand = onBrand && { onBrand }
  return (
    <div className="flex flex-col gap-2">
      {gateway.script ? (
        <Suspense
          fallback={
            <p role="status" className="min-h-80 text-muted text-sm">
              <Trans>Loading secure card fields…</Trans>
            </p>
          }
        >
          <ScriptedFields key={kind} ref={ref} script={gateway.script} kind={kind} cents={cents} />
        </Suspense>
      ) : (
        <HostedFields key={kind} ref={ref} {...gateway} kind={kind} onEnter={onEnter} {...brand} />
      )}
      <p className="flex items-start gap-2 text-muted text-sm">
        <Lock size={16} aria-hidden className="mt-0.75 shrink-0" />
        <Trans>Your card or bank account number goes directly to our payment provider, never through this site.</Trans>
      </p>
    </div>
  )
}
