import { Trans } from '@lingui/react/macro'
import type { Ref } from 'react'
import { Notice } from './Notice.tsx'
import { Button } from './Button.tsx'
import { FieldError } from './Field.tsx'

/** Message if the provider's fields did not load. */
export const FieldsUnreachable = ({ onRetry }: { onRetry: () => void }) => (
  <Notice tone="danger" title={<Trans>The secure payment fields cannot be reached</Trans>}>
    <p>
      <Trans>Nothing was charged. Check your connection, then load them again.</Trans>
    </p>
    <Button size="small" className="mt-2" onClick={onRetry}>
      <Trans>Load again</Trans>
    </Button>
  </Notice>
)

/** Message while the provider's fields load. */
export const FieldsLoading = ({ kind }: { kind: 'card' | 'bank' }) =>
  kind === 'card' ? <Trans>Loading the secure card fields…</Trans> : <Trans>Loading the secure bank fields…</Trans>

interface FieldsErrorProps {
  error: string
  ref: Ref<HTMLDivElement>
  className?: string
}

/** Error of the provider's fields. It can get the focus, since the fields themselves may be unreachable. */
export const FieldsError = ({ error, ref, className }: FieldsErrorProps) => (
  <div ref={ref} role="alert" tabIndex={-1} className={className}>
    <FieldError id="hosted-fields">{error || undefined}</FieldError>
  </div>
)
