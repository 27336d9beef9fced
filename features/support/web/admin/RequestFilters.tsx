import { Trans, useLingui } from '@lingui/react/macro'
import { CompanySelect } from '../../../../web/admin/CompanySelect.tsx'
import { call } from '../../../../web/call.ts'
import { Select } from '../../../../web/ui/Choice.tsx'
import { DateRange } from '../../../../web/ui/office/DateRange.tsx'
import type { TableState } from '../../../../web/ui/office/table/table-state.ts'
import { companiesInformation } from '../../../companies/contract.ts'
import { categories, statuses } from '../../rules.ts'
import type { People } from './details.ts'

export type Filter = 'companyId' | 'status' | 'assignee' | 'category' | 'fromDate' | 'toDate'

const optionsOf = (labels: Readonly<Record<string | number, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }))

/** Whose, of which town, about what, in which state, since when. */
export function RequestFilters({ state, people }: { state: TableState<Filter>; people: People }) {
  const { t } = useLingui()
  const { companyId, status, assignee, category, fromDate, toDate } = state.question.filters
  return (
    <>
      <CompanySelect
        load={(signal) => call(companiesInformation, {}, { signal })}
        label={t`Company`}
        none={t`All companies`}
        value={companyId}
        onChange={(chosen) => state.setFilters({ companyId: chosen })}
        className="md:w-48"
      />
      <Select
        className="md:w-40"
        label={t`Status`}
        value={status}
        onChange={({ target }) => state.setFilters({ status: target.value })}
        options={[{ value: 'open', label: t`Open` }, { value: '', label: t`All statuses` }, ...optionsOf(statuses)]}
      />
      <Select
        className="md:w-48"
        label={t`Assigned to`}
        value={assignee}
        onChange={({ target }) => state.setFilters({ assignee: target.value })}
        options={[
          { value: '', label: t`Anyone` },
          { value: 'me', label: t`Me` },
          { value: 'nobody', label: t`Nobody` },
          ...people.map(({ id, name, active }) => ({
            value: String(id),
            label: active ? name : t`${name} (inactive)`,
          })),
        ]}
      />
      <Select
        className="md:w-48"
        label={t`About`}
        value={category}
        onChange={({ target }) => state.setFilters({ category: target.value })}
        options={[{ value: '', label: t`Everything` }, ...optionsOf(categories)]}
      />
      <DateRange
        className="sm:max-md:col-span-2"
        label={<Trans>Received</Trans>}
        from={fromDate}
        to={toDate}
        onChange={({ from, to }) => state.setFilters({ fromDate: from, toDate: to })}
      />
    </>
  )
}
