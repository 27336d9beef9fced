import { Trans } from '@lingui/react/macro'
import { FireExtinguisher } from 'lucide-react'
import { setQuery } from '../../../web/go.ts'
import { ListScreen } from '../../../web/list/ListScreen.tsx'
import { EmptyState } from '../../../web/ui/States.tsx'
import { StateBadge } from '../../../web/ui/StatusBadge.tsx'
import { hydrants } from '../list.ts'
import { hydrantStates } from '../states.ts'
import { InspectionBadge } from './badges.tsx'

/** All hydrants with their inspection dates. */
export function HydrantsTable() {
  const open = ({ id }: { id: number }) => setQuery({ hydrant: String(id) })
  return (
    <ListScreen
      of={hydrants}
      level={2}
      rowName={({ number }) => number}
      actions={{ view: open }}
      onRow={open}
      empty={
        <EmptyState icon={FireExtinguisher} title={<Trans>No hydrants yet</Trans>}>
          <Trans>Import hydrants from a CSV or GeoJSON file, or add one here.</Trans>
        </EmptyState>
      }
      cells={{
        number: ({ number }) => <strong>{number}</strong>,
        status: ({ status }) => <InspectionBadge status={status} />,
        // An untested hydrant has an unknown flow, not a flow of 0.
        available: ({ tested, available }) => (tested ? available.toLocaleString('en-US') : '–'),
        service: ({ service }) => <StateBadge of={hydrantStates} state={service} />,
      }}
    />
  )
}
