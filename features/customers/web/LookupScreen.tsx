import { Trans, useLingui } from '@lingui/react/macro'
import { useMemo, useState } from 'react'
import { COUNT_CAP } from '../../../shared/table.ts'
import { formatPhone } from '../../../shared/phone.ts'
import { openFromAdmin } from '../../../web/admin/open-window.ts'
import { call } from '../../../web/call.ts'
import { ImpersonateDialog } from '../../../web/office/ImpersonateDialog.tsx'
import { Notice } from '../../../web/ui/Notice.tsx'
import { DataTable } from '../../../web/ui/office/DataTable.tsx'
import { EmailText } from '../../../web/ui/office/EmailText.tsx'
import type { TableColumn } from '../../../web/ui/office/table/column.ts'
import { type TableQuestion, useTableState } from '../../../web/ui/office/table/table-state.ts'
import { StatusBadge } from '../../../web/ui/StatusBadge.tsx'
import { checkPrivilege, cleanUp, companySubdomain, reasonForm } from '../../impersonation/contract.ts'
import { MIN_LENGTH, lookup } from '../contract.ts'
import { NO_PROFILE } from '../list.ts'
import { type LookupRow, ResultSlideOut, statuses, statusLabels } from './ResultSlideOut.tsx'
import { type Filter, LookupFilters } from './LookupFilters.tsx'

/** Converts the URL parameters to the request body. */
const queryOf = ({ sort: _sort, filters, ...question }: TableQuestion<Filter>) => ({
  ...question,
  filters: {
    ...filters,
    mode: filters.mode === 'user' ? ('user' as const) : ('customer' as const),
    companyId: /^[1-9]\d{0,8}$/.test(filters.companyId) ? Number(filters.companyId) : undefined,
    profiles: filters.profiles === '1',
  },
})

const handOff = {
  check: (body: Parameters<typeof call<typeof checkPrivilege>>[1]) => call(checkPrivilege, body),
  subdomain: (body: { id: number }) => call(companySubdomain, body),
  end: (body: { reqId: number; adminToken: string }) => call(cleanUp, body),
}

const max = COUNT_CAP.toLocaleString('en-US')

/** Customers and users of all companies (spec 2.12, 2.18). */
export default function LookupScreen() {
  const { t } = useLingui()
  const state = useTableState<Filter>({
    sort: 'name',
    direction: 'asc',
    filters: {
      mode: 'customer',
      companyId: '',
      profiles: '',
      email: '',
      name: '',
      serviceAddress: '',
      phone: '',
      accountNumber: '',
    },
  })
  const { filters } = state.question
  const [open, setOpen] = useState<LookupRow | null>(null)
  const [isCut, setCut] = useState(false)
  const [impersonated, setImpersonated] = useState<LookupRow | null>(null)
  const columns = useColumns()
  const { email, name, serviceAddress, phone, accountNumber } = filters
  const isSearching = [email, name, serviceAddress, phone, accountNumber].some((text) => text.length >= MIN_LENGTH)
  const waits = !isSearching || (filters.mode === 'user' && !filters.companyId)
  return (
    <>
      <DataTable
        name="look-up"
        title={t`Customer Look Up`}
        state={state}
        queryKey={[lookup.path]}
        load={async (question, signal) => {
          const page = await call(lookup, queryOf(question), signal && { signal })
          setCut(page.count >= COUNT_CAP)
          return page
        }}
        columns={columns}
        rowKey={({ companyId, id }) => `${companyId}/${id}`}
        rowName={({ name: personName, email: address }) => personName || address}
        noun={(n) => (filters.mode === 'user' ? (n === 1 ? t`user` : t`users`) : n === 1 ? t`customer` : t`customers`)}
        searchable={false}
        actions={{ view: setOpen, impersonate: setImpersonated }}
        onRow={setOpen}
        filters={<LookupFilters state={state} />}
        empty={
          waits ? (
            filters.mode === 'user' && !filters.companyId ? (
              <Trans>Choose a company, then enter details about the person.</Trans>
            ) : (
              <Trans>Enter at least {MIN_LENGTH} letters or digits in one of the fields.</Trans>
            )
          ) : (
            <Trans>No matches. Try part of the name, or only the address.</Trans>
          )
        }
      >
        <div role="status" className="empty:hidden">
          {isCut && !waits && (
            <Notice className="mb-4">
              <Trans>
                Too many matches. Only {max} are shown. Enter more details, fill in another field, or choose a company.
              </Trans>
            </Notice>
          )}
        </div>
      </DataTable>
      {open && (
        <ResultSlideOut result={open} onImpersonate={() => setImpersonated(open)} onClose={() => setOpen(null)} />
      )}
      {impersonated && (
        <ImpersonateDialog
          name={impersonated.email}
          reason={reasonForm}
          onStart={(reason) =>
            openFromAdmin(handOff, { companyId: impersonated.companyId, userId: impersonated.user_id }, reason)
          }
          onClose={() => setImpersonated(null)}
        />
      )}
    </>
  )
}

function useColumns(): readonly TableColumn<LookupRow>[] {
  const { t } = useLingui()
  return useMemo(
    () => [
      { id: 'name', header: t`Name`, sort: 'name', primary: true, cell: ({ name }) => <strong>{name}</strong> },
      { id: 'company', header: t`Company`, cell: ({ company }) => company, groupBy: ({ company }) => company },
      {
        id: 'email',
        header: t`Email`,
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
        id: 'address',
        header: t`Service Address`,
        cell: ({ serviceAddress }) => serviceAddress,
      },
      { id: 'phone', header: t`Phone`, hidden: true, cell: ({ phone }) => formatPhone(phone) },
      {
        id: 'accounts',
        header: t`Account Number`,
        cell: ({ accountNumbers }) => accountNumbers.join(', '),
      },
      { id: 'role', header: t`Role`, hidden: true, cell: ({ role }) => role },
      {
        id: 'status',
        header: t`Status`,
        cell: ({ status }) => status && <StatusBadge kind={statuses[status]}>{t(statusLabels[status])}</StatusBadge>,
      },
    ],
    [t],
  )
}
