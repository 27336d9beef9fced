import { Plural, Trans } from '@lingui/react/macro'
import { setQuery } from '../../../../web/go.ts'
import { ListScreen } from '../../../../web/list/ListScreen.tsx'
import { useResponse } from '../../../../web/query.ts'
import { EmptyState } from '../../../../web/ui/States.tsx'
import { ShieldCheck } from 'lucide-react'
import { returnSettings } from '../../contract.ts'
import { bootList } from '../../list.ts'

/** Plates that the company may boot under its own rules. */
export function BootTable() {
  const { settings } = useResponse(returnSettings, {}).data ?? {}
  const open = ({ plate }: { plate: string }) => setQuery({ tab: null, search: plate, status: 'open' })
  return (
    <ListScreen
      of={bootList}
      level={2}
      rowName={({ plate }) => plate}
      cells={{ plate: ({ plate }) => <strong className="whitespace-nowrap">{plate}</strong> }}
      actions={{ view: open }}
      onRow={open}
      empty={
        <EmptyState icon={ShieldCheck} title={<Trans>No plates on the boot list</Trans>}>
          <Trans>
            Plates with too many old unpaid tickets appear here. The settings define the number and age of the tickets.
          </Trans>
        </EmptyState>
      }
      note={
        settings && (
          <p className="mt-3 text-muted text-sm">
            <Trans>
              This list shows plates with at least{' '}
              <Plural value={settings.bootTickets} one="# unpaid ticket" other="# unpaid tickets" /> older than{' '}
              <Plural value={settings.bootDays} one="# day" other="# days" />. Contested tickets are not counted.
            </Trans>
          </p>
        )
      }
    />
  )
}
