import { Trans, useLingui } from '@lingui/react/macro'
import { typePhone } from '../../../shared/phone.ts'
import { CompanySelect } from '../../../web/admin/CompanySelect.tsx'
import { Checkbox, Select } from '../../../web/ui/Choice.tsx'
import type { TableState } from '../../../web/ui/office/table/table-state.ts'
import { companiesInformation } from '../../../shared/companies.ts'
import { Wanted } from './Wanted.tsx'

export type Filter = 'mode' | 'companyId' | 'profiles' | 'email' | 'name' | 'serviceAddress' | 'phone' | 'accountNumber'

/** Choice of the search mode: customers of all companies, or users of one chosen company (spec 2.18). */
export function LookupFilters({ state }: { state: TableState<Filter> }) {
  const { t } = useLingui()
  const { mode, companyId, profiles } = state.question.filters
  const users = mode === 'user'
  const without = !users && profiles === '1'
  return (
    <>
      <Select
        label={t`Search for`}
        value={mode}
        onChange={({ target }) => state.setFilters({ mode: target.value, profiles: '', companyId: '' })}
        options={[
          { value: 'customer', label: t`Customers` },
          { value: 'user', label: t`One company’s users` },
        ]}
        className="md:w-52"
      />
      {users && (
        <CompanySelect
          of={companiesInformation}
          none={t`Choose a company`}
          value={companyId}
          onChange={(chosen) => state.setFilters({ companyId: chosen })}
          className="md:w-52"
        />
      )}
      {(!users || companyId) && (
        <>
          <Wanted state={state} name="email" label={t`Email`} />
          <Wanted state={state} name="name" label={t`Name`} />
          <Wanted state={state} name="serviceAddress" label={t`Service Address`} />
          {!without && <Wanted state={state} name="phone" label={t`Phone`} format={typePhone} />}
          {!without && (
            <Wanted state={state} name="accountNumber" label={users ? t`Account Number` : t`Customer Number`} />
          )}
        </>
      )}
      {!users && (
        <Checkbox
          className="self-end sm:max-md:col-span-2 md:mb-1"
          label={<Trans>Search for profiles without utility accounts</Trans>}
          checked={without}
          onChange={({ target }) =>
            state.setFilters({ profiles: target.checked ? '1' : '', phone: '', accountNumber: '' })
          }
        />
      )}
    </>
  )
}
