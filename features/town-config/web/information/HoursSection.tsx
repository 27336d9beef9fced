import { Trans } from '@lingui/react/macro'
import { TextField } from '../../../../web/ui/TextField.tsx'
import { labelOf } from '../../report.ts'
import { SectionForm, type SectionProps } from './SectionForm.tsx'

export const HoursSection = ({ companyConfig }: SectionProps) => (
  <SectionForm
    companyConfig={companyConfig}
    section="hours"
    title={<Trans>Office hours</Trans>}
    lead={<Trans>Hours when staff are available at the counter and by phone, in the municipality's time zone.</Trans>}
  >
    {(form) => (
      <div className="grid grid-cols-2 items-start gap-4">
        <TextField type="time" label={labelOf('office_hours_open')} {...form.field('office_hours_open')} />
        <TextField type="time" label={labelOf('office_hours_closed')} {...form.field('office_hours_closed')} />
      </div>
    )}
  </SectionForm>
)
