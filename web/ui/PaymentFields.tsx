import { Trans } from '@lingui/react/macro'
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
  if (gateway.script)
    return (
      <Suspense
        fallback={
          <p role="status" className="min-h-60 text-muted text-sm">
            <Trans>Loading the secure card fields…</Trans>
          </p>
        }
      >
        <ScriptedFields key={kind} ref={ref} script={gateway.script} kind={kind} cents={cents} />
      </Suspense>
    )
  return <HostedFields key={kind} ref={ref} {...gateway} kind={kind} onEnter={onEnter} {...(onBrand && { onBrand })} />
}
