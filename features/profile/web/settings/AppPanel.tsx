import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { ResponseOf } from '../../../../shared/endpoint.ts'
import { ResponseView } from '../../../../web/ui/ResponseView.tsx'
import { FormActions } from '../../../../web/ui/FormButtons.tsx'
import {
  appCodeForm,
  startAuthenticator,
  confirmApp,
  myFactors,
  removeApp,
  renewRecoveryCodes,
} from '../../../factors/contract.ts'
import { mySessions } from '../../../identity/contract.ts'
import { page } from '../../../../web/page.ts'
import { call } from '../../../../web/call.ts'
import { shortDay } from '../../../../web/clock.ts'
import { reload, useResponse } from '../../../../web/query.ts'
import { AppSecret } from '../../../../web/ui/AppSecret.tsx'
import { Button } from '../../../../web/ui/Button.tsx'
import { Panel } from '../../../../web/ui/Card.tsx'
import { CodeField } from '../../../../web/ui/CodeField.tsx'
import { Form } from '../../../../web/ui/Form.tsx'
import { useZodForm } from '../../../../web/ui/form.ts'
import { Notice } from '../../../../web/ui/Notice.tsx'
import { RecoveryCodes } from '../../../../web/ui/RecoveryCodes.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { ProofForm } from './ProofForm.tsx'

type AppStep =
  | { at: 'rest' }
  | { at: 'prove'; what: 'set' | 'replace' | 'renew' | 'remove' }
  | { at: 'scan'; secret: ResponseOf<typeof startAuthenticator> }
  | { at: 'codes'; codes: readonly string[] }

/** Panel to set up, replace or turn off the authenticator app for two-factor authentication. */
export function AppPanel() {
  const response = useResponse(myFactors, {})
  const [step, setStep] = useState<AppStep>({ at: 'rest' })
  const rest = () => setStep({ at: 'rest' })
  const changed = async (codes: readonly string[] | null) => {
    if (codes) setStep({ at: 'codes', codes })
    else rest()
    await Promise.all([reload(myFactors), reload(mySessions)])
  }
  return (
    <Panel id="second-factor" title={<Trans>Authenticator app</Trans>}>
      <ResponseView response={response} rows={2} loading={<Trans>Loading</Trans>}>
        {(factors) => (
          <>
            {step.at === 'rest' && <AtRest {...factors} onGo={(what) => setStep({ at: 'prove', what })} />}
            {step.at === 'prove' && (
              <Prove
                what={step.what}
                hasApp={factors.app !== null}
                onStep={setStep}
                onChanged={changed}
                onCancel={rest}
              />
            )}
          </>
        )}
      </ResponseView>
      {step.at === 'scan' && <Scan secret={step.secret} onChanged={changed} onCancel={rest} />}
      {step.at === 'codes' && <RecoveryCodes codes={step.codes} siteName={page().siteName} level={3} onDone={rest} />}
    </Panel>
  )
}

type Factors = ResponseOf<typeof myFactors>
type AppAction = Extract<AppStep, { at: 'prove' }>['what']

function AtRest({ app, passkeys, required, onGo }: Factors & { onGo: (what: AppAction) => void }) {
  if (!app)
    return (
      <div className="flex flex-col items-start gap-4">
        <p>
          <Trans>
            With an app on your phone, a stolen password is not enough to sign in. After you enter your password, we ask
            for a code that only your phone shows.
          </Trans>
        </p>
        <Button onClick={() => onGo('set')}>
          <Trans>Set up an authenticator app</Trans>
        </Button>
      </div>
    )
  const since = shortDay(app.since)
  const left = app.recoveryCodesLeft
  return (
    <div className="flex flex-col gap-4">
      <p>
        <strong>
          <Trans>On since {since}.</Trans>
        </strong>{' '}
        {left === 1 ? <Trans>1 recovery code left.</Trans> : <Trans>{left} recovery codes left.</Trans>}
      </p>
      {left < 3 && (
        <Notice tone="warning">
          <Trans>
            Create new recovery codes before you use the last one. You need them to sign in without your phone.
          </Trans>
        </Notice>
      )}
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => onGo('renew')}>
          <Trans>Create recovery codes</Trans>
        </Button>
        <Button onClick={() => onGo('replace')}>
          <Trans>Use another phone</Trans>
        </Button>
        {(!required || passkeys.length > 0) && (
          <Button onClick={() => onGo('remove')}>
            <Trans>Turn off app</Trans>
          </Button>
        )}
      </div>
      {required && passkeys.length === 0 && (
        <p className="text-muted text-sm">
          <Trans>
            {page().siteName} requires two-factor authentication for all staff. To turn off this app, first add a
            passkey.
          </Trans>
        </p>
      )}
    </div>
  )
}

interface ProveProps {
  what: AppAction
  hasApp: boolean
  onStep: (step: AppStep) => void
  onChanged: (codes: readonly string[] | null) => Promise<void>
  onCancel: () => void
}

function Prove({ what, hasApp, onStep, onChanged, onCancel }: ProveProps) {
  const { t } = useLingui()
  const submitLabels = {
    set: t`Continue`,
    replace: t`Continue`,
    renew: t`Create new recovery codes`,
    remove: t`Turn off app`,
  }
  return (
    <ProofForm
      withCode={hasApp}
      submit={submitLabels[what]}
      danger={what === 'remove'}
      onCancel={onCancel}
      onProof={async (proof) => {
        if (what === 'set' || what === 'replace')
          return onStep({ at: 'scan', secret: await call(startAuthenticator, proof) })
        const both = { ...proof, code: proof.code ?? '' }
        if (what === 'remove') {
          toast((await call(removeApp, both)).message)
          return onChanged(null)
        }
        const { message, recoveryCodes } = await call(renewRecoveryCodes, both)
        toast(message)
        return onChanged(recoveryCodes)
      }}
    >
      {what === 'renew' && <Trans>Your current codes will stop working.</Trans>}
      {what === 'remove' && (
        <Trans>You will sign in with only your password. Your recovery codes will stop working.</Trans>
      )}
      {what === 'replace' && (
        <Trans>Your current app will keep working until you enter the first code from the new one.</Trans>
      )}
    </ProofForm>
  )
}

interface ScanProps {
  secret: ResponseOf<typeof startAuthenticator>
  onChanged: (codes: readonly string[] | null) => Promise<void>
  onCancel: () => void
}

function Scan({ secret, onChanged, onCancel }: ScanProps) {
  const { t } = useLingui()
  const form = useZodForm(appCodeForm, { defaultValues: { code: '' } })
  const confirm = async ({ code }: { code: string }) => {
    const { message, recoveryCodes } = await call(confirmApp, { step: secret.step, code })
    toast(message)
    await onChanged(recoveryCodes)
  }
  return (
    <div className="flex flex-col gap-4">
      <AppSecret {...secret} />
      <Form form={form} onSubmit={confirm}>
        <CodeField label={t`Current code from your authenticator app`} {...form.field('code')} />
        <p className="text-muted text-sm">
          <Trans>You will be signed out everywhere else.</Trans>
        </p>
        <FormActions
          form={form}
          submit={<Trans>Turn on app</Trans>}
          busyLabel={<Trans>Checking...</Trans>}
          onCancel={onCancel}
        />
      </Form>
    </div>
  )
}
