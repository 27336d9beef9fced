import { Trans, useLingui } from '@lingui/react/macro'
import { ClipboardCheck } from 'lucide-react'
import { setQuery } from '../../../web/go.ts'
import { ListScreen } from '../../../web/list/ListScreen.tsx'
import { useResponse } from '../../../web/query.ts'
import { Select } from '../../../web/ui/Choice.tsx'
import { EmptyState } from '../../../web/ui/States.tsx'
import { workChoices } from '../../work-orders/contract.ts'
import { returnInspectionOptions } from '../contract.ts'
import { inspections } from '../list.ts'
import { InspectionBadge } from './InspectionBadge.tsx'

/** Table of inspections, sorted by due date. */
export function InspectionsTable() {
  const { t } = useLingui()
  const options = useResponse(returnInspectionOptions, {})
  const staff = useResponse(workChoices, {})
  const open = ({ id }: { id: number }) => setQuery({ inspection: String(id) })
  const choiceOf = (label: string, all: string, some: readonly { id: number; name: string }[] = []) => ({
    label,
    width: 224,
    labelFor: (value: string) => some.find(({ id }) => String(id) === value)?.name ?? '',
    field: (value: string, set: (value: string) => void) => (
      <Select
        className="w-56"
        label={label}
        value={value}
        onChange={({ target }) => set(target.value)}
        options={[{ value: '', label: all }, ...some.map(({ id, name }) => ({ value: String(id), label: name }))]}
      />
    ),
  })
  return (
    <ListScreen
      of={inspections}
      level={2}
      rowName={({ number }) => number}
      actions={{ view: open }}
      onRow={open}
      filters={{
        template: choiceOf(t`Inspection`, t`All inspections`, options.data?.templates),
        assigned: choiceOf(t`Inspector`, t`Everyone`, staff.data?.people),
      }}
      empty={
        <EmptyState icon={ClipboardCheck} title={<Trans>No inspections</Trans>}>
          <Trans>Add a template with the items to check, then schedule an inspection.</Trans>
        </EmptyState>
      }
      cells={{
        number: ({ number }) => <strong className="whitespace-nowrap">{number}</strong>,
        status: (row) => <InspectionBadge {...row} />,
        openItems: ({ openItems, doneItems }) => t`${openItems} of ${openItems + doneItems}`,
      }}
    />
  )
}
