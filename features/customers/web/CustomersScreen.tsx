import { Trans, useLingui } from '@lingui/react/macro'
import { useMemo, useState } from 'react'
import type { AnswerOf } from '../../../shared/endpoint.ts'
import { formatPhone } from '../../../shared/phone.ts'
import { call } from '../../../web/call.ts'
import { download } from '../../../web/download.ts'
import { ImpersonateDialog } from '../../../web/office/ImpersonateDialog.tsx'
import { DataTable } from '../../../web/ui/office/DataTable.tsx'
import { EmailText } from '../../../web/ui/office/EmailText.tsx'
import type { TableColumn } from '../../../web/ui/office/table/column.ts'
import { type TableQuestion, useTableState } from '../../../web/ui/office/table/table-state.ts'
import { reasonForm } from '../../impersonation/contract.ts'
import { NO_PROFILE, utilityCustomers, utilityCustomersCsv } from '../contract.ts'
import { CustomerFilters, type Filter } from './CustomerFilters.tsx'
import { openResident } from './open-resident.ts'

type Customer = AnswerOf<typeof utilityCustomers>['rows'][number]

/** What stands in the address, as the call takes it. */
const asked = ({ sort, filters, ...question }: TableQuestion<Filter>) => ({
  ...question,
  sort: sort === 'account' ? ('account' as const) : ('name' as const),
  filters: { ...filters, profiles: filters.profiles === '1' },
})

/** Residents and utility accounts of the town (specification 2.3, 2.18, 2.19). */
export default function CustomersScreen() {
  const { t } = useLingui()
  const [impersonated, setImpersonated] = useState<Customer | null>(null)
  const state = useTableState<Filter>({
    sort: 'name',
    direction: 'asc',
    filters: { profiles: '', email: '', name: '', serviceAddress: '', phone: '', accountNumber: '' },
  })
  const profiles = state.question.filters.profiles === '1'
  const columns = useColumns(profiles)
  const userId = impersonated?.user_id
  return (
    <>
      <DataTable
        name="customers"
        title={t`Utility Customers`}
        state={state}
        queryKey={[utilityCustomers.path]}
        load={(question, signal) => call(utilityCustomers, asked(question), signal && { signal })}
        columns={columns}
        rowKey={({ id }) => id}
        rowName={({ name, accountNumber }) => [name, accountNumber].filter(Boolean).join(' ')}
        noun={(n) => (profiles ? (n === 1 ? t`profile` : t`profiles`) : n === 1 ? t`customer` : t`customers`)}
        searchLabel={t`Search everything`}
        actions={{ impersonate: setImpersonated }}
        onExport={(question) => download(utilityCustomersCsv, asked(question))}
        filters={<CustomerFilters state={state} />}
      />
      {impersonated && userId && (
        <ImpersonateDialog
          name={impersonated.email}
          reason={reasonForm}
          begin={(reason) => openResident(userId, reason)}
          onClose={() => setImpersonated(null)}
        />
      )}
    </>
  )
}

function useColumns(profiles: boolean): readonly TableColumn<Customer>[] {
  const { t } = useLingui()
  return useMemo(() => {
    const always: TableColumn<Customer>[] = [
      { id: 'name', header: t`Name`, sort: 'name', primary: true, cell: ({ name }) => <strong>{name}</strong> },
      {
        ...{ id: 'email', header: t`Email` },
        cell: ({ email }) =>
          email === NO_PROFILE ? (
            <span className="text-muted">
              <Trans>No Profile Created</Trans>
            </span>
          ) : (
            <EmailText text={email} />
          ),
      },
      {
        ...{ id: 'address', header: t`Service Address` },
        cell: ({ serviceAddress }) => <span className="inline-block min-w-36 whitespace-normal">{serviceAddress}</span>,
      },
      { id: 'phone', header: t`Phone`, cell: ({ phone }) => formatPhone(phone) },
    ]
    if (profiles) return always
    return [
      ...always,
      { id: 'account', header: t`Account Number`, sort: 'account', cell: ({ accountNumber }) => accountNumber },
      {
        id: 'linked',
        header: t`Linked Accounts`,
        cell: ({ linkedAccounts }) => (
          <span className="inline-block min-w-18 whitespace-normal">{linkedAccounts.join(', ')}</span>
        ),
      },
    ]
  }, [t, profiles])
}
