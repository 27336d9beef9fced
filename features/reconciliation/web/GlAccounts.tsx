import { Trans } from '@lingui/react/macro'
import { call } from '../../../web/call.ts'
import { reload, useResponse } from '../../../web/query.ts'
import { FormSlideOut } from '../../../web/ui/FormSlideOut.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { SettingsOf } from '../../../web/ui/SettingsOf.tsx'
import { TextField } from '../../../web/ui/TextField.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { type LedgerAccount, ledgerAccounts } from '../../payments/rules-ledger.ts'
import { glAccounts, glForm, saveGlAccounts } from '../contract.ts'

type GlAccountsResponse = ResponseOf<typeof glAccounts>

/** GL account numbers of the company for the export. */
export const GlAccounts = ({ onClose }: { onClose: () => void }) => (
  <SettingsOf title={<Trans>GL account numbers</Trans>} onClose={onClose} response={useResponse(glAccounts, {})}>
    {(loaded) => <Edit loaded={loaded} onClose={onClose} />}
  </SettingsOf>
)

function Edit({ loaded: { numbers, mayChange }, onClose }: { loaded: GlAccountsResponse; onClose: () => void }) {
  const form = useZodForm(glForm, { defaultValues: numbers, basis: { ...numbers }, draft: { name: 'gl-accounts' } })
  return (
    <FormSlideOut
      title={<Trans>GL account numbers</Trans>}
      form={form}
      mayEdit={mayChange}
      onSubmit={async (values) => {
        toast((await call(saveGlAccounts, { ...values, basis: form.basis })).message)
        await reload(glAccounts)
        onClose()
      }}
      onClose={onClose}
    >
      <p className="text-muted">
        <Trans>
          Enter the account numbers from your general ledger. Each amount due uses the GL account for its payment type
          or service. If the payment type or service has no GL account, the number entered here is used.
        </Trans>
      </p>
      {(Object.keys(ledgerAccounts) as LedgerAccount[]).map((account) => (
        <TextField
          key={account}
          label={ledgerAccounts[account].name}
          optional
          readOnly={!mayChange}
          {...form.field(account)}
        />
      ))}
    </FormSlideOut>
  )
}
