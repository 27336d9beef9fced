import type * as z from 'zod/mini'
import type { ReactNode } from 'react'
import { Trans } from '@lingui/react/macro'
import { useZodForm } from './form.ts'
import { useSession } from '../session.ts'
import { Form } from './Form.tsx'
import { PhoneField } from './PhoneField.tsx'
import { Checkbox } from './Choice.tsx'
import { Button } from './Button.tsx'
import { CodeField } from './CodeField.tsx'
import { Text } from './Text.tsx'
import { Notice } from './Notice.tsx'
import { toast } from './Toasts.tsx'
import { messageOf } from '../call.ts'

interface Agreement {
  phone: string
  agree: boolean
}

interface PhoneAgreementProps {
  rules: z.ZodMiniType<Agreement, Agreement>
  /** Phone number from the profile, which the person may change. */
  phone: string
  phoneLabel: string
  consent: string
  /** Shown to a person who impersonates the resident, because only the resident can give consent. */
  ownOnly: ReactNode
  submit: ReactNode
  busyLabel: ReactNode
  onAgree: (values: Agreement) => Promise<void>
  /** Explanation of the messages. */
  children: ReactNode
}

/** Form for a phone number and the consent to text messages or calls. */
export function PhoneAgreement(props: PhoneAgreementProps) {
  const form = useZodForm(props.rules, { defaultValues: { phone: props.phone, agree: false } })
  const isImpersonating = useSession()?.impersonating ?? false
  return (
    <>
      <p className="mb-4">{props.children}</p>
      {isImpersonating ? (
        <p className="text-muted text-sm">{props.ownOnly}</p>
      ) : (
        <Form form={form} onSubmit={props.onAgree}>
          <PhoneField label={props.phoneLabel} {...form.field('phone')} />
          <Checkbox label={props.consent} {...form.field('agree')} />
          <div>
            <Button type="submit" busy={form.formState.isSubmitting} busyLabel={props.busyLabel}>
              {props.submit}
            </Button>
          </div>
        </Form>
      )}
    </>
  )
}

interface PhoneCodeProps {
  rules: z.ZodMiniType<{ code: string }, { code: string }>
  label: string
  submit: ReactNode
  onConfirm: (values: { code: string }) => Promise<void>
  /** Button that starts over with another number. */
  restart: ReactNode
  children: ReactNode
}

/** Form for the code that was sent to the phone. */
export function PhoneCode({ rules, label, submit, onConfirm, restart, children }: PhoneCodeProps) {
  const form = useZodForm(rules, { defaultValues: { code: '' } })
  return (
    <Form form={form} onSubmit={onConfirm}>
      <p>{children}</p>
      <CodeField label={label} {...form.field('code')} />
      <div className="flex flex-wrap gap-2">
        <Button
          type="submit"
          variant="primary"
          busy={form.formState.isSubmitting}
          busyLabel={<Trans>Checking...</Trans>}
        >
          {submit}
        </Button>
        <Text>{restart}</Text>
      </div>
    </Form>
  )
}

interface PhoneOnProps {
  phone: string
  /** Reason why no messages reach the phone. Null if messages reach it. */
  optedOut: ReactNode
  /** Button that turns the messages off. */
  off: ReactNode
  /** Explains who sends the messages and how to stop them. */
  children: ReactNode
}

/** Shows the confirmed phone number. */
export const PhoneOn = ({ phone, optedOut, off, children }: PhoneOnProps) => (
  <div className="flex flex-col items-start gap-4">
    <p>
      <strong>
        <Trans>Turned on for {phone}.</Trans>
      </strong>{' '}
      <Text>{children}</Text>
    </p>
    {optedOut && <Notice tone="warning">{optedOut}</Notice>}
    <Text>{off}</Text>
  </div>
)

interface PhoneOffProps {
  onEnd: () => Promise<unknown>
  /** Runs after the call, even if it failed. */
  onEnded: () => Promise<void>
  children: ReactNode
}

/** Button that turns off the messages to a phone. */
export function PhoneOff({ onEnd, onEnded, children }: PhoneOffProps) {
  const end = async () => {
    try {
      await onEnd()
    } catch (failure) {
      toast(messageOf(failure), 'danger')
    }
    await onEnded()
  }
  return <Button onClick={() => void end()}>{children}</Button>
}

/** Moves the focus to the title of a panel, because the page has removed the focused button. */
export function focusPanel(id: string): void {
  const title = document.getElementById(id)
  title?.setAttribute('tabindex', '-1')
  title?.focus()
}
