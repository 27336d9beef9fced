import { Trans } from '@lingui/react/macro'
import { LinkButton } from '../../../../web/ui/Button.tsx'
import { Link } from '../../../../web/ui/Link.tsx'

/** Link back from a rental, reservation or allocation round to the list of rentals. */
export const AllRentals = () => (
  <p className="mb-3 print:hidden">
    <Link className="link" to="/resource-rentals">
      <Trans>All rentals</Trans>
    </Link>
  </p>
)

/** Link to all rentals, shown if a rental does not exist. */
export const seeAllRentals = (
  <LinkButton to="/resource-rentals" variant="primary">
    <Trans>View all rentals</Trans>
  </LinkButton>
)
