import { copyRow } from '../../../web/copy-row.ts'
import { recordActions, RecordButtons, RecordPanels } from '../../shared-records/web/parts/SharedRecords.tsx'
import { copyTemplate, returnTemplate } from '../contract.ts'
import { Trans } from '@lingui/react/macro'
import { ListChecks } from 'lucide-react'
import { setQuery } from '../../../web/go.ts'
import { ListScreen } from '../../../web/list/ListScreen.tsx'
import { EmptyState } from '../../../web/ui/States.tsx'
import { templates } from '../list.ts'

const copy = copyRow(copyTemplate, {
  lists: [templates.call],
  open: (id) => setQuery({ template: String(id) }),
})

/** Inspection templates and their intervals. */
export function TemplatesTable() {
  const open = ({ id }: { id: number }) => setQuery({ template: String(id) })
  return (
    <>
      <ListScreen
        of={templates}
        level={2}
        rowName={({ name }) => name}
        actions={{ edit: open, copy, ...recordActions('inspection-template') }}
        onRow={open}
        moreActions={<RecordButtons kind="inspection-template" />}
        empty={
          <EmptyState icon={ListChecks} title={<Trans>No templates yet</Trans>}>
            <Trans>A template lists the items to check.</Trans>
          </EmptyState>
        }
      />
      <RecordPanels kind="inspection-template" lists={[templates.call, returnTemplate]} />
    </>
  )
}
