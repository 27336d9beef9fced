import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'
import { call, messageOf } from '../../../web/call.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { SubmitButton } from '../../../web/ui/FormButtons.tsx'
import { CodeField } from '../../../web/ui/CodeField.tsx'
import { Form } from '../../../web/ui/Form.tsx'
import { Refusal } from '../../../web/ui/Notice.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { codeForm, verifySecondFactor } from '../../factors/contract.ts'
import type { SecondFactorRequest } from '../../../shared/accounts.ts'
import { EnrollStep } from './EnrolStep.tsx'
import { promptPasskey, knowsPasskeys, wasDismissed } from './passkeys.ts'
import { isTicketExpired, type SecondStepProps } from './second-step.ts'

type Method = SecondFactorRequest['methods'][number]

/** Step after the password: a code, a recovery code, a passkey, or a required setup. */
export default function SecondStep(props: SecondStepProps) {
  const { second, message, onBack } = props
  const [method, setMethod] = useState<Method>(second.methods[0] ?? 'totp')
  if (second.methods.length === 0) return <EnrollStep {...props} />
  const others = second.methods.filter((other) => other !== method && (other !== 'passkey' || knowsPasskeys()))
  return (
    <div className="flex flex-col gap-5">
      {method === 'passkey' ? (
        <ByPasskey {...props} />
      ) : (
        <ByCode key={method} {...props} recovery={method === 'recovery'} />
      )}
      <div className="flex flex-col items-start gap-1 border-line border-t pt-4">
        <p className="spoken">{message}</p>
        {others.map((other) => (
          <Button key={other} variant="quiet" className="-ms-4" onClick={() => setMethod(other)}>
            {other === 'totp' && <Trans>Use your authenticator app</Trans>}
            {other === 'recovery' && <Trans>Use a recovery code</Trans>}
            {other === 'passkey' && <Trans>Use a passkey</Trans>}
          </Button>
        ))}
        <Button variant="quiet" className="-ms-4" onClick={() => onBack(null)}>
          <Trans>Back to password</Trans>
        </Button>
      </div>
    </div>
  )
}

function ByCode({ second, onSession, onBack, recovery }: SecondStepProps & { recovery: boolean }) {
  const { t } = useLingui()
  const form = useZodForm(codeForm, { defaultValues: { code: '' } })
  const { setFocus } = form
  // Focuses the field, because it is the only field of this step.
  useEffect(() => setFocus('code'), [setFocus])
  const verify = async ({ code }: { code: string }) => {
    try {
      onSession(await call(verifySecondFactor, { ticket: second.ticket, code }))
    } catch (error) {
      if (isTicketExpired(error)) return onBack(error.message)
      form.setValue('code', '')
      throw error
    }
  }
  return (
    <Form form={form} onSubmit={verify}>
      {recovery ? (
        <CodeField
          kind="recovery"
          label={t`Recovery code`}
          hint={t`Use one of your ten saved codes. Each code works only once.`}
          {...form.field('code')}
        />
      ) : (
        <CodeField hint={t`Enter the six-digit code that your authenticator app shows now.`} {...form.field('code')} />
      )}
      <SubmitButton form={form} busyLabel={<Trans>Signing in...</Trans>}>
        <Trans>Continue</Trans>
      </SubmitButton>
    </Form>
  )
}

function ByPasskey({ second, onSession, onBack }: SecondStepProps) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => button.current?.focus(), [])
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  const show = async () => {
    setBusy(true)
    setRefusal(null)
    try {
      const response = await promptPasskey({ ticket: second.ticket })
      if (response) onSession(await call(verifySecondFactor, { ticket: second.ticket, assertion: response.assertion }))
    } catch (error) {
      if (isTicketExpired(error)) return onBack(error.message)
      if (!wasDismissed(error)) setRefusal(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <p>
        <Trans>Your browser will ask for your fingerprint, face, PIN or security key.</Trans>
      </p>
      <Refusal>{refusal}</Refusal>
      <Button
        variant="primary"
        wide
        ref={button}
        busy={busy}
        busyLabel={<Trans>Waiting for your passkey...</Trans>}
        onClick={() => void show()}
      >
        <Trans>Continue with passkey</Trans>
      </Button>
    </>
  )
}
