import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { formatPhone } from '../../../shared/phone.ts'
import { useAct } from '../../../web/act.ts'
import { call } from '../../../web/call.ts'
import { reload } from '../../../web/query.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { Panel } from '../../../web/ui/Card.tsx'
import { Form } from '../../../web/ui/Form.tsx'
import { FormActions } from '../../../web/ui/FormButtons.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { Refusal } from '../../../web/ui/Notice.tsx'
import { PasswordField } from '../../../web/ui/PasswordField.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { phonePin, pinForm, removePhonePin, setPhonePin } from '../../phone-payments/contract.ts'

/** Shows Pay by Phone if the company offers it: the number to call and the caller's PIN. */
export function PhonePinPanel({ of: data, mayChange }: { of: ResponseOf<typeof phonePin>; mayChange: boolean }) {
  const [setting, setSetting] = useState(false)
  const { act, busy, refusal } = useAct(() => reload(phonePin))
  const number = formatPhone(data.number)
  return (
    <Panel id="pay-by-phone" title={<Trans>Pay by phone</Trans>}>
      <div className="flex flex-col gap-4">
        <p>
          <Trans>
            Call{' '}
            <a className="link" href={`tel:+1${data.number}`}>
              {number}
            </a>{' '}
            and enter your account number. You can pay with the saved payment methods above.
          </Trans>
        </p>
        {data.needsPin ? (
          <p>
            {data.hasPin ? (
              <Trans>Your PIN is set. Anyone with your PIN and your account number can pay your bill.</Trans>
            ) : (
              <Trans>
                To pay by phone, you need a six-digit PIN. Until you set one, no one can pay by phone with your saved
                payment methods.
              </Trans>
            )}
          </p>
        ) : (
          <p>
            <Trans>
              We recognize you by the phone number that you confirmed for texts in your settings. Call from that number.
            </Trans>
          </p>
        )}
        <Refusal>{refusal}</Refusal>
        {mayChange && data.needsPin && (setting ? <SetPin onDone={() => setSetting(false)} /> : null)}
        {mayChange && data.needsPin && !setting && (
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => setSetting(true)}>
              {data.hasPin ? <Trans>Change PIN</Trans> : <Trans>Set a PIN</Trans>}
            </Button>
            {data.hasPin && (
              <Button busy={busy} onClick={() => void act(() => call(removePhonePin, {}))}>
                <Trans>Remove PIN</Trans>
              </Button>
            )}
          </div>
        )}
      </div>
    </Panel>
  )
}

function SetPin({ onDone }: { onDone: () => void }) {
  const { t } = useLingui()
  const form = useZodForm(pinForm, { defaultValues: { pin: '' } })
  return (
    <Form
      form={form}
      onSubmit={async (request) => {
        const { message } = await call(setPhonePin, request)
        await reload(phonePin)
        toast(message)
        onDone()
      }}
    >
      <PasswordField
        label={t`New PIN`}
        hint={t`Choose six digits that are hard to guess. Do not use a birthday or 123456.`}
        inputMode="numeric"
        autoComplete="off"
        {...form.field('pin')}
      />
      <FormActions
        form={form}
        submit={<Trans>Save PIN</Trans>}
        busyLabel={<Trans>Saving PIN...</Trans>}
        onCancel={onDone}
      />
    </Form>
  )
}
