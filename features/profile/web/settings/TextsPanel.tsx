import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { ResponseOf } from '../../../../shared/endpoint.ts'
import { placeName } from '../../../../web/boot.ts'
import { call, messageOf } from '../../../../web/call.ts'
import { reload, useAnswer } from '../../../../web/query.ts'
import { useSession } from '../../../../web/session.ts'
import { Button } from '../../../../web/ui/Button.tsx'
import { Panel } from '../../../../web/ui/Card.tsx'
import { Checkbox } from '../../../../web/ui/Choice.tsx'
import { CodeField } from '../../../../web/ui/CodeField.tsx'
import { Form } from '../../../../web/ui/Form.tsx'
import { useZodForm } from '../../../../web/ui/form.ts'
import { Notice } from '../../../../web/ui/Notice.tsx'
import { PhoneField } from '../../../../web/ui/PhoneField.tsx'
import { Failed, LoadingState } from '../../../../web/ui/States.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { beginTexts, confirmTexts, myTexts, stopTexts, textsCodeForm, textsForm } from '../../contract.ts'
import type { Profile } from '../profile-form.ts'

type Texts = ResponseOf<typeof myTexts>

/** Text messages about payments and requests: the phone number, its confirmation code and a way to stop. */
export function TextsPanel({ profile }: { profile: Profile }) {
  const { data, error, refetch } = useAnswer(myTexts, {})
  if (data && !data.offered) return null
  return (
    <Panel id="texts" title={<Trans>Texts to your phone</Trans>}>
      {error && !data && (
        <Failed error={error} title={<Trans>This could not be loaded</Trans>} onRetry={() => void refetch()} />
      )}
      {!data && !error && (
        <LoadingState rows={2}>
          <Trans>Loading</Trans>
        </LoadingState>
      )}
      {data?.state === 'off' && <TurnOn texts={data} mobile={profile.mobile_no} />}
      {data?.state === 'unconfirmed' && <Confirm texts={data} />}
      {data?.state === 'on' && <On texts={data} />}
    </Panel>
  )
}

function TurnOn({ texts, mobile }: { texts: Texts; mobile: string }) {
  const { t } = useLingui()
  const form = useZodForm(textsForm, { defaultValues: { phone: mobile, agree: false } })
  const isImpersonating = useSession()?.impersonating ?? false
  const begin = async (values: { phone: string; agree: boolean }) => {
    const { message } = await call(beginTexts, values)
    toast(message)
    await reload(myTexts)
  }
  return (
    <>
      <p className="mb-4">
        <Trans>
          A text tells you when a payment went through or was returned, and when a request was answered. The emails come
          all the same.
        </Trans>
      </p>
      {isImpersonating ? (
        <p className="text-muted text-sm">
          <Trans>Only the person themselves can agree to texts.</Trans>
        </p>
      ) : (
        <Form form={form} onSubmit={begin}>
          <PhoneField label={t`Mobile phone for texts`} {...form.field('phone')} />
          <Checkbox label={texts.consent} {...form.field('agree')} />
          <div>
            <Button type="submit" busy={form.formState.isSubmitting} busyLabel={<Trans>Sending...</Trans>}>
              <Trans>Send me a code</Trans>
            </Button>
          </div>
        </Form>
      )}
    </>
  )
}

function Confirm({ texts: { phone } }: { texts: Texts }) {
  const { t } = useLingui()
  const form = useZodForm(textsCodeForm, { defaultValues: { code: '' } })
  const confirm = async (values: { code: string }) => {
    toast((await call(confirmTexts, values)).message)
    await reload(myTexts)
  }
  return (
    <Form form={form} onSubmit={confirm}>
      <p>
        <Trans>We have sent a code to {phone}. It is good for 10 minutes.</Trans>
      </p>
      <CodeField label={t`The code of the text`} {...form.field('code')} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary" busy={form.formState.isSubmitting} busyLabel={<Trans>Checking...</Trans>}>
          <Trans>Turn texts on</Trans>
        </Button>
        <Off>
          <Trans>Another number, or another code</Trans>
        </Off>
      </div>
    </Form>
  )
}

function On({ texts: { phone, stopped, from } }: { texts: Texts }) {
  return (
    <div className="flex flex-col items-start gap-4">
      <p>
        <strong>
          <Trans>On, to {phone}.</Trans>
        </strong>{' '}
        <Trans>Reply STOP to any text to end them, or turn them off here.</Trans>
      </p>
      {stopped && (
        <Notice tone="warning">
          {from ? (
            <Trans>
              This phone answered STOP, so {placeName} does not text it. Text START to {from} to get texts again.
            </Trans>
          ) : (
            <Trans>This phone answered STOP, so {placeName} does not text it. Answer START to get texts again.</Trans>
          )}
        </Notice>
      )}
      <Off>
        <Trans>Turn texts off</Trans>
      </Off>
    </div>
  )
}

function Off({ children }: { children: ReactNode }) {
  const end = async () => {
    try {
      await call(stopTexts, {})
    } catch (failure) {
      toast(messageOf(failure), 'danger')
    }
    await reload(myTexts)
    // Moves the focus to the title, because the focused button is gone.
    const title = document.getElementById('texts')
    title?.setAttribute('tabindex', '-1')
    title?.focus()
  }
  return <Button onClick={() => void end()}>{children}</Button>
}
