import { Trans, useLingui } from '@lingui/react/macro'
import { CompanySelect } from '../../../web/admin/CompanySelect.tsx'
import { call } from '../../../web/call.ts'
import { Select } from '../../../web/ui/Choice.tsx'
import type { TableState } from '../../../web/ui/office/table/table-state.ts'
import { companiesInformation } from '../../companies/contract.ts'
import { formCategories } from '../rules.ts'
import { formStates } from '../states.ts'

export type Filter = 'category' | 'status' | 'company' | 'has'

/** What the library is narrowed to; with a company, what that one has or lacks. */
export function FormFilters({ state: { question, setFilters } }: { state: TableState<Filter> }) {
  const { t } = useLingui()
  const { category, status, company, has } = question.filters
  return (
    <>
      <Select
        className="md:min-w-44"
        label={<Trans>Category</Trans>}
        value={category}
        onChange={({ target }) => setFilters({ category: target.value })}
        options={[
          { value: '', label: t`All categories` },
          ...formCategories.map((name) => ({ value: name, label: name })),
        ]}
      />
      <Select
        className="md:min-w-36"
        label={<Trans>Status</Trans>}
        value={status}
        onChange={({ target }) => setFilters({ status: target.value })}
        options={[
          { value: '', label: t`All statuses` },
          ...Object.entries(formStates.labels).map(([value, label]) => ({ value, label })),
        ]}
      />
      <CompanySelect
        load={(signal) => call(companiesInformation, {}, { signal })}
        label={t`Company`}
        none={t`All companies`}
        value={company}
        onChange={(chosen) => setFilters({ company: chosen, has: '' })}
        className="md:w-52"
      />
      {company && (
        <Select
          className="md:min-w-44"
          label={<Trans>This company has it</Trans>}
          value={has}
          onChange={({ target }) => setFilters({ has: target.value })}
          options={[
            { value: '', label: t`All forms` },
            { value: 'yes', label: t`Assigned` },
            { value: 'no', label: t`Not assigned` },
          ]}
        />
      )}
    </>
  )
}
