import { Trans } from '@lingui/react/macro'
import { Trash2 } from 'lucide-react'
import { Button } from '../ui/Button.tsx'

/** Button that removes one of several rows. `label` names the row. */
export const RemoveButton = ({ label, onClick }: { label: string; onClick: () => void }) => (
  <div>
    <Button size="small" variant="quiet" icon={Trash2} aria-label={label} onClick={onClick}>
      <Trans>Remove</Trans>
    </Button>
  </div>
)
