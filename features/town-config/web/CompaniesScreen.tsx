import { useLingui, Trans } from '@lingui/react/macro'
import { Plus } from 'lucide-react'
import { lazy, Suspense, useMemo, useState } from 'react'
import { addressLine } from '../../../shared/address.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { formatPhone } from '../../../shared/phone.ts'
import { call } from '../../../web/call.ts'
import { download } from '../../../web/download.ts'
import { go, setQuery } from '../../../web/go.ts'
import { useQueryParam } from '../../../web/routes.tsx'
import { may } from '../../../web/session.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { DataTable } from '../../../web/ui/office/DataTable.tsx'
import type { TableColumn, TableData } from '../../../web/ui/office/table/column.ts'
import { type TableQuestion, useTableState } from '../../../web/ui/office/table/table-state.ts'
import { ImpersonateDialog } from '../../../web/office/ImpersonateDialog.tsx'
import { StatusBadge } from '../../../web/ui/StatusBadge.tsx'
import { reasonForm } from '../../impersonation/contract.ts'
import { companiesCsv } from '../../companies/contract.ts'
import { companiesInformation } from '../../../shared/companies.ts'
import { informationOf } from './company-form.ts'
import { openMunicipality } from './open-municipality.ts'

const CreateCompany = lazy(() => import('./CreateCompany.tsx'))
const EditCompany = lazy(() => import('./EditCompany.tsx'))
const SetProcessor = lazy(() => import('./SetProcessor.tsx'))

type Company = ResponseOf<typeof companiesInformation>['companies'][number]

/** Short name of the billing system: the product's own name (spec 2.13, product rules section 1). */
const BILLING_NAME = 'MS'

/** List of all companies (spec 2.13), with a search by name (spec 2.18). */
export default function CompaniesScreen() {
  const { t } = useLingui()
  const state = useTableState({ sort: 'name', direction: 'asc' })
  const columns = useColumns()
  const mayCreate = may('company_setup', 'create')
  const [impersonated, setImpersonated] = useState<Company | null>(null)
  // The URL identifies the open form, so that the form reopens after the person signs in again.
  const [processor, edited] = [Number(useQueryParam('processor')), Number(useQueryParam('edit'))]
  const mayUpdate = may('company_setup', 'update')
  const adding = useQueryParam('add') !== null && mayCreate
  return (
    <>
      <DataTable
        name="companies"
        title={t`Companies`}
        state={state}
        queryKey={[companiesInformation.path]}
        load={load}
        columns={columns}
        rowKey={({ id }) => id}
        rowName={({ name }) => name}
        noun={(n) => (n === 1 ? t`company` : t`companies`)}
        searchLabel={t`Company Name`}
        failure={t`Failed to fetch company data`}
        onExport={(question) => download(companiesCsv, { queryParams: queryOf(question) })}
        actions={{
          open: ({ url }) => void globalThis.open(url, '_blank', 'noopener'),
          impersonate: setImpersonated,
          view: ({ id }) => go(informationOf(id)),
          setUtilityProcessor: ({ id }) => setQuery({ processor: String(id) }),
          edit: ({ id }) => setQuery({ edit: String(id) }),
        }}
        headActions={
          mayCreate && (
            <Button variant="primary" icon={Plus} onClick={() => setQuery({ add: '1' })}>
              <Trans>Add Company</Trans>
            </Button>
          )
        }
      />
      {impersonated && (
        <ImpersonateDialog
          name={impersonated.name}
          reason={reasonForm}
          onStart={(reason) => openMunicipality(impersonated.id, reason)}
          onClose={() => setImpersonated(null)}
        />
      )}
      <Suspense>
        {processor > 0 && mayUpdate && (
          <SetProcessor key={processor} companyId={processor} onClose={() => setQuery({ processor: null })} />
        )}
        {edited > 0 && mayUpdate && (
          <EditCompany key={edited} companyId={edited} onClose={() => setQuery({ edit: null })} />
        )}
        {adding && <CreateCompany onClose={() => setQuery({ add: null })} />}
      </Suspense>
    </>
  )
}

/** The search covers only names (spec 2.18). */
const queryOf = ({ search, sort, direction }: TableQuestion<never>) => ({
  companyName: search,
  sort: sort === 'id' ? ('id' as const) : ('name' as const),
  direction,
})

async function load(question: TableQuestion<never>, signal?: AbortSignal): Promise<TableData<Company>> {
  const { cursor, pageSize } = question
  const queryParams = { ...queryOf(question), cursor, pageSize }
  const { companies, total, next, previous } = await call(companiesInformation, { queryParams }, signal && { signal })
  return { rows: companies, count: total, next, previous, totals: null }
}

function useColumns(): readonly TableColumn<Company>[] {
  const { t } = useLingui()
  return useMemo(() => {
    const yesNo = (flag: 0 | 1) => (flag === 1 ? t`Yes` : t`No`)
    return [
      { id: 'id', header: t`ID`, sort: 'id', cell: ({ id }) => id },
      {
        id: 'guid',
        header: t`Guid`,
        cell: ({ guid }) => <span className="text-xs">{guid}</span>,
      },
      { id: 'name', header: t`Name`, sort: 'name', primary: true, cell: ({ name }) => <strong>{name}</strong> },
      {
        id: 'address',
        header: t`Address`,
        cell: (row) => addressLine(row),
      },
      { id: 'phone', header: t`Phone`, cell: ({ phone_no }) => formatPhone(phone_no) },
      {
        id: 'online',
        header: t`Is Online`,
        cell: ({ is_online }) => (
          <StatusBadge kind={is_online === 1 ? 'good' : 'neutral'}>{yesNo(is_online)}</StatusBadge>
        ),
      },
      { id: 'billing', header: `${BILLING_NAME} Billing`, cell: ({ use_dbilling }) => yesNo(use_dbilling) },
    ]
  }, [t])
}
