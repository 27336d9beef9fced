import { Trans } from '@lingui/react/macro'
import { LinkButton } from '../../../../web/ui/Button.tsx'
import { Panel } from '../../../../web/ui/Card.tsx'

/** Links to saved payment methods and AutoPay. */
export const PaymentsPanel = () => (
  <Panel id="payments" title={<Trans>Payment methods</Trans>}>
    <p className="mb-4">
      <Trans>Manage your saved cards and bank accounts, and your AutoPay enrollments.</Trans>
    </p>
    <LinkButton to="/profile/payment-methods">
      <Trans>Payment methods and AutoPay</Trans>
    </LinkButton>
  </Panel>
)
