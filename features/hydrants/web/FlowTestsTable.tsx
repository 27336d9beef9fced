import { Trans } from '@lingui/react/macro'
import { Gauge } from 'lucide-react'
import { setQuery } from '../../../web/go.ts'
import { ListScreen } from '../../../web/list/ListScreen.tsx'
import { EmptyState } from '../../../web/ui/States.tsx'
import { flowTests } from '../list.ts'
import { ClassMark } from './badges.tsx'

/** Table of flow tests, newest first. */
export function FlowTestsTable() {
  const open = ({ hydrantId }: { hydrantId: number }) => setQuery({ hydrant: String(hydrantId) })
  return (
    <ListScreen
      of={flowTests}
      level={2}
      rowName={({ number, testedOn }) => `${number}, ${testedOn}`}
      actions={{ view: open }}
      onRow={open}
      empty={
        <EmptyState icon={Gauge} title={<Trans>No flow tests yet</Trans>}>
          <Trans>
            Open a hydrant and record the readings. The portal calculates the flow at 20 psi according to NFPA 291.
          </Trans>
        </EmptyState>
      }
      cells={{ flowClass: ({ flowClass }) => <ClassMark of={flowClass} /> }}
    />
  )
}
