import { Trans } from '@lingui/react/macro'
import { ListChecks } from 'lucide-react'
import { setQuery } from '../../../web/go.ts'
import { ListScreen } from '../../../web/list/ListScreen.tsx'
import { EmptyState } from '../../../web/ui/States.tsx'
import { templates } from '../list.ts'

/** Inspection templates and their intervals. */
export function TemplatesTable() {
  const open = ({ id }: { id: number }) => setQuery({ template: String(id) })
  return (
    <ListScreen
      of={templates}
      level={2}
      rowName={({ name }) => name}
      onRow={open}
      empty={
        <EmptyState icon={ListChecks} title={<Trans>No templates yet</Trans>}>
          <Trans>A template lists the items to check.</Trans>
        </EmptyState>
      }
    />
  )
}
