import { Trans } from '@lingui/react/macro'
import { X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { ListScreen } from '../../../web/list/ListScreen.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { masterDayItems } from '../list.ts'
import { longDay, startThere } from './parts/days.ts'
import { ItemBadge } from './parts/item-status.tsx'
import type { MasterItem } from './MasterDay.tsx'

interface Props {
  day: string
  onItem: (item: MasterItem) => void
  onClose: () => void
}

/** The list shows no labels for these filters, because the calendar above already shows them. */
const above = { company: { labelFor: () => '' }, eventType: { labelFor: () => '' }, status: { labelFor: () => '' } }

/** Shows all items of one day in all companies that match the filters above. */
export function MasterDayItems({ day, onItem, onClose }: Props) {
  const panelRef = useRef<HTMLDivElement>(null)
  // Scrolls to the list when the user chooses another day.
  useEffect(() => {
    panelRef.current?.scrollIntoView()
    panelRef.current?.focus()
  }, [day])
  return (
    <div ref={panelRef} tabIndex={-1} className="mt-8 scroll-mt-4 outline-none">
      <ListScreen
        of={{ ...masterDayItems, title: longDay(day) }}
        level={2}
        filters={above}
        rowName={({ title }) => title}
        cells={{
          calendar_date: startThere,
          status: (item) => <ItemBadge item={item} />,
        }}
        onRow={onItem}
        headActions={
          <Button icon={X} onClick={onClose}>
            <Trans>Close list for this day</Trans>
          </Button>
        }
      />
    </div>
  )
}
