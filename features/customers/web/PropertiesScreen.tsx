import { Trans } from '@lingui/react/macro'
import { setQuery } from '../../../web/go.ts'
import { ListScreen } from '../../../web/list/ListScreen.tsx'
import { useQueryParam } from '../../../web/routes.tsx'
import { LinkButton } from '../../../web/ui/Button.tsx'
import { propertyCustomers } from '../list.ts'
import { PropertySlideOut } from './PropertySlideOut.tsx'

const open = (id: number | null) => setQuery({ property: id === null ? null : String(id) })

/** The company's parcels with the utility accounts at their addresses (spec 2.3). */
export default function PropertiesScreen() {
  const chosen = Number(useQueryParam('property')) || null
  return (
    <>
      <ListScreen
        of={propertyCustomers}
        rowName={({ parcel, address }) => address || parcel}
        actions={{ view: ({ id }) => open(id) }}
        onRow={({ id }) => open(id)}
        headActions={
          <LinkButton to="/municipality/reports/customers/citizen">
            <Trans>Utility Customers</Trans>
          </LinkButton>
        }
      />
      {chosen !== null && <PropertySlideOut id={chosen} onClose={() => open(null)} />}
    </>
  )
}
