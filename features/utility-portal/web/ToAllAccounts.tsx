import { Trans } from '@lingui/react/macro'
import { ChevronLeft } from 'lucide-react'
import { LinkButton } from '../../../web/ui/Button.tsx'

/** Back link to the Utility Portal. */
export const ToAllAccounts = () => (
  <LinkButton to="/utility-portal" icon={ChevronLeft}>
    <Trans>All accounts</Trans>
  </LinkButton>
)
