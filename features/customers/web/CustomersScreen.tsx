import { Trans, useLingui } from '@lingui/react/macro'
import { Mailbox } from 'lucide-react'
import { useState } from 'react'
import type { RowOf } from '../../../shared/list.ts'
import { formatPhone, typePhone } from '../../../shared/phone.ts'
import { download } from '../../../web/download.ts'
import { setQuery } from '../../../web/go.ts'
import { ListScreen } from '../../../web/list/ListScreen.tsx'
import { ImpersonateDialog } from '../../../web/office/ImpersonateDialog.tsx'
import { useQueryParam } from '../../../web/routes.tsx'
import { may } from '../../../web/session.ts'
import type { BulkAction } from '../../../web/ui/office/table/bulk.ts'
import { LinkButton } from '../../../web/ui/Button.tsx'
import { EmailText } from '../../../web/ui/office/EmailText.tsx'
import { printLinkMailings } from '../../utility-portal/contract.ts'
import { reasonForm } from '../../impersonation/contract.ts'
import { openOwn } from '../../impersonation/web/parts/open-own.ts'
import { NO_PROFILE, utilityCustomers } from '../list.ts'
import { AccountSlideOut } from './AccountSlideOut.tsx'
import { SendInvitations } from './SendInvitations.tsx'

type Customer = RowOf<typeof utilityCustomers>

/** Filters that only utility accounts support. Residents without an account have no phone or number to search. */
const OF_ACCOUNTS = ['phone', 'accountNumber', 'linkedAccounts'] as const

const open = (id: number | null) => setQuery({ account: id === null ? null : String(id) })

/** Residents and utility accounts of the company (spec 2.3, 2.18, 2.19). */
export default function CustomersScreen() {
  const { t } = useLingui()
  const [impersonated, setImpersonated] = useState<Customer | null>(null)
  const userId = impersonated?.userId
  const chosen = Number(useQueryParam('account')) || null
  const printMailings: BulkAction<Customer> = {
    label: t`Print link code letters`,
    icon: Mailbox,
    confirm: () => <Trans>Each account will get a new code. Codes that were printed earlier will stop working.</Trans>,
    run: async (rows) => {
      const accountIds = rows.filter(({ accountNumber }) => accountNumber !== '').map(({ id }) => id)
      await download(printLinkMailings, { accountIds })
      return t`The letters were saved as a PDF.`
    },
  }
  return (
    <>
      <ListScreen
        of={utilityCustomers}
        rowName={({ name, accountNumber }) => [name, accountNumber].filter(Boolean).join(' ')}
        nouns={({ profiles }) => (profiles ? [t`profile`, t`profiles`] : null)}
        without={({ profiles }) => (profiles ? OF_ACCOUNTS : [])}
        typing={{ phone: typePhone }}
        cells={{
          name: ({ name }) => <strong>{name}</strong>,
          email: ({ email }) =>
            email === NO_PROFILE ? (
              <span className="text-muted">
                <Trans>No Profile Created</Trans>
              </span>
            ) : (
              <EmailText text={email} />
            ),
          phone: ({ phone }) => formatPhone(phone),
        }}
        {...(may('customers', 'update') && { bulk: [printMailings] })}
        headActions={
          <>
            <SendInvitations />
            <LinkButton to="/municipality/reports/customers/property">
              <Trans>View by property</Trans>
            </LinkButton>
          </>
        }
        actions={{ view: ({ id }) => open(id), impersonate: setImpersonated }}
        onRow={({ id, accountNumber }) => accountNumber !== '' && open(id)}
      />
      {chosen !== null && <AccountSlideOut id={chosen} onClose={() => open(null)} />}
      {impersonated && userId && (
        <ImpersonateDialog
          name={impersonated.email}
          reason={reasonForm}
          onStart={(reason) => openOwn(userId, reason)}
          onClose={() => setImpersonated(null)}
        />
      )}
    </>
  )
}
