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
      title={<Trans>Texts</Trans>}
      lead={<Trans>What residents get by text who agreed to it. They get the emails about it all the same.</Trans>}
      shown={(stored) => ({ ...stored, sms_number: typePhone(String(stored['sms_number'])) })}
    >
      {(form) => {
        const name = gsmOf(String(form.watch('sms_name') ?? '')) || companyConfig.company.name
        return (
          <>
            <Group title={<Trans>What is texted</Trans>}>
              <Tick form={form} name="texts_payments" hint={t`A payment went through, or was returned by the bank.`} />
              <Tick form={form} name="texts_conversations" hint={t`A request was answered or completed.`} />
            </Group>
            <Group title={<Trans>Quiet hours</Trans>}>
              <p className="text-muted text-sm">
                <Trans>
                  A text of these hours, by the municipality's clock, waits until they end. Codes that somebody asks for
                  do not wait. The same time twice: there are no quiet hours.
                </Trans>
              </p>
              <div className="grid grid-cols-2 items-start gap-4">
                <TextField type="time" label={labelOf('quiet_from')} {...form.field('quiet_from')} />
                <TextField type="time" label={labelOf('quiet_to')} {...form.field('quiet_to')} />
              </div>
            </Group>
            <Group title={<Trans>Who texts</Trans>}>
              <Text
                form={form}
                name="sms_name"
                optional
                hint={t`Each text begins with it. Empty: the name of the municipality.`}
              />
              <p role="status" className="rounded-sm bg-tint px-4 py-3 text-sm wrap-anywhere">
                <Code>{name}</Code>: <Trans>we answered your request S1001. The answer is in your email.</Trans>
              </p>
              <PhoneField
                label={labelOf('sms_number')}
                optional
                autoComplete="off"
                hint={t`A number of its own with the provider of texts. Empty: the number of the portal.`}
                {...form.field('sms_number')}
              />
            </Group>
          </>
        )
      }}
    </SectionForm>
  )
}
