import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { page } from '../../../web/page.ts'
import { call } from '../../../web/call.ts'
import { AppSecret } from '../../../web/ui/AppSecret.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { SubmitButton } from '../../../web/ui/FormButtons.tsx'
import { CodeField } from '../../../web/ui/CodeField.tsx'
import { Form } from '../../../web/ui/Form.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { RecoveryCodes } from '../../../web/ui/RecoveryCodes.tsx'
import { Failed, LoadingState } from '../../../web/ui/States.tsx'
import { appCodeForm, startEnrollment, confirmEnrollment } from '../../factors/contract.ts'
import { isTicketExpired, type SecondStepProps } from './second-step.ts'

type Secret = ResponseOf<typeof startEnrollment>

/** Setup of a required second factor. The person can't finish the sign-in without the setup. */
export function EnrollStep({ second, message, onSession, onBack }: SecondStepProps) {
  const { t } = useLingui()
  const [secret, setSecret] = useState<Secret | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const [done, setDone] = useState<ResponseOf<typeof confirmEnrollment> | null>(null)
  const [round, setRound] = useState(0)
  const form = useZodForm(appCodeForm, { defaultValues: { code: '' } })
  useEffect(() => {
    let isActive = true
    setFailure(null)
    call(startEnrollment, { ticket: second.ticket }).then(
      (response) => isActive && setSecret(response),
      (error: unknown) => isActive && (isTicketExpired(error) ? onBack(error.message) : setFailure(error)),
    )
    return () => void (isActive = false)
    // oxlint-disable-next-line react/exhaustive-deps -- requests the secret once for each ticket and each retry
  }, [second.ticket, round])
  if (done)
    return (
      <RecoveryCodes
        codes={done.recoveryCodes}
        siteName={page().siteName}
        level={2}
        onDone={() => onSession(done.session)}
      />
    )
  if (failure) return <Failed error={failure} onRetry={() => setRound(round + 1)} />
  if (!secret) return <LoadingState shape="block">{t`Loading`}</LoadingState>
  const confirm = async ({ code }: { code: string }) => {
    try {
      setDone(await call(confirmEnrollment, { ticket: second.ticket, code }))
    } catch (error) {
      if (isTicketExpired(error)) return onBack(error.message)
      throw error
    }
  }
  return (
    <div className="flex flex-col gap-5">
      <p role="status">{message}</p>
      <AppSecret {...secret} />
      <Form form={form} onSubmit={confirm}>
        <CodeField label={t`Current code from your authenticator app`} {...form.field('code')} />
        <SubmitButton form={form} busyLabel={<Trans>Setting up...</Trans>}>
          <Trans>Set up app and sign in</Trans>
        </SubmitButton>
      </Form>
      <div>
        <Button variant="quiet" className="-ms-4" onClick={() => onBack(null)}>
          <Trans>Back to password</Trans>
        </Button>
      </div>
    </div>
  )
}
