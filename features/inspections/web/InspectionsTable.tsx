import { Trans, useLingui } from '@lingui/react/macro'
import { ClipboardCheck } from 'lucide-react'
import { setQuery } from '../../../web/go.ts'
import { ListScreen } from '../../../web/list/ListScreen.tsx'
import { useAnswer } from '../../../web/query.ts'
import { EmptyState } from '../../../web/ui/States.tsx'
import { StateBadge, StatusBadge } from '../../../web/ui/StatusBadge.tsx'
import { workChoices } from '../../work-orders/contract.ts'
import { returnMeans } from '../contract.ts'
import { inspections } from '../list.ts'
import { inspectionStates } from '../states.ts'

/** Inspections by the day on which they are due. */
export function InspectionsTable() {
  const { t } = useLingui()
  const means = useAnswer(returnMeans, {})
  const staff = useAnswer(workChoices, {})
  const open = ({ id }: { id: number }) => setQuery({ inspection: String(id) })
  const choices = (some: readonly { id: number; name: string }[] | undefined) =>
    (some ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
  return (
    <ListScreen
      of={inspections}
      level={2}
      rowName={({ number }) => number}
      actions={{ view: open }}
      onRow={open}
      filters={{
        template: { all: t`All inspections`, options: choices(means.data?.templates) },
        assigned: { all: t`Everybody`, options: choices(staff.data?.people) },
      }}
      empty={
        <EmptyState icon={ClipboardCheck} title={<Trans>Nothing is to be inspected</Trans>}>
          <Trans>Add a template that says what is looked at, then schedule an inspection.</Trans>
        </EmptyState>
      }
      cells={{
        number: ({ number }) => <strong className="whitespace-nowrap">{number}</strong>,
        status: ({ status, isOverdue }) =>
          isOverdue ? (
            <StatusBadge kind="bad">
              <Trans>Overdue</Trans>
            </StatusBadge>
          ) : (
            <StateBadge of={inspectionStates} state={status} />
          ),
      }}
    />
  )
}
