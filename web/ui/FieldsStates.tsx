import { Trans } from '@lingui/react/macro'
import { Notice } from './Notice.tsx'
import { Button } from './Button.tsx'

/** Message if the provider's fields did not load. */
export const FieldsUnreachable = ({ onRetry }: { onRetry: () => void }) => (
  <Notice tone="danger" title={<Trans>Could not load the secure payment fields</Trans>}>
    <p>
      <Trans>Nothing was charged. Check your connection, then load the fields again.</Trans>
    </p>
    <Button size="small" className="mt-2" onClick={onRetry}>
      <Trans>Reload fields</Trans>
    </Button>
  </Notice>
)

/** Message while the provider's fields load. */
export const FieldsLoading = ({ kind }: { kind: 'card' | 'bank' }) =>
  kind === 'card' ? <Trans>Loading secure card fields…</Trans> : <Trans>Loading secure bank fields…</Trans>
