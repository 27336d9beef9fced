import { Trans, useLingui } from '@lingui/react/macro'
import { SectionForm, type SectionProps } from './SectionForm.tsx'
import { Tick } from './fields.tsx'

/** Section in which a municipality agrees to share its records with other municipalities. */
export function SharingSection({ companyConfig }: SectionProps) {
  const { t } = useLingui()
  return (
    <SectionForm
      companyConfig={companyConfig}
      section="sharing"
      title={<Trans>Sharing</Trans>}
      lead={
        <Trans>
          Other municipalities can copy your published forms, open rental resources, and active request categories,
          inspection templates and maintenance plans.
        </Trans>
      }
    >
      {(form) => (
        <Tick
          form={form}
          name="shares_records"
          hint={t`A copy has no departments, people, GL accounts, phone numbers, emails or files. You can stop sharing at any time. Existing copies stay.`}
        />
      )}
    </SectionForm>
  )
}
