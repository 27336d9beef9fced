import { Trans } from '@lingui/react/macro'
import { ScrollText } from 'lucide-react'
import { ListScreen } from '../../../web/list/ListScreen.tsx'
import { EmptyState } from '../../../web/ui/States.tsx'
import { accesses } from '../list.ts'

/** Accesses to the payment provider's reports, with the person and the report (spec 7.4). */
export default function AccessesScreen() {
  return (
    <ListScreen
      of={accesses}
      rowName={({ name }) => name}
      empty={
        <EmptyState icon={ScrollText} title={<Trans>No reports were opened in this period</Trans>}>
          <Trans>Each time someone opens a processor report, the access is logged here.</Trans>
        </EmptyState>
      }
    />
  )
}
