import { Trans } from '@lingui/react/macro'
import { Settings, Truck } from 'lucide-react'
import { useState } from 'react'
import { useFreshCases } from '../../../web/cases/fresh.ts'
import { useCaseMarks } from '../../../web/cases/use-case-marks.tsx'
import { setQuery } from '../../../web/go.ts'
import { ListScreen } from '../../../web/list/ListScreen.tsx'
import { QueryItem } from '../../../web/query-item.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { EmptyState } from '../../../web/ui/States.tsx'
import { StateBadge } from '../../../web/ui/StatusBadge.tsx'
import { Text } from '../../../web/ui/Text.tsx'
import { moveCase } from '../contract.ts'
import { moves } from '../list.ts'
import { moveStates } from '../states.ts'
import { reloadedCalls } from './fresh.ts'
import { MoveSlideOut } from './MoveSlideOut.tsx'
import { SettingsSlideOut } from './SettingsSlideOut.tsx'

/** Screen 'Move In and Out' (spec 2.3). */
export default function MovesScreen() {
  const [settings, setSettings] = useState(false)
  const marks = useCaseMarks(moveCase)
  useFreshCases(moveCase, reloadedCalls)
  const open = ({ id }: { id: number }) => setQuery({ move: String(id) })
  return (
    <>
      <ListScreen
        of={moves}
        rowName={({ number }) => number}
        actions={{ view: open }}
        onRow={open}
        headActions={
          <Button icon={Settings} onClick={() => setSettings(true)}>
            <Trans>Settings</Trans>
          </Button>
        }
        empty={
          <EmptyState icon={Truck} title={<Trans>No moves yet</Trans>}>
            <Trans>Residents request moves under Move In/Out.</Trans>
          </EmptyState>
        }
        cells={{
          number: ({ number, id }) => (
            <>
              <strong className="whitespace-nowrap">{number}</strong>
              <Text>{marks.unread(id)}</Text>
            </>
          ),
          moveStatus: ({ moveStatus, id }) => (
            <>
              <Text>{marks.present(id)}</Text>
              <StateBadge of={moveStates} state={moveStatus} />
            </>
          ),
          leaves: ({ leaves }) => leaves || '–',
          enters: ({ enters }) => enters || '–',
          acctId: ({ acctId }) => acctId || '–',
        }}
      />
      <QueryItem name="move">{(id, close) => <MoveSlideOut id={id} onClose={close} />}</QueryItem>
      {settings && <SettingsSlideOut onClose={() => setSettings(false)} />}
    </>
  )
}
