import { Trans } from '@lingui/react/macro'
import { ChartColumn } from 'lucide-react'
import { translated } from '../../../shared/messages.ts'
import { go } from '../../../web/go.ts'
import { ListScreen } from '../../../web/list/ListScreen.tsx'
import { useQueryText } from '../../../web/routes.tsx'
import { reloadWithRentals } from '../../rentals/web/parts/fresh.ts'
import { NoResources } from '../../rentals/web/parts/NoResources.tsx'
import { rentalUse } from '../list.ts'
import { STAFF_PATH, kindLabels } from '../../rentals/rules.ts'

reloadWithRentals(rentalUse.call)

/** Report on use, income and no-shows of each resource in a period. Each row links to its reservations. */
export default function UseReport() {
  const pageQuery = new URLSearchParams(useQueryText())
  const open = ({ id }: { id: number }) => {
    const query = new URLSearchParams({ resource: String(id) })
    for (const name of ['fromDate', 'toDate']) if (pageQuery.has(name)) query.set(name, pageQuery.get(name) ?? '')
    go(`${STAFF_PATH}?${query}`)
  }
  return (
    <ListScreen
      of={rentalUse}
      level={2}
      rowName={({ name }) => name}
      actions={{ view: open }}
      onRow={open}
      empty={<NoResources icon={ChartColumn} />}
      cells={{ name: ({ name }) => <strong>{name}</strong>, kind: ({ kind }) => translated(kindLabels[kind]) }}
      note={
        <p className="mt-4 text-muted text-table">
          <Trans>
            Reservations are counted on the day they start. Payments and refunds are counted on the day they were made.
            Both payments and refunds include security deposits.
          </Trans>
        </p>
      }
    />
  )
}
