import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { placeName } from '../../../web/boot.ts'
import { call, messageOf } from '../../../web/call.ts'
import { reload } from '../../../web/query.ts'
import { useSession } from '../../../web/session.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { Panel } from '../../../web/ui/Card.tsx'
import { Checkbox } from '../../../web/ui/Choice.tsx'
import { CodeField } from '../../../web/ui/CodeField.tsx'
import { Form } from '../../../web/ui/Form.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { Notice } from '../../../web/ui/Notice.tsx'
import { PhoneField } from '../../../web/ui/PhoneField.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { alertChoices } from '../contract.ts'
import { startCalls, callsCodeForm, callsForm, confirmCalls, myCalls, stopCalls } from '../contract-calls.ts'

type Calls = ResponseOf<typeof myCalls>

const PANEL = 'alert-calls'

/** The choices below depend on the confirmed phone. */
const refresh = async () => {
  await reload(myCalls)
  await reload(alertChoices)
}

/** The button with the focus no longer exists. */
const focusPanel = () => {
  const title = document.getElementById(PANEL)
  title?.setAttribute('tabindex', '-1')
  title?.focus()
}

/** Manages alert calls: a phone, which may be a landline, the spoken code, and a way to turn calls off. */
export function CallsPanel({ calls }: { calls: Calls }) {
  if (!calls.offered) return null
  const states = { off: TurnOn, unconfirmed: Confirm, on: On }
  const StatePanel = states[calls.state]
  return (
    <Panel id={PANEL} title={<Trans>Calls to your phone</Trans>} className="max-w-3xl">
      <StatePanel calls={calls} />
    </Panel>
  )
}

function TurnOn({ calls }: { calls: Calls }) {
  const { t } = useLingui()
  const form = useZodForm(callsForm, { defaultValues: { phone: calls.profilePhone, agree: false } })
  const isImpersonating = useSession()?.impersonating ?? false
  const begin = async (values: { phone: string; agree: boolean }) => {
    toast((await call(startCalls, values)).message)
    await refresh()
    focusPanel()
  }
  return (
    <>
      <p className="mb-4">
        <Trans>
          A voice says the alert, in your language, on a landline too and without the internet. Emergencies ring at
          night as well.
        </Trans>
      </p>
      {isImpersonating ? (
        <p className="text-muted text-sm">
          <Trans>Only the person themselves can agree to calls.</Trans>
        </p>
      ) : (
        <Form form={form} onSubmit={begin}>
          <PhoneField label={t`Phone for calls`} {...form.field('phone')} />
          <Checkbox label={calls.consent} {...form.field('agree')} />
          <div>
            <Button type="submit" busy={form.formState.isSubmitting} busyLabel={<Trans>Calling...</Trans>}>
              <Trans>Call me with a code</Trans>
            </Button>
          </div>
        </Form>
      )}
    </>
  )
}

function Confirm({ calls: { phone, from } }: { calls: Calls }) {
  const { t } = useLingui()
  const form = useZodForm(callsCodeForm, { defaultValues: { code: '' } })
  const confirm = async (values: { code: string }) => {
    toast((await call(confirmCalls, values)).message)
    await refresh()
    focusPanel()
  }
  return (
    <Form form={form} onSubmit={confirm}>
      <p>
        <Trans>
          {from} calls {phone} and says a code twice. It is good for 10 minutes.
        </Trans>
      </p>
      <CodeField label={t`The code of the call`} {...form.field('code')} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary" busy={form.formState.isSubmitting} busyLabel={<Trans>Checking...</Trans>}>
          <Trans>Turn calls on</Trans>
        </Button>
        <Off>
          <Trans>Another number, or another call</Trans>
        </Off>
      </div>
    </Form>
  )
}

function On({ calls: { phone, from, stopped } }: { calls: Calls }) {
  return (
    <div className="flex flex-col items-start gap-4">
      <p>
        <strong>
          <Trans>On, to {phone}.</Trans>
        </strong>{' '}
        <Trans>Calls come from {from}. Press 9 in a call to end them for good, or turn them off here.</Trans>
      </p>
      {stopped && (
        <Notice tone="warning">
          <Trans>
            Somebody pressed 9 on this phone, so {placeName} does not call it any more. Turn calls off and give another
            number to be called again.
          </Trans>
        </Notice>
      )}
      <Off>
        <Trans>Turn calls off</Trans>
      </Off>
    </div>
  )
}

function Off({ children }: { children: ReactNode }) {
  const end = async () => {
    try {
      await call(stopCalls, {})
    } catch (failure) {
      toast(messageOf(failure), 'danger')
    }
    await refresh()
    focusPanel()
  }
  return <Button onClick={() => void end()}>{children}</Button>
}
