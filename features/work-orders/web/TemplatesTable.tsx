import { Trans } from '@lingui/react/macro'
import { ClipboardList, Plus } from 'lucide-react'
import { copyRow } from '../../../web/copy-row.ts'
import { setQuery } from '../../../web/go.ts'
import { ListScreen } from '../../../web/list/ListScreen.tsx'
import { may } from '../../../web/session.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { EmptyState } from '../../../web/ui/States.tsx'
import { copyTemplate } from '../contract.ts'
import { workTemplates } from '../list.ts'
import { TemplateFromQuery } from './TemplateSlideOut.tsx'

const open = ({ id }: { id: number }) => setQuery({ template: String(id) })
const copy = copyRow(copyTemplate, { lists: [workTemplates.call], open: (id) => open({ id }) })

/** List of templates that staff choose in the form of a new work order or maintenance plan. */
export function TemplatesTable() {
  return (
    <>
      <ListScreen
        of={workTemplates}
        level={2}
        rowName={({ title }) => title}
        actions={{ view: open, copy }}
        onRow={open}
        headActions={
          may('work_orders', 'update') && (
            <Button icon={Plus} onClick={() => setQuery({ template: 'new' })}>
              <Trans>New template</Trans>
            </Button>
          )
        }
        empty={
          <EmptyState icon={ClipboardList} title={<Trans>No templates yet</Trans>}>
            <Trans>A template fills in the task, checklist, duration, parts and crew of a new work order.</Trans>
          </EmptyState>
        }
      />
      <TemplateFromQuery />
    </>
  )
}
