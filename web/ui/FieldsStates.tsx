import { Trans } from '@lingui/react/macro'
import { Notice } from './Notice.tsx'
import { Button } from './Button.tsx'

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
