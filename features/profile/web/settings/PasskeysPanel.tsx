import { Trans, useLingui } from '@lingui/react/macro'
import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser'
import { useState } from 'react'
import type { ResponseOf } from '../../../../shared/endpoint.ts'
import { ResponseView } from '../../../../web/ui/ResponseView.tsx'
import { FormActions } from '../../../../web/ui/FormButtons.tsx'
import { say } from '../../../../shared/messages.ts'
import {
  startPasskey,
  myFactors,
  passkeyNameForm,
  removePasskey,
  renamePasskey,
  savePasskey,
} from '../../../factors/contract.ts'
import { call, CallError } from '../../../../web/call.ts'
import { shortDay } from '../../../../web/clock.ts'
import { reload, useResponse } from '../../../../web/query.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { Panel } from '../../../../web/ui/Card.tsx'
import { Form } from '../../../../web/ui/Form.tsx'
import { useZodForm } from '../../../../web/ui/form.ts'
import { TextField } from '../../../../web/ui/TextField.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { type Proof, ProofForm } from './ProofForm.tsx'

type Passkey = ResponseOf<typeof myFactors>['passkeys'][number]
type PasskeyAction = { what: 'add' } | { what: 'rename' | 'remove'; id: number }

const knowsPasskeys = () => typeof globalThis.PublicKeyCredential === 'function'

/** Panel to add, rename and remove passkeys. A passkey signs a person in without a password. */
export function PasskeysPanel() {
  const { t } = useLingui()
  const response = useResponse(myFactors, {})
  const [doing, setDoing] = useState<PasskeyAction | null>(null)
  const stop = () => setDoing(null)
  const done = async (message: string) => {
    toast(message)
    stop()
    await reload(myFactors)
  }
  return (
    <Panel id="passkeys" title={<Trans>Passkeys</Trans>}>
      <ResponseView
        response={response}
        rows={2}
        loading={<Trans>Loading your passkeys</Trans>}
        failed={<Trans>Your passkeys could not be loaded</Trans>}
      >
        {(data) => (
          <div className="flex flex-col gap-4">
            <p>
              <Trans>
                A passkey signs you in with your fingerprint, face, PIN or a security key, so you do not need a
                password.
              </Trans>
            </p>
            {data.passkeys.length > 0 && (
              <ul>
                {data.passkeys.map((passkey) => (
                  <Row
                    key={passkey.id}
                    passkey={passkey}
                    doing={doing && 'id' in doing && doing.id === passkey.id ? doing.what : null}
                    withCode={data.app !== null}
                    onDo={(what) => setDoing({ what, id: passkey.id })}
                    onDone={done}
                    onCancel={stop}
                  />
                ))}
              </ul>
            )}
            {doing?.what === 'add' ? (
              <ProofForm
                withCode={data.app !== null}
                submit={t`Create passkey`}
                onCancel={stop}
                onProof={async (proof) => done(await addPasskey(proof))}
              />
            ) : knowsPasskeys() ? (
              <div>
                <Button onClick={() => setDoing({ what: 'add' })}>
                  <Trans>Add a passkey</Trans>
                </Button>
              </div>
            ) : (
              <p className="text-muted text-sm">
                <Trans>This browser does not support passkeys. Add one on another device.</Trans>
              </p>
            )}
          </div>
        )}
      </ResponseView>
    </Panel>
  )
}

/**
 * Adds a passkey.
 * @returns the server's message
 * @throws {CallError} with a message for each cause of failure
 */
async function addPasskey(proof: Proof): Promise<string> {
  const { startRegistration, WebAuthnError } = await import('@simplewebauthn/browser')
  const { step, options } = await call(startPasskey, proof)
  const attestation = await startRegistration({
    optionsJSON: options as unknown as PublicKeyCredentialCreationOptionsJSON,
  }).catch((error: unknown) => {
    const isRegistered = error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED'
    throw new CallError(
      409,
      'no_passkey',
      isRegistered
        ? say`This device already has one of your passkeys.`
        : say`No passkey was created. The browser prompt was closed or timed out. Try again.`,
    )
  })
  return (await call(savePasskey, { step, attestation: attestation as never })).message
}

interface RowProps {
  passkey: Passkey
  doing: 'rename' | 'remove' | 'add' | null
  withCode: boolean
  onDo: (what: 'rename' | 'remove') => void
  onDone: (message: string) => Promise<void>
  onCancel: () => void
}

function Row({ passkey, doing, withCode, onDo, onDone, onCancel }: RowProps) {
  const { t } = useLingui()
  const { id, name } = passkey
  const created = shortDay(passkey.created)
  const used = passkey.used && shortDay(passkey.used)
  return (
    <li className="border-line border-b py-3 first:border-t">
      {doing === 'rename' ? (
        <Rename passkey={passkey} onDone={onDone} onCancel={onCancel} />
      ) : (
        <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
          <div className="min-w-48 flex-1">
            <p className="font-bold wrap-anywhere">{name}</p>
            <p className="text-muted text-sm">
              {used ? (
                <Trans>
                  Created {created}, last used {used}
                </Trans>
              ) : (
                <Trans>Created {created}, not used yet</Trans>
              )}
            </p>
          </div>
          {doing === null && (
            <div className="flex gap-2">
              <Button size="small" aria-label={t`Rename passkey ${name}`} onClick={() => onDo('rename')}>
                <Trans>Rename</Trans>
              </Button>
              <Button size="small" aria-label={t`Remove passkey ${name}`} onClick={() => onDo('remove')}>
                <Trans>Remove</Trans>
              </Button>
            </div>
          )}
        </div>
      )}
      {doing === 'remove' && (
        <div className="mt-3">
          <ProofForm
            withCode={withCode}
            submit={t`Remove passkey`}
            danger
            onCancel={onCancel}
            onProof={async (proof) => onDone((await call(removePasskey, { ...proof, id })).message)}
          >
            <Trans>You will no longer be able to use this passkey to sign in.</Trans>
          </ProofForm>
        </div>
      )}
    </li>
  )
}

function Rename({ passkey: { id, name }, onDone, onCancel }: Pick<RowProps, 'passkey' | 'onDone' | 'onCancel'>) {
  const { t } = useLingui()
  const form = useZodForm(passkeyNameForm, { defaultValues: { name } })
  return (
    <Form form={form} onSubmit={async (values) => onDone((await call(renamePasskey, { ...values, id })).message)}>
      <TextField label={t`Passkey name`} autoComplete="off" {...form.field('name')} />
      <FormActions form={form} submit={<Trans>Save</Trans>} busyLabel={<Trans>Saving...</Trans>} onCancel={onCancel} />
    </Form>
  )
}
