import { Trans, useLingui } from '@lingui/react/macro'
import { typePhone } from '../../../shared/phone.ts'
import { Checkbox } from '../../../web/ui/Choice.tsx'
import type { TableState } from '../../../web/ui/office/table/table-state.ts'
import { Wanted } from './Wanted.tsx'

export type Filter = 'email' | 'name' | 'serviceAddress' | 'phone' | 'accountNumber' | 'profiles'

/** The customer search of specification 2.18: who has no account has no phone and no number to look for. */
export function CustomerFilters({ state }: { state: TableState<Filter> }) {
  const { t } = useLingui()
  const profiles = state.question.filters.profiles === '1'
  return (
    <>
      <Wanted state={state} name="email" label={t`Email`} />
      <Wanted state={state} name="name" label={t`Name`} />
      <Wanted state={state} name="serviceAddress" label={t`Service Address`} />
      {!profiles && <Wanted state={state} name="phone" label={t`Phone`} format={typePhone} />}
      {!profiles && <Wanted state={state} name="accountNumber" label={t`Customer Number`} />}
      <Checkbox
        className="self-end sm:max-md:col-span-2 md:mb-1"
        label={<Trans>Search for profiles without utility accounts</Trans>}
        checked={profiles}
        onChange={({ target }) =>
          state.setFilters({ profiles: target.checked ? '1' : '', phone: '', accountNumber: '' })
        }
      />
    </>
  )
}
