import { Trans, useLingui } from '@lingui/react/macro'
import type { RowOf } from '../../../shared/list.ts'
import { call } from '../../../web/call.ts'
import { shortInstant } from '../../../web/clock.ts'
import { reload } from '../../../web/query.ts'
import { DetailList } from '../../../web/ui/Card.tsx'
import { SlideOut } from '../../../web/ui/Dialog.tsx'
import { Form } from '../../../web/ui/Form.tsx'
import { FormButtons } from '../../../web/ui/FormButtons.tsx'
import { useZodForm } from '../../../web/ui/form.ts'
import { LinkedText } from '../../../web/ui/LinkedText.tsx'
import { PhoneField } from '../../../web/ui/PhoneField.tsx'
import { TextField } from '../../../web/ui/TextField.tsx'
import { toast } from '../../../web/ui/Toasts.tsx'
import { phoneTextForm, textFromSandbox } from '../contract.ts'
import { sandboxTexts } from '../list.ts'

const FORM = 'sandbox-text'

interface PhoneSlideOutProps {
  /** Text message to reply to. Null for a new message. */
  text: RowOf<typeof sandboxTexts> | null
  onClose: () => void
}

/** Text message on its sandbox phone, with a form to answer it. */
export function PhoneSlideOut({ text, onClose }: PhoneSlideOutProps) {
  const { t } = useLingui()
  const form = useZodForm(phoneTextForm, {
    defaultValues: { phone: text?.phone ?? '', to: text?.portal ?? '(717) 555-0100', text: '' },
  })
  const send = async (values: { phone: string; to: string; text: string }) => {
    toast((await call(textFromSandbox, values)).message)
    await reload(sandboxTexts.call)
    onClose()
  }
  return (
    <SlideOut
      title={text ? text.phone : t`Send a text`}
      onClose={onClose}
      locked={form.formState.isSubmitting}
      actions={<FormButtons form={form} id={FORM} save={<Trans>Send</Trans>} onClose={onClose} />}
    >
      {text && (
        <>
          <DetailList
            className="text-table"
            details={[
              [<Trans key="from">From</Trans>, text.direction === 'to phone' ? text.portal : text.phone],
              [<Trans key="time">Time</Trans>, shortInstant(text.at)],
              [<Trans key="status">Status</Trans>, text.error ? `${text.status} (${text.error})` : text.status],
            ]}
          />
          <p className="mt-5 mb-7 border-line border-t pt-5 wrap-anywhere">
            <LinkedText>{text.body}</LinkedText>
          </p>
        </>
      )}
      <Form id={FORM} form={form} onSubmit={send}>
        <PhoneField label={t`Sender number`} shape="profile" {...form.field('phone')} />
        <PhoneField label={t`Recipient number`} shape="profile" {...form.field('to')} />
        <TextField
          label={t`Text`}
          hint={t`For example: STOP, START or HELP`}
          autoComplete="off"
          {...form.field('text')}
        />
      </Form>
    </SlideOut>
  )
}
