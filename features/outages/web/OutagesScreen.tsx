import { Trans } from '@lingui/react/macro'
import { setQuery } from '../../../web/go.ts'
import { ListScreen } from '../../../web/list/ListScreen.tsx'
import { shortInstant } from '../../../web/clock.ts'
import { useQueryParam } from '../../../web/routes.tsx'
import { LinkButton } from '../../../web/ui/Button.tsx'
import { paymentOutages } from '../list.ts'
import { OutageNotice } from './parts/OutageNotice.tsx'
import { OutageSlideOut } from './OutageSlideOut.tsx'

const open = (id: number | null) => setQuery({ outage: id === null ? null : String(id) })

/** Payment outages with their payment attempts. */
export default function OutagesScreen() {
  const chosen = Number(useQueryParam('outage')) || null
  return (
    <>
      <ListScreen
        of={paymentOutages}
        rowName={({ since }) => shortInstant(since)}
        actions={{ view: ({ id }) => open(id) }}
        onRow={({ id }) => open(id)}
      >
        <OutageNotice />
      </ListScreen>
      <p className="mt-4">
        <LinkButton to="/municipality/reports/payment-outages/promises">
          <Trans>Payments after an outage</Trans>
        </LinkButton>
      </p>
      {chosen !== null && <OutageSlideOut id={chosen} onClose={() => open(null)} />}
    </>
  )
}
