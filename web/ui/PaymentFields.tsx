import { Trans } from '@lingui/react/macro'
import { Lock } from 'lucide-react'
import { lazy, type Ref, Suspense } from 'react'
import type { PaymentFields as Fields } from '../../shared/payment-fields.ts'
import { HostedFields, type HostedFieldsHandle } from './HostedFields.tsx'

/** Only for towns whose provider has a script. */
const ScriptedFields = lazy(() => import('./ScriptedFields.tsx'))

export interface PaymentFieldsProps {
  gateway: Fields
  kind: 'card' | 'bank'
  /** What will be paid, in cents; null where nothing is, or nobody knows yet. A wallet shows it. */
  cents?: number | null
  /** Enter was pressed in one of the fields. */
  onEnter: () => void
  /** Of the card that is typed; null while the fields do not tell. */
  onBrand?: (brand: string | null) => void
  ref: Ref<HostedFieldsHandle>
}

/** The card or bank fields of the town's payment provider: what is typed there never reaches this portal. */
export function PaymentFields({ gateway, kind, cents = null, onEnter, onBrand, ref }: PaymentFieldsProps) {
  const brand = onBrand && { onBrand }
  return (
    <div className="flex flex-col gap-2">
      {gateway.script ? (
        <Suspense
          fallback={
            <p role="status" className="min-h-80 text-muted text-sm">
              <Trans>Loading the secure card fields…</Trans>
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
        <Trans>
          These fields belong to the payment service. Your number goes there directly, never through this site.
        </Trans>
      </p>
    </div>
  )
}
