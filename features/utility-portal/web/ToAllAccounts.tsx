import { Trans } from '@lingui/react/macro'
import { ChevronLeft } from 'lucide-react'
import { LinkButton } from '../../../web/ui/Button.tsx'

/** Link back to the list of utility accounts. */
export const ToAllAccounts = () => (
  <LinkButton to="/utility-portal" icon={ChevronLeft}>
    <Trans>All accounts</Trans>
  </LinkButton>
)
