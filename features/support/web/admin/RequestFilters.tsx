import { companyFilter } from '../../../../web/admin/CompanySelect.tsx'
import { assigneeFilter } from '../../../../web/cases/assignee-filter.tsx'
import { StatusField } from '../../../../web/cases/StatusField.tsx'
import type { OwnFilter } from '../../../../web/list/Filters.tsx'
import { companiesInformation } from '../../../../shared/companies.ts'
import { supportCase } from '../../contract.ts'
import { requestStates } from '../../states.ts'

/** Filters by company, status and assignee. */
export const requestFilters = {
  companyId: companyFilter(companiesInformation, 'md:w-48', 192),
  status: { field: (value, set) => <StatusField of={requestStates} value={value} onChange={set} />, width: 160 },
  assignee: assigneeFilter(supportCase),
} satisfies Record<string, OwnFilter>
