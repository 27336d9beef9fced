import { Trans, useLingui } from '@lingui/react/macro'
import { gsmOf } from '../../../../shared/gsm.ts'
import { typePhone } from '../../../../shared/phone.ts'
import { PhoneField } from '../../../../web/ui/PhoneField.tsx'
import { TextField } from '../../../../web/ui/TextField.tsx'
import { labelOf } from '../../report.ts'
import { Group, Text, Tick } from './fields.tsx'
import { SectionForm, type SectionProps } from './SectionForm.tsx'
import { Code } from '../../../../web/ui/Text.tsx'

/** Section for text messages to residents who opted in, with quiet hours. */
export function TextsSection({ companyConfig }: SectionProps) {
  const { t } = useLingui()
  return (
    <SectionForm
      companyConfig={companyConfig}
      section="texts"
      title={<Trans>Text messages</Trans>}
      lead={
        <Trans>
          Only residents who agreed to text messages will get them. These residents still get the same notifications by
          email.
        </Trans>
      }
      toFormValues={(stored) => ({ ...stored, sms_number: typePhone(String(stored['sms_number'])) })}
    >
      {(form) => {
        const name = gsmOf(String(form.watch('sms_name') ?? '')) || companyConfig.company.name
        return (
          <>
            <Group title={<Trans>Message types</Trans>}>
              <Tick
                form={form}
                name="texts_payments"
                hint={t`Sent when a payment succeeds or is returned by the bank.`}
              />
              <Tick form={form} name="texts_conversations" hint={t`Sent when staff answer or complete a request.`} />
            </Group>
            <Group title={<Trans>Quiet hours</Trans>}>
              <p className="text-muted text-sm">
                <Trans>
                  Text messages that are due during these hours are sent when the hours end. The hours are in the
                  municipality's time zone. Codes that someone requests are sent immediately. To turn off quiet hours,
                  enter the same time twice.
                </Trans>
              </p>
              <div className="grid grid-cols-2 items-start gap-4">
                <TextField type="time" label={labelOf('quiet_from')} {...form.field('quiet_from')} />
                <TextField type="time" label={labelOf('quiet_to')} {...form.field('quiet_to')} />
              </div>
            </Group>
            <Group title={<Trans>Sender</Trans>} names={['sms_name', 'sms_number']}>
              <Text
                form={form}
                name="sms_name"
                optional
                hint={t`Each text message starts with this name. If empty, it starts with the name of the municipality.`}
              />
              <p role="status" className="rounded-sm bg-tint px-4 py-3 text-sm wrap-anywhere">
                <Code>{name}</Code>: <Trans>we replied to your request S1001. The reply is in your email.</Trans>
              </p>
              <PhoneField
                label={labelOf('sms_number')}
                optional
                autoComplete="off"
                hint={t`Enter a separate number from the text message provider. If empty, the portal's number is used.`}
                {...form.field('sms_number')}
              />
            </Group>
          </>
        )
      }}
    </SectionForm>
  )
}
