import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { call } from '../../../../web/call.ts'
import { go } from '../../../../web/go.ts'
import { useResponse } from '../../../../web/query.ts'
import { forgetSession } from '../../../../web/session.ts'
import { ResponseView } from '../../../../web/ui/ResponseView.tsx'
import { Button } from '../../../../web/ui/Button.tsx'
import { Panel } from '../../../../web/ui/Card.tsx'
import { CloseAction, Dialog } from '../../../../web/ui/Dialog.tsx'
import { FormDialog } from '../../../../web/ui/FormDialog.tsx'
import { useZodForm } from '../../../../web/ui/form.ts'
import { Link } from '../../../../web/ui/Link.tsx'
import { PasswordField } from '../../../../web/ui/PasswordField.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { accountClosing, closeAccount, closeForm } from '../../contract.ts'

/** Panel to close a resident's account. States when the resident can close it. */
export function ClosePanel() {
  const [isConfirming, setIsConfirming] = useState(false)
  return (
    <Panel id="close" title={<Trans>Close account</Trans>}>
      <p className="mb-4">
        <Trans>
          You can close your account when no payment is pending, AutoPay is off, and no payment arrangement or
          reservation is open. Unpaid bills remain due, and you can pay them without an account.
        </Trans>
      </p>
      <Button onClick={() => setIsConfirming(true)}>
        <Trans>Close account</Trans>
      </Button>
      {isConfirming && <CloseDialog onClose={() => setIsConfirming(false)} />}
    </Panel>
  )
}

function CloseDialog({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const response = useResponse(accountClosing, {}, { staleTime: 0 })
  if (response.data?.blockers.length === 0) return <Confirm onClose={onClose} />
  return (
    <Dialog title={t`Close account?`} onClose={onClose} actions={<CloseAction onClose={onClose} />}>
      <ResponseView response={response} shape="lines" rows={2} loading={<Trans>Checking for open payments</Trans>}>
        {({ blockers }) => (
          <>
            <p className="mb-2">
              <Trans>Your account can't be closed yet:</Trans>
            </p>
            <ul className="list-disc ps-5">
              {blockers.map(({ text, path }) => (
                <li key={path}>
                  <Link className="link" to={path}>
                    {text}
                  </Link>
                </li>
              ))}
            </ul>
          </>
        )}
      </ResponseView>
    </Dialog>
  )
}

function Confirm({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const form = useZodForm(closeForm, { defaultValues: { password: '' } })
  return (
    <FormDialog
      title={t`Close account?`}
      form={form}
      submit={<Trans>Close account</Trans>}
      danger
      onClose={onClose}
      onSubmit={async (typed) => {
        const { message } = await call(closeAccount, typed)
        forgetSession()
        go('/')
        toast(message)
      }}
    >
      <p>
        <Trans>
          You will be signed out everywhere. Linked accounts and saved payment methods will be removed, and alerts and
          texts will stop. We will keep your receipts and requests. Only our office can reopen your account.
        </Trans>
      </p>
      <PasswordField label={t`Your password`} {...form.field('password')} />
    </FormDialog>
  )
}
