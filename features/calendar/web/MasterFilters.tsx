import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { CompanySelect } from '../../../web/admin/CompanySelect.tsx'
import { useResponse } from '../../../web/query.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { Select } from '../../../web/ui/Choice.tsx'
import type { TableState } from '../../../web/ui/office/table/table-state.ts'
import { companiesInformation } from '../../../shared/companies.ts'
import { eventTypes } from '../contract.ts'
import { itemStates } from '../states.ts'
import { filtersOf, type MasterFilter } from './master-filters.ts'
import { useLogged } from './CompanyCalendar.tsx'
import { translated } from '../../../shared/messages.ts'
import { Text } from '../../../web/ui/Text.tsx'

interface Props {
  state: TableState<MasterFilter>
  /** Number of items on the visible days. Null until the response arrives. */
  count: number | null
  /** Content before the filters. */
  before: ReactNode
}

/** Shows the filters of the master calendar: company, type (the first is 'All', id 0) and status (spec 2.11). */
export function MasterFilters({ state: { question, setFilters }, count, before }: Props) {
  const { t } = useLingui()
  const { company, eventType, status } = filtersOf(question.filters)
  const types = useResponse(eventTypes, {})
  useLogged(types.error)
  return (
    <div className="mb-6 flex flex-wrap items-end gap-3 max-md:grid max-md:grid-cols-2 print:hidden">
      <Text>{before}</Text>
      <CompanySelect
        of={companiesInformation}
        value={company === undefined ? '' : String(company)}
        onChange={(chosen) => setFilters({ company: chosen })}
        className="md:w-52"
      />
      <Select
        className="md:min-w-44"
        label={<Trans>Event type</Trans>}
        value={eventType ?? 0}
        onChange={({ target }) => setFilters({ eventType: target.value === '0' ? '' : target.value })}
        options={[
          { value: 0, label: t`All` },
          ...(types.data?.eventTypes ?? []).map(({ id, name, category }) => ({ value: id, label: name || category })),
        ]}
      />
      <Select
        className="md:min-w-40"
        label={<Trans>Status</Trans>}
        value={status ?? ''}
        onChange={({ target }) => setFilters({ status: target.value })}
        options={[
          { value: '', label: t`All` },
          ...itemStates.names.map((value) => ({ value, label: translated(itemStates.labels[value]) })),
        ]}
      />
      {(company !== undefined || eventType !== undefined || status) && (
        <Button onClick={() => setFilters({ company: '', eventType: '', status: '' })}>
          <Trans>Clear filters</Trans>
        </Button>
      )}
      <p role="status" className="text-muted text-sm max-md:col-span-2 md:ms-auto">
        {count !== null && <Plural value={count} one="# item" other="# items" />}
      </p>
    </div>
  )
}
